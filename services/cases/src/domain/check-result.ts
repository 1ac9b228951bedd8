import type { CheckResult } from '@casewatch/contracts/check-cases';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import { notRecognised, toAppError } from './agency-error.ts';
import { type AgencyFailure, isRefusedByBudget } from './agency-failure.ts';
import type { Outcome } from './agency-queue.ts';

/** What became of one case of a check: the agency has answered, or not in time, or something of our own is broken. */
export type CheckOutcome =
  | Extract<Outcome, { kind: 'case' | 'not-recognised' | 'failure' }>
  | { readonly kind: 'error'; readonly error: unknown }
  | 'late';

/** An unavailable dependency of ours affects every receipt number. */
const AWAY_RETRY_SECONDS = 2;
const SOONEST_RETRY_MS = 50;

/** The outcome in the words of the contract; a check waits `waitMs` for a turn. */
export function toCheckResult(receiptNumber: string, outcome: CheckOutcome, waitMs: number): CheckResult {
  if (outcome === 'late') return { receiptNumber, outcome: 'failed', code: 'AGENCY_UNAVAILABLE' };
  switch (outcome.kind) {
    case 'case':
      return { receiptNumber, outcome: 'observed' };
    case 'not-recognised':
      return { receiptNumber, outcome: 'not-recognised', code: notRecognised().code };
    case 'error':
      return { receiptNumber, outcome: 'failed', ...toldOf(outcome.error) };
    case 'failure':
      return {
        receiptNumber,
        outcome: outcomeOf(outcome.failure),
        code: toAppError(outcome.failure).code,
        ...retryAfter(outcome.failure, waitMs),
      };
  }
}

function outcomeOf({ kind }: AgencyFailure): CheckResult['outcome'] {
  if (kind === 'refused') return 'refused';
  return isRefusedByBudget(kind) ? 'no-budget' : 'failed';
}

/**
 * Failures that say when to come back hold for every receipt number: our own budget, a pause, a rest. Where only too many
 * wait, checks come back as soon as they may wait as well, so that no permit goes unused for want of one.
 */
function retryAfter(
  { kind, retryAfterMs }: AgencyFailure,
  waitMs: number,
): Pick<CheckResult, 'retryAfterSeconds'> {
  if (retryAfterMs === undefined) return {};
  const ms = kind === 'budget-busy' ? Math.max(SOONEST_RETRY_MS, retryAfterMs - waitMs) : retryAfterMs;
  return { retryAfterSeconds: ms / 1_000 };
}

function toldOf(error: unknown): Pick<CheckResult, 'code' | 'retryAfterSeconds'> {
  return isUnavailable(error)
    ? { code: 'UNAVAILABLE', retryAfterSeconds: AWAY_RETRY_SECONDS }
    : { code: 'INTERNAL' };
}
