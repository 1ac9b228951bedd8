import type { CheckResult } from '@casewatch/contracts/check-cases';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Logger } from '@casewatch/platform/runtime/logger';
import type { AskAgency, Asked } from './ask-agency.ts';
import type { CaseStore } from './case-store.ts';
import { type CheckOutcome, toCheckResult } from './check-result.ts';

export interface CheckCases {
  /**
   * Asks the agency where these cases stand, side by side within the budget of scheduled checks, however fresh the
   * stored answers are, unless somebody has asked a moment ago. What is answered in time is stored in one
   * transaction. A result for each distinct receipt number; a bad one fails alone.
   */
  check(receiptNumbers: readonly string[]): Promise<CheckResult[]>;
  /** Resolves when the answers that came too late for their check are stored, too. */
  settled(): Promise<void>;
}

type Outcomes = Map<string, CheckOutcome>;

/** A stored answer younger than this is as good as a new one. */
const JUST_NOW_MS = 3_000;
/** The caller gives up after 4 s. An answer that comes later is stored when it comes. */
const ANSWER_WITHIN_MS = 3_500;

export function createCheckCases(deps: {
  askAgency: AskAgency;
  cases: CaseStore;
  clock: Clock;
  logger: Logger;
}): CheckCases {
  const { askAgency, cases, clock, logger } = deps;
  const afterwards = new Set<Promise<unknown>>();

  async function check(receiptNumbers: readonly string[]): Promise<CheckResult[]> {
    const distinct = [...new Set(receiptNumbers)];
    const justNow = await cases.answeredSince(distinct, clock.nowMs() - JUST_NOW_MS);
    const outcomes: Outcomes = new Map(justNow);
    const asking = askAll(
      distinct.filter((receiptNumber) => !justNow.has(receiptNumber)),
      outcomes,
    );
    await inTime(asking);
    const late = [...outcomes].flatMap(([receiptNumber, outcome]) =>
      outcome === 'late' ? [receiptNumber] : [],
    );
    if (late.length > 0) storeAfterwards(asking, late, outcomes);
    return store(new Map(outcomes));
  }

  /** Resolves when all are asked; until then those that are not are `late`. */
  async function askAll(receiptNumbers: readonly string[], outcomes: Outcomes): Promise<void> {
    for (const receiptNumber of receiptNumbers) outcomes.set(receiptNumber, 'late');
    await Promise.all(
      receiptNumbers.map(async (receiptNumber) => outcomes.set(receiptNumber, await ask(receiptNumber))),
    );
  }

  async function ask(receiptNumber: string): Promise<CheckOutcome> {
    try {
      return await askAgency.ask(receiptNumber, { source: 'monitor' });
    } catch (error) {
      return broken(receiptNumber, error);
    }
  }

  async function inTime(asking: Promise<void>): Promise<void> {
    const asked = new AbortController();
    const timeUp = clock.sleep(ANSWER_WITHIN_MS, asked.signal).catch(() => undefined);
    await Promise.race([asking, timeUp]);
    asked.abort();
  }

  async function store(outcomes: Outcomes): Promise<CheckResult[]> {
    const stored = askAgency.store([...outcomes.values()].filter(isAsked));
    return Promise.all(
      [...outcomes].map(async ([receiptNumber, outcome]) => {
        try {
          if (isAsked(outcome)) await stored.get(outcome);
          return toCheckResult(receiptNumber, outcome, clock.nowMs());
        } catch (error) {
          return toCheckResult(receiptNumber, broken(receiptNumber, error), clock.nowMs());
        }
      }),
    );
  }

  function storeAfterwards(asking: Promise<void>, late: readonly string[], outcomes: Outcomes): void {
    const work = asking
      .then(() =>
        store(new Map(late.map((receiptNumber) => [receiptNumber, outcomes.get(receiptNumber) ?? 'late']))),
      )
      .finally(() => afterwards.delete(work));
    afterwards.add(work);
  }

  function broken(receiptNumber: string, error: unknown): { error: unknown } {
    logger.error({ err: error, receiptNumber: maskReceiptNumber(receiptNumber) }, 'a check failed');
    return { error };
  }

  return {
    check,
    settled: async () => {
      await Promise.all(afterwards);
    },
  };
}

function isAsked(outcome: CheckOutcome): outcome is Asked {
  return typeof outcome === 'object' && 'result' in outcome;
}
