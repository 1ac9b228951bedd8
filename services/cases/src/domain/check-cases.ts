import { randomUUID } from 'node:crypto';
import type { CheckResult } from '@casewatch/contracts/check-cases';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import { type Clock, WOKEN } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type Outcome, toError } from './agency-queue.ts';
import type { AskAgency } from './ask-agency.ts';
import { type CheckOutcome, toCheckResult } from './check-result.ts';
import { askedEnding, type CheckAsker, type Ending, endLookup, failedEnding, type Spent } from './lookup.ts';
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

/** The caller gives up after 4 s. An answer that comes later is stored and published when it comes. */
const ANSWER_WITHIN_MS = 3_500;

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

  async function check(
    receiptNumbers: readonly string[],
    traceId: string | undefined,
    traceparent?: string | undefined,
  ): Promise<CheckResult[]> {
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
      toCheckResult(receiptNumber, outcomes.get(receiptNumber) ?? 'late', waitMs),
    );
  }

  async function ask(receiptNumber: string, asker: CheckAsker): Promise<CheckOutcome> {
    const note = (ending: Ending, spent?: Spent) =>
      log.add(endLookup(receiptNumber, asker, ending, clock.nowMs(), spent));
    let outcome: Outcome | undefined;
    try {
      outcome = await askAgency.ask(receiptNumber, asker, waitMs);
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
