import { randomUUID } from 'node:crypto';
import type { CheckResult } from '@casewatch/contracts/check-cases';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import { type Clock, WOKEN } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type AgencyFailure, isRefusedByBudget, notRecognized, toAppError } from './agency-failure.ts';
import { type Outcome, toError } from './agency-queue.ts';
import type { AskAgency } from './ask-agency.ts';
import {
  askedEnding,
  type CheckRequester,
  type Ending,
  endLookup,
  failedEnding,
  type Spent,
} from './lookup.ts';
import type { LookupLog } from './lookup-log.ts';

export interface CheckCases {
  /**
   * Asks the agency where these cases stand, side by side within the budget of scheduled checks, however fresh the stored answers
   * are. A result for each distinct receipt number; a bad one fails alone. Each leaves one row in the request log.
   */
  check(
    receiptNumbers: readonly string[],
    traceId: string | undefined,
    traceparent?: string | undefined,
  ): Promise<CheckResult[]>;
  /** Resolves when the answers that came too late for their check are there, too. */
  settled(): Promise<void>;
}

/** What became of one case of a check: the agency has answered, or not in time, or something of our own is broken. */
export type CheckOutcome =
  | Extract<Outcome, { kind: 'case' | 'not-recognized' | 'failure' }>
  | { readonly kind: 'error'; readonly error: unknown };

/** The caller times out after 4 s. An answer that comes later is stored and published when it comes. */
const ANSWER_WITHIN_MS = 3_500;
const LATE: CheckOutcome = { kind: 'failure', failure: { kind: 'timeout' } };
/** An unavailable dependency of ours affects every receipt number. */
const UNAVAILABLE_RETRY_SECONDS = 2;
const SOONEST_RETRY_MS = 50;

export function createCheckCases(deps: {
  askAgency: AskAgency;
  log: LookupLog;
  clock: Clock;
  logger: Logger;
  /** How long a check waits for a turn. */
  waitMs: number;
}): CheckCases {
  const { askAgency, log, clock, logger, waitMs } = deps;
  const afterwards = new Set<Promise<unknown>>();

  const check: CheckCases['check'] = async (receiptNumbers, traceId, traceparent) => {
    const distinct = [...new Set(receiptNumbers)];
    const outcomes = new Map<string, CheckOutcome>();
    const startedAtMs = clock.nowMs();
    const asking = distinct.map(async (receiptNumber) => {
      const lookup = {
        id: randomUUID(),
        origin: 'scheduled',
        requestId: undefined,
        traceId,
        traceparent,
        startedAtMs,
      } as const;
      outcomes.set(receiptNumber, await ask(receiptNumber, { source: 'monitor', lookup }));
    });
    const asked = Promise.all(asking).finally(() => afterwards.delete(asked));
    afterwards.add(asked);
    await within(asked, ANSWER_WITHIN_MS);
    return distinct.map((receiptNumber) =>
      toCheckResult(receiptNumber, outcomes.get(receiptNumber) ?? LATE, waitMs),
    );
  };

  async function ask(receiptNumber: string, requester: CheckRequester): Promise<CheckOutcome> {
    const note = (ending: Ending, spent?: Spent) =>
      log.add(endLookup(receiptNumber, requester, ending, clock.nowMs(), spent));
    let outcome: Outcome | undefined;
    try {
      outcome = await askAgency.ask(receiptNumber, requester, waitMs);
      if (outcome.kind === 'broken') throw toError(outcome);
      if (outcome.kind === 'stored') throw new Error('a check was answered from the store');
      if (!outcome.isLogged) note(askedEnding(outcome, true), outcome.spent);
      return outcome;
    } catch (error) {
      note(failedEnding(error), outcome?.spent);
      logger.error({ err: error, receiptNumber: maskReceiptNumber(receiptNumber) }, 'a check failed');
      return { kind: 'error', error };
    }
  }

  async function within(work: Promise<unknown>, ms: number): Promise<void> {
    const enough = new AbortController();
    await Promise.race([work, clock.sleep(ms, enough.signal).catch(() => undefined)]);
    enough.abort(WOKEN);
  }

  return {
    check,
    settled: async () => {
      await Promise.all(afterwards);
    },
  };
}

/** Returns the outcome in the words of the contract; a check waits `waitMs` for a turn. */
export function toCheckResult(receiptNumber: string, outcome: CheckOutcome, waitMs: number): CheckResult {
  switch (outcome.kind) {
    case 'case':
      return { receiptNumber, outcome: 'observed' };
    case 'not-recognized':
      return { receiptNumber, outcome: 'not-recognized', code: notRecognized().code };
    case 'error':
      return isUnavailable(outcome.error)
        ? {
            receiptNumber,
            outcome: 'failed',
            code: 'UNAVAILABLE',
            retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
          }
        : { receiptNumber, outcome: 'failed', code: 'INTERNAL' };
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
