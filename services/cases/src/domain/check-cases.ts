import { randomUUID } from 'node:crypto';
import type { CheckResult } from '@casewatch/contracts/check-cases';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type AskAgency, type Asked, isStoredWithAnswer } from './ask-agency.ts';
import type { CaseStore } from './case-store.ts';
import { type CheckOutcome, toCheckResult } from './check-result.ts';
import { AskedElsewhere } from './look-up-case.ts';
import { type Asker, askedEnding, type Ending, endLookup, failedEnding, storedEnding } from './lookup.ts';
import type { LookupLog } from './lookup-log.ts';

export interface CheckCases {
  /**
   * Asks the agency where these cases stand, side by side within the budget of scheduled checks, however fresh the
   * stored answers are, unless they were asked for a moment ago: then that answer is published again. What is answered is
   * stored in slices, each in one transaction. A result for each distinct receipt number; a bad one fails alone. Each leaves one row in the request log.
   */
  check(receiptNumbers: readonly string[], traceId?: string): Promise<CheckResult[]>;
  /** Resolves when the answers that came too late for their check are stored, too. */
  settled(): Promise<void>;
}

type Outcomes = Map<string, CheckOutcome>;

/** A stored answer younger than this is as good as a new one. */
const JUST_NOW_MS = 3_000;
/** The caller gives up after 4 s. An answer that comes later is stored when it comes. */
const ANSWER_WITHIN_MS = 3_500;
/** Answers reach their watchers while other cases still wait for their turn. */
const STORE_EVERY_MS = 150;

export function createCheckCases(deps: {
  askAgency: AskAgency;
  cases: CaseStore;
  log: LookupLog;
  clock: Clock;
  logger: Logger;
}): CheckCases {
  const { askAgency, cases, log, clock, logger } = deps;
  const afterwards = new Set<Promise<unknown>>();

  async function check(receiptNumbers: readonly string[], traceId?: string): Promise<CheckResult[]> {
    const distinct = [...new Set(receiptNumbers)];
    const newAsker = askersSince(clock.nowMs(), traceId);
    const justNow = await cases.answeredSince(distinct, clock.nowMs() - JUST_NOW_MS);
    for (const [receiptNumber, answered] of justNow)
      note(receiptNumber, newAsker(), storedEnding(answered === 'observed'));
    // A watch may have begun after that answer's event: without a status, it would take a change for the first one.
    const observed = distinct.filter((receiptNumber) => justNow.get(receiptNumber) === 'observed');
    if (observed.length > 0) await cases.publishAgain(observed);
    const outcomes: Outcomes = new Map(justNow);
    const asking = askAll(
      distinct.filter((receiptNumber) => !justNow.has(receiptNumber)),
      outcomes,
      newAsker,
    );
    const stored = await storeAsAnswered(asking, outcomes);
    const nowMs = clock.nowMs();
    return distinct.map((receiptNumber) =>
      toCheckResult(receiptNumber, stored.get(receiptNumber) ?? 'late', nowMs),
    );
  }

  /** Stores what is answered in time, in slices; what is not, when it is. */
  async function storeAsAnswered(asking: Promise<void>, outcomes: Outcomes): Promise<Outcomes> {
    const deadlineMs = clock.nowMs() + ANSWER_WITHIN_MS;
    const left = new Set(outcomes.keys());
    const storing: Promise<Outcomes>[] = [];
    for (let over = false; !over; ) {
      const ended = await within(asking, Math.min(STORE_EVERY_MS, deadlineMs - clock.nowMs()));
      over = ended || clock.nowMs() >= deadlineMs;
      const slice: Outcomes = new Map([...outcomes].filter(isAnsweredOf(left)));
      for (const receiptNumber of slice.keys()) left.delete(receiptNumber);
      if (slice.size > 0) storing.push(store(slice));
    }
    if (left.size > 0) storeAfterwards(asking, [...left], outcomes);
    return new Map((await Promise.all(storing)).flatMap((slice) => [...slice]));
  }

  /** Resolves when all are asked; until then those that are not are `late`. */
  async function askAll(
    receiptNumbers: readonly string[],
    outcomes: Outcomes,
    newAsker: () => Asker,
  ): Promise<void> {
    for (const receiptNumber of receiptNumbers) outcomes.set(receiptNumber, 'late');
    await Promise.all(
      receiptNumbers.map(async (receiptNumber) =>
        outcomes.set(receiptNumber, await ask(receiptNumber, newAsker())),
      ),
    );
  }

  async function ask(receiptNumber: string, asker: Asker): Promise<CheckOutcome> {
    try {
      const asked = await askAgency.ask(receiptNumber, asker);
      const isOwn = asked.ended.asker.lookup.id === asker.lookup.id;
      if (!isOwn) note(receiptNumber, asker, askedEnding(asked.result, true));
      else if (!isStoredWithAnswer(asked, asker)) log.add(asked.ended);
      return asked;
    } catch (error) {
      // It had joined a person's look-up, which another process makes: a check asks by itself.
      if (error instanceof AskedElsewhere) return ask(receiptNumber, asker);
      note(receiptNumber, asker, failedEnding(error));
      return broken(receiptNumber, error);
    }
  }

  function note(receiptNumber: string, asker: Asker, ending: Ending): void {
    log.add(endLookup(receiptNumber, asker, ending, clock.nowMs()));
  }

  /** Whether the work ended within the time. */
  async function within(work: Promise<void>, ms: number): Promise<boolean> {
    const enough = new AbortController();
    const timeUp = clock.sleep(ms, enough.signal).then(
      () => false,
      () => false,
    );
    const ended = await Promise.race([work.then(() => true), timeUp]);
    enough.abort();
    return ended;
  }

  /** Resolves to the outcomes with those that could not be stored as failures. */
  async function store(outcomes: Outcomes): Promise<Outcomes> {
    const stored = askAgency.store([...outcomes.values()].filter(isAsked));
    return new Map(
      await Promise.all(
        [...outcomes].map(async ([receiptNumber, outcome]): Promise<[string, CheckOutcome]> => {
          try {
            if (isAsked(outcome)) await stored.get(outcome);
            return [receiptNumber, outcome];
          } catch (error) {
            // Its row was to be stored with the answer; that of a person is written by their own look-up.
            if (isAsked(outcome) && outcome.asker.source === 'monitor' && outcome.ended.calls.length > 0)
              log.add({ ...outcome.ended, ...failedEnding(error) });
            return [receiptNumber, broken(receiptNumber, error)];
          }
        }),
      ),
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

/** Makes an asker for each case of a check. */
const askersSince = (startedAtMs: number, traceId: string | undefined) => (): Asker => ({
  source: 'monitor',
  lookup: { id: randomUUID(), origin: 'scheduled', requestId: undefined, traceId, startedAtMs },
});

const isAnsweredOf =
  (left: ReadonlySet<string>) =>
  ([receiptNumber, outcome]: [string, CheckOutcome]) =>
    outcome !== 'late' && left.has(receiptNumber);

function isAsked(outcome: CheckOutcome): outcome is Asked {
  return typeof outcome === 'object' && 'result' in outcome;
}
