import type { CheckResult } from '@casewatch/contracts/check-cases';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import { notRecognised, toAppError } from './agency-error.ts';
import { type AgencyFailure, isRefusedByBudget } from './agency-failure.ts';
import type { Asked } from './ask-agency.ts';

/**
 * What became of one case of a check: the agency was asked, or somebody had just asked it, or it has not answered in
 * time, or something of our own is broken.
 */
export type CheckOutcome = Asked | 'observed' | 'not-recognised' | 'late' | { readonly error: unknown };

/** As much of an outcome as its result depends on. */
export type ReportedOutcome = Exclude<CheckOutcome, Asked> | Pick<Asked, 'result' | 'answeredAtMs'>;

/** An unavailable dependency of ours affects every receipt number. */
const AWAY_RETRY_SECONDS = 2;
const SOONEST_RETRY_MS = 50;

/** What a result depends on besides its outcome. */
export interface CheckTimes {
  readonly nowMs: number;
  /** How long a check waits for a call. */
  readonly waitMs: number;
}

/** The outcome in the words of the contract. */
export function toCheckResult(
  receiptNumber: string,
  outcome: ReportedOutcome,
  times: CheckTimes,
): CheckResult {
  if (outcome === 'observed') return { receiptNumber, outcome };
  if (outcome === 'not-recognised') return { receiptNumber, outcome, code: notRecognised().code };
  if (outcome === 'late') return { receiptNumber, outcome: 'failed', code: 'AGENCY_UNAVAILABLE' };
  if ('error' in outcome) return { receiptNumber, outcome: 'failed', ...toldOf(outcome.error) };
  const { result, answeredAtMs } = outcome;
  if (result.kind === 'case') return toCheckResult(receiptNumber, 'observed', times);
  if (result.kind === 'not-recognised') return toCheckResult(receiptNumber, 'not-recognised', times);
  return {
    receiptNumber,
    outcome: outcomeOf(result.failure),
    code: toAppError(result.failure).code,
    ...retryAfter(result.failure, answeredAtMs, times),
  };
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
  answeredAtMs: number,
  { nowMs, waitMs }: CheckTimes,
): Pick<CheckResult, 'retryAfterSeconds'> {
  if (retryAfterMs === undefined) return {};
  const leftMs = Math.max(0, answeredAtMs + retryAfterMs - nowMs);
  const ms = kind === 'budget-busy' ? Math.max(SOONEST_RETRY_MS, leftMs - waitMs) : leftMs;
  return { retryAfterSeconds: ms / 1_000 };
}

function toldOf(error: unknown): Pick<CheckResult, 'code' | 'retryAfterSeconds'> {
  return isUnavailable(error)
    ? { code: 'UNAVAILABLE', retryAfterSeconds: AWAY_RETRY_SECONDS }
    : { code: 'INTERNAL' };
}
