import { randomUUID } from 'node:crypto';
import type { CheckResult, KnownStatus } from '@casewatch/contracts/check-cases';
import { SAME_ANSWER_DAYS } from '@casewatch/contracts/limits';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import { type Clock, WOKEN } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { KnownAnswer } from './agency.ts';
import { type AskAgency, type Asked, isStoredWithAnswer } from './ask-agency.ts';
import type { CaseStore } from './case-store.ts';
import { type CheckOutcome, toCheckResult } from './check-result.ts';
import { AskedElsewhere } from './look-up-case.ts';
import {
  type Asker,
  askedEnding,
  type CheckAsker,
  type Ending,
  endLookup,
  failedEnding,
  isKnownToWatch,
  storedEnding,
} from './lookup.ts';
import type { LookupLog } from './lookup-log.ts';

export interface CheckCases {
  /**
   * Asks the agency where these cases stand, side by side within the budget of scheduled checks, however fresh the
   * stored answers are, unless they were asked for a moment ago: then that answer is published again. What is answered is
   * stored a moment later, in one transaction with what other checks got meanwhile; what its watch already knows is not
   * published. A result for each distinct receipt number; a bad one fails alone. Each leaves one row in the request log.
   */
  check(receiptNumbers: readonly string[], caller: CheckCaller): Promise<CheckResult[]>;
  /** Resolves when the answers that came too late for their check are stored, too. */
  settled(): Promise<void>;
}

/** The scheduler that asks for a check. */
export interface CheckCaller {
  /** What its watches know; those without an entry get an event in any case. */
  readonly known: readonly KnownStatus[];
  readonly traceId: string | undefined;
  /** Aborts when it waits no longer. */
  readonly signal: AbortSignal;
}

/** What came of asking for one case; an error where something of our own is broken. */
type Attempt = Asked | { readonly error: unknown };

/** Answers of any checks that are stored in one transaction. */
interface Gathered {
  readonly answers: Asked[];
  readonly stored: Promise<ReadonlyMap<Asked, Promise<void>>>;
  /** Stores them after so long at the latest. */
  storeIn(ms: number): void;
  /** Stores them now: nothing more is expected for the moment. */
  store(): void;
}

/** A stored answer younger than this is as good as a new one. */
const JUST_NOW_MS = 3_000;
const DAY_MS = 86_400_000;
/** The caller gives up after 4 s. An answer that comes later is stored when it comes. */
const ANSWER_WITHIN_MS = 3_500;
/**
 * Answers are stored while other cases of their check still wait for a call, and those of all checks share transactions. News
 * is stored soon, because users are notified of it; what a watch knows already can wait.
 */
const STORE_AFTER_MS = { news: 15, known: 150 };
/** Answers gather while a transaction is in progress, so that they are few and large; a slow one is not waited for. */
const STORE_BESIDE_AFTER_MS = 100;
/**
 * While several checks are in progress, one transaction begins so long after another at the soonest: each is followed by others, in
 * every service that learns of it.
 */
const STORE_EVERY_MS = 60;

export function createCheckCases(deps: {
  askAgency: AskAgency;
  cases: CaseStore;
  log: LookupLog;
  clock: Clock;
  logger: Logger;
  /** How long a check waits for a call. */
  waitMs: number;
}): CheckCases {
  const { askAgency, cases, log, clock, logger, waitMs } = deps;
  const afterwards = new Set<Promise<unknown>>();
  let gathered: Gathered | undefined;
  let inProgress = 0;
  let nextStoreAtMs = Number.NEGATIVE_INFINITY;
  /** Ends with the last transaction, or when it has taken too long to be waited for. */
  let storing: Promise<unknown> = Promise.resolve();

  async function check(receiptNumbers: readonly string[], caller: CheckCaller): Promise<CheckResult[]> {
    inProgress += 1;
    return checkEach(receiptNumbers, caller).finally(() => {
      inProgress -= 1;
    });
  }

  async function checkEach(receiptNumbers: readonly string[], caller: CheckCaller): Promise<CheckResult[]> {
    const distinct = [...new Set(receiptNumbers)];
    const late = new AbortController();
    const newAsker = askersSince(clock.nowMs(), {
      ...caller,
      signal: AbortSignal.any([caller.signal, late.signal]),
    });
    const nowMs = clock.nowMs();
    const last = await cases.lastAnswers(distinct, {
      recentMs: nowMs - JUST_NOW_MS,
      loggedMs: nowMs - SAME_ANSWER_DAYS * DAY_MS,
    });
    const justNow = new Map([...last].filter(([, { isRecent }]) => isRecent));
    const observed: string[] = [];
    for (const [receiptNumber, { status }] of justNow) {
      const asker = newAsker(receiptNumber);
      note(receiptNumber, asker, storedEnding(status !== null));
      // A watch may have begun after that answer's event: without a status, it would take a change for the first one.
      if (status !== null && !isKnownToWatch(asker, status)) observed.push(receiptNumber);
    }
    if (observed.length > 0) await cases.publishAgain(observed);
    const outcomeOf = new Map<string, Promise<Attempt>>();
    const asking = distinct
      .filter((receiptNumber) => !justNow.has(receiptNumber))
      .map(async (receiptNumber) => {
        const asker = newAsker(receiptNumber, last.get(receiptNumber)?.known);
        const outcome = await ask(receiptNumber, asker);
        outcomeOf.set(receiptNumber, isAsked(outcome) ? storeFor(asker, outcome) : Promise.resolve(outcome));
      });
    const answered = Promise.all(asking).then(() => gathered?.store());
    if (!(await within(answered, ANSWER_WITHIN_MS))) {
      late.abort();
      finishLater(answered, outcomeOf);
    }
    const outcomes = new Map<string, CheckOutcome>(
      [...justNow].map(([receiptNumber, { status }]) => [
        receiptNumber,
        status === null ? 'not-recognised' : 'observed',
      ]),
    );
    for (const [receiptNumber, stored] of [...outcomeOf]) outcomes.set(receiptNumber, await stored);
    const times = { nowMs: clock.nowMs(), waitMs };
    return distinct.map((receiptNumber) =>
      toCheckResult(receiptNumber, outcomes.get(receiptNumber) ?? 'late', times),
    );
  }

  async function ask(receiptNumber: string, asker: Asker): Promise<Attempt> {
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
  async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
    const enough = new AbortController();
    let hasEnded = false;
    const ended = work.then(() => {
      hasEnded = true;
    });
    await Promise.race([ended, clock.sleep(ms, enough.signal).catch(() => undefined)]);
    enough.abort(WOKEN);
    return hasEnded;
  }

  /** Stores an answer that a check of this watch has waited for, with those that come within a moment. */
  async function storeFor(asker: CheckAsker, asked: Asked): Promise<Attempt> {
    const outcome = await storeSoon(asked);
    if (!isAsked(outcome) || !isUnpublished(asked, asker)) return outcome;
    try {
      await cases.publishAgain([asked.receiptNumber]);
      return asked;
    } catch (error) {
      return broken(asked.receiptNumber, error);
    }
  }

  /** Resolves to a failure where it could not be stored. */
  async function storeSoon(asked: Asked): Promise<Attempt> {
    gathered ??= gather();
    const { answers, stored, storeIn } = gathered;
    answers.push(asked);
    storeIn(isNews(asked) ? STORE_AFTER_MS.news : STORE_AFTER_MS.known);
    try {
      await (await stored).get(asked);
      return asked;
    } catch (error) {
      // Its row was to be stored with the answer; that of a person is written by their own look-up.
      if (asked.asker.source === 'monitor' && asked.ended.calls.length > 0)
        log.add({ ...asked.ended, ...failedEnding(error) });
      return broken(asked.receiptNumber, error);
    }
  }

  function gather(): Gathered {
    const answers: Asked[] = [];
    const due = Promise.withResolvers<void>();
    const enough = new AbortController();
    let dueInMs = Number.POSITIVE_INFINITY;
    const stored = due.promise
      .then(() => storing)
      .then(() => untilNextStore())
      .then(() => {
        enough.abort(WOKEN);
        gathered = undefined;
        const all = askAgency.store(answers);
        nextStoreAtMs = clock.nowMs() + STORE_EVERY_MS;
        storing = within(Promise.allSettled(all.values()), STORE_BESIDE_AFTER_MS);
        return all;
      });
    return {
      answers,
      stored,
      storeIn(ms) {
        if (ms >= dueInMs) return;
        dueInMs = ms;
        clock.sleep(ms, enough.signal).then(due.resolve, due.resolve);
      },
      store: due.resolve,
    };
  }

  async function untilNextStore(): Promise<void> {
    // No longer than that where the clock was set back.
    const waitMs = Math.min(nextStoreAtMs - clock.nowMs(), STORE_EVERY_MS);
    if (inProgress > 1 && waitMs > 0) await clock.sleep(waitMs);
  }

  function finishLater(answered: Promise<unknown>, outcomeOf: ReadonlyMap<string, Promise<Attempt>>): void {
    const work = answered.then(() => Promise.all(outcomeOf.values())).finally(() => afterwards.delete(work));
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
function askersSince(startedAtMs: number, { known, traceId, signal }: CheckCaller) {
  const watches = new Map(known.map((facts) => [facts.receiptNumber, facts]));
  return (receiptNumber: string, answer?: KnownAnswer): CheckAsker => {
    const watch = watches.get(receiptNumber);
    return {
      source: 'monitor',
      lookup: { id: randomUUID(), origin: 'scheduled', requestId: undefined, traceId, startedAtMs },
      watch: watch && { status: watch.status, terminal: watch.terminal, signal },
      known: answer,
    };
  };
}

/** Whether an answer may have no event because another check asked for it, whose watch knew it: this one's does not. */
function isUnpublished({ asker, result }: Asked, joined: CheckAsker): boolean {
  if (asker.source !== 'monitor' || asker.lookup.id === joined.lookup.id) return false;
  return result.kind === 'case' && !isKnownToWatch(joined, result.case.status);
}

function isNews({ asker, result }: Asked): boolean {
  return result.kind === 'case' && !isKnownToWatch(asker, result.case.status);
}

function isAsked(attempt: Attempt): attempt is Asked {
  return 'result' in attempt;
}
