import type { CaseStatusResult } from '@casewatch/contracts/cases';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { notRecognised, toAppError } from './agency-error.ts';
import type { AgencyFailure, FailureKind } from './agency-failure.ts';
import { type AskAgency, type Asked, isStoredWithAnswer } from './ask-agency.ts';
import type { AskingTurns } from './asking-turns.ts';
import type { Known, KnownCases } from './known-cases.ts';
import { type Asker, askedEnding, type Ending, endLookup, failedEnding, storedEnding } from './lookup.ts';
import type { LookupLog } from './lookup-log.ts';

export interface LookUpDeps {
  askAgency: AskAgency;
  known: KnownCases;
  turns: AskingTurns;
  log: LookupLog;
  clock: Clock;
  /** An answer younger than this is not asked for again. */
  freshnessMs: number;
  /** The same for "not recognised". */
  notRecognisedMs: number;
}

/**
 * The status of one case for a person, by its normalised receipt number: the stored one while it is fresh, else the
 * agency's, which is stored first. Look-ups of one receipt number at the same time share one call, in all processes,
 * and in this one with a scheduled check, too. When the agency can't be asked, an older stored answer comes marked `stale`.
 * Each call of this function leaves one row in the request log, whatever it ends in.
 * @throws AppError RECEIPT_NOT_RECOGNISED, AGENCY_REFUSED, AGENCY_BUSY, AGENCY_UNAVAILABLE or BUDGET_SPENT
 */
export type LookUpCase = (receiptNumber: string, asker: Asker) => Promise<CaseStatusResult>;

/** Whether this look-up holds the turn of its process. */
interface Turn {
  isOurs: boolean;
}

/** Where an answer comes from: the store, what another process has just stored, or the agency. */
type Found =
  | { by: 'store'; known: Known }
  | { by: 'elsewhere'; known: Known }
  | { by: 'agency'; asked: Asked; known: Known | undefined };

/** Something of our own failed after the agency was asked. */
class FailedAfterwards extends Error {
  readonly asked: Asked;
  constructor(asked: Asked, cause: unknown) {
    super('a look-up failed after the agency was asked', { cause });
    this.asked = asked;
  }
}

/** Failures that are ours or temporary: an older answer is better than none. */
const WITHOUT_STALE: readonly FailureKind[] = ['refused'];
/** A check gives these up where a person still waits, or has calls of the day left. */
const GIVEN_UP_BY_CHECKS: readonly FailureKind[] = [
  'budget-busy',
  'budget-spent',
  'budget-unavailable',
  'rate-limited',
];

export function createLookUpCase(deps: LookUpDeps): LookUpCase {
  const { askAgency, known, turns, log, clock } = deps;
  const flights = new Map<string, Promise<Found>>();

  return async (receiptNumber, asker) => {
    const remembered = known.remembered(receiptNumber);
    if (remembered && isFresh(remembered)) {
      note(receiptNumber, asker, storedEnding(isRecognized(remembered)));
      return answer(remembered);
    }
    // Each person waits for a call of their own; those of one person for the same one.
    const key = `${asker.source === 'user' ? asker.userId : ''} ${receiptNumber}`;
    const running = flights.get(key);
    const flight = running ?? lookUp(receiptNumber, asker).finally(() => flights.delete(key));
    if (!running) flights.set(key, flight);
    return answerOf(receiptNumber, asker, flight);
  };

  /** What one caller is answered, with its row in the log. */
  async function answerOf(receiptNumber: string, asker: Asker, flight: Promise<Found>) {
    let found: Found;
    try {
      found = await flight;
    } catch (error) {
      throw noteFailure(receiptNumber, asker, error);
    }
    noteFound(receiptNumber, asker, found);
    if (found.by !== 'agency') return answer(found.known);
    const { result } = found.asked;
    if (result.kind === 'failure') return fallBack(result.failure, found.known);
    if (!found.known) throw new Error('a case is gone that was just stored');
    return answer(found.known);
  }

  function noteFound(receiptNumber: string, asker: Asker, found: Found): void {
    if (found.by === 'agency') {
      const { asked } = found;
      if (isStoredWithAnswer(asked, asker)) return;
      if (asked.ended.asker.lookup.id === asker.lookup.id) log.add(asked.ended);
      else note(receiptNumber, asker, askedEnding(asked.result, true));
      return;
    }
    const ending = storedEnding(isRecognized(found.known));
    const isShared = found.by === 'elsewhere' && ending.code === undefined;
    note(receiptNumber, asker, isShared ? { ...ending, outcome: 'shared' } : ending);
  }

  /** Returns the error to throw. The row of a look-up whose answer could not be stored was not stored either. */
  function noteFailure(receiptNumber: string, asker: Asker, error: unknown): unknown {
    const cause = error instanceof FailedAfterwards ? error.cause : error;
    const ending = failedEnding(cause);
    if (error instanceof FailedAfterwards && isStoredWithAnswer(error.asked, asker)) {
      log.add({ ...error.asked.ended, ...ending });
    } else {
      note(receiptNumber, asker, ending);
    }
    return cause;
  }

  function note(receiptNumber: string, asker: Asker, ending: Ending): void {
    log.add(endLookup(receiptNumber, asker, ending, clock.nowMs()));
  }

  async function lookUp(receiptNumber: string, asker: Asker): Promise<Found> {
    const before = await known.read(receiptNumber);
    if (before && isFresh(before)) return { by: 'store', known: before };
    const me = { ...asker, lookup: { ...asker.lookup, canServeStale: canServe(before) } };
    const turn: Turn = { isOurs: false };
    try {
      return await askAndAnswer(receiptNumber, me, before, turn, () => takeTurn(receiptNumber, turn));
    } catch (error) {
      if (!(error instanceof AskedElsewhere)) throw error;
    }
    const elsewhere = await turns.waitFor(receiptNumber, () => freshOf(receiptNumber));
    if (elsewhere) return { by: 'elsewhere', known: elsewhere };
    // It learnt nothing: those who waited with us are spared a second wait.
    turn.isOurs = await turns.take(receiptNumber);
    return askAndAnswer(receiptNumber, me, before, turn);
  }

  /** Only the process whose turn it is calls the agency; also that does not, when there is a fresh answer by now. */
  async function takeTurn(receiptNumber: string, turn: Turn): Promise<void> {
    // A second try of the same look-up.
    if (turn.isOurs) return;
    turn.isOurs = await turns.take(receiptNumber);
    if (!turn.isOurs) throw new AskedElsewhere();
    if (!(await freshOf(receiptNumber))) return;
    await endTurn(receiptNumber, turn);
    throw new AskedElsewhere();
  }

  async function endTurn(receiptNumber: string, turn: Turn): Promise<void> {
    if (!turn.isOurs) return;
    turn.isOurs = false;
    await turns.end(receiptNumber);
  }

  async function freshOf(receiptNumber: string): Promise<Known | undefined> {
    const now = await known.read(receiptNumber);
    return now && isFresh(now) ? now : undefined;
  }

  async function askAndAnswer(
    receiptNumber: string,
    asker: Asker,
    before: Known | undefined,
    turn: Turn,
    beforeCall?: () => Promise<void>,
  ): Promise<Found> {
    const asked = await askAndStore(receiptNumber, asker, turn, beforeCall);
    if (asked.result.kind === 'failure') return { by: 'agency', asked, known: before };
    return { by: 'agency', asked, known: await known.read(receiptNumber) };
  }

  async function askAndStore(
    receiptNumber: string,
    asker: Asker,
    turn: Turn,
    beforeCall: (() => Promise<void>) | undefined,
  ): Promise<Asked> {
    for (;;) {
      try {
        const asked = await askAgency.ask(receiptNumber, asker, beforeCall);
        await askAgency
          .store([asked])
          .get(asked)
          ?.catch((error: unknown) => {
            throw new FailedAfterwards(asked, error);
          });
        if (!isGivenUpByCheck(asked)) return asked;
      } finally {
        await endTurn(receiptNumber, turn);
      }
    }
  }

  function fallBack(failure: AgencyFailure, before: Known | undefined) {
    const error = toAppError(failure);
    // What the agency has withdrawn since ("not recognised") is not shown again.
    if (!before?.result || !canServe(before) || WITHOUT_STALE.includes(failure.kind)) throw error;
    return { ...before.result, stale: { code: error.code, reason: error.message } };
  }

  function isFresh({ notRecognisedAtMs, observedAtMs }: Known): boolean {
    const now = clock.nowMs();
    return notRecognisedAtMs === null
      ? now - observedAtMs < deps.freshnessMs
      : now - notRecognisedAtMs < deps.notRecognisedMs;
  }

  async function answer({ notRecognisedAtMs, result }: Known): Promise<CaseStatusResult> {
    if (notRecognisedAtMs !== null || !result) throw notRecognised();
    return result;
  }
}

/** Another process asks for this case, or has just done so. Never leaves this file, except to a check that has joined. */
export class AskedElsewhere extends Error {
  override readonly name = 'AskedElsewhere';
}

function isRecognized({ notRecognisedAtMs, result }: Known): boolean {
  return notRecognisedAtMs === null && result !== null;
}

/** Whether this may be shown while there is nothing newer. */
function canServe(before: Known | undefined): boolean {
  return before !== undefined && isRecognized(before);
}

function isGivenUpByCheck({ asker, result }: Asked): boolean {
  return (
    asker.source === 'monitor' &&
    result.kind === 'failure' &&
    GIVEN_UP_BY_CHECKS.includes(result.failure.kind)
  );
}
