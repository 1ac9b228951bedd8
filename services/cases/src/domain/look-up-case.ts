import type { CaseStatusResult } from '@casewatch/contracts/cases';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { notRecognised, toAppError } from './agency-error.ts';
import type { AgencyFailure, FailureKind } from './agency-failure.ts';
import type { AskAgency, Asked } from './ask-agency.ts';
import type { AskingTurns } from './asking-turns.ts';
import type { Asker } from './case-store.ts';
import type { Known, KnownCases } from './known-cases.ts';

export interface LookUpDeps {
  askAgency: AskAgency;
  known: KnownCases;
  turns: AskingTurns;
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
 * @throws AppError RECEIPT_NOT_RECOGNISED, AGENCY_REFUSED, AGENCY_BUSY, AGENCY_UNAVAILABLE or BUDGET_SPENT
 */
export type LookUpCase = (receiptNumber: string, asker: Asker) => Promise<CaseStatusResult>;

/** Whether this look-up holds the turn of its process. */
interface Turn {
  isOurs: boolean;
}

/** Failures that are ours or temporary: an older answer is better than none. */
const WITHOUT_STALE: readonly FailureKind[] = ['refused'];
/** A check gives these up where a person still waits, or has calls of the day left. */
const GIVEN_UP_BY_CHECKS: readonly FailureKind[] = ['budget-busy', 'budget-spent', 'rate-limited'];

export function createLookUpCase(deps: LookUpDeps): LookUpCase {
  const { askAgency, known, turns, clock } = deps;
  const flights = new Map<string, Promise<CaseStatusResult>>();

  return (receiptNumber, asker) => {
    const remembered = known.remembered(receiptNumber);
    if (remembered && isFresh(remembered)) return answer(remembered);
    // Each person waits for a call of their own; those of one person for the same one.
    const key = `${asker.source === 'user' ? asker.userId : ''} ${receiptNumber}`;
    const running = flights.get(key);
    if (running) return running;
    const flight = lookUp(receiptNumber, asker).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };

  async function lookUp(receiptNumber: string, asker: Asker): Promise<CaseStatusResult> {
    const before = await known.read(receiptNumber);
    if (before && isFresh(before)) return answer(before);
    const turn: Turn = { isOurs: false };
    try {
      return await askAndAnswer(receiptNumber, asker, before, turn, () => takeTurn(receiptNumber, turn));
    } catch (error) {
      if (!(error instanceof AskedElsewhere)) throw error;
    }
    const elsewhere = await turns.waitFor(receiptNumber, () => freshOf(receiptNumber));
    if (elsewhere) return answer(elsewhere);
    // It learnt nothing: those who waited with us are spared a second wait.
    turn.isOurs = await turns.take(receiptNumber);
    return askAndAnswer(receiptNumber, asker, before, turn);
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
  ): Promise<CaseStatusResult> {
    const { result } = await askAndStore(receiptNumber, asker, turn, beforeCall);
    if (result.kind === 'failure') return fallBack(result.failure, before);
    const after = await known.read(receiptNumber);
    if (!after) throw new Error('a case is gone that was just stored');
    return answer(after);
  }

  async function askAndStore(
    receiptNumber: string,
    asker: Asker,
    turn: Turn,
    beforeCall: (() => Promise<void>) | undefined,
  ): Promise<Asked> {
    for (;;) {
      const asked = await askAgency.ask(receiptNumber, asker, beforeCall);
      try {
        await askAgency.store([asked]).get(asked);
      } finally {
        await endTurn(receiptNumber, turn);
      }
      if (!isGivenUpByCheck(asked)) return asked;
    }
  }

  function fallBack(failure: AgencyFailure, before: Known | undefined) {
    const error = toAppError(failure);
    // What the agency has withdrawn since ("not recognised") is not shown again.
    if (!before?.result || before.notRecognisedAtMs !== null || WITHOUT_STALE.includes(failure.kind))
      throw error;
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

function isGivenUpByCheck({ asker, result }: Asked): boolean {
  return (
    asker.source === 'monitor' &&
    result.kind === 'failure' &&
    GIVEN_UP_BY_CHECKS.includes(result.failure.kind)
  );
}
