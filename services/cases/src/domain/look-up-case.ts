import type { CaseStatusResult } from '@casewatch/contracts/cases';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { AgencyFailure, FailureKind } from '../agency/agency-failure.ts';
import { notRecognised, toAppError } from './agency-error.ts';
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
    const running = flights.get(receiptNumber);
    if (running) return running;
    const flight = lookUp(receiptNumber, asker);
    flights.set(receiptNumber, flight);
    return flight;
  };

  async function lookUp(receiptNumber: string, asker: Asker): Promise<CaseStatusResult> {
    try {
      const before = await known.read(receiptNumber);
      if (before && isFresh(before)) return await answer(before);
      const elsewhere = await learnElsewhere(receiptNumber);
      if (elsewhere) return await answer(elsewhere);
      const { result } = await askAndStore(receiptNumber, asker);
      if (result.kind === 'failure') return fallBack(result.failure, before);
      const after = await known.read(receiptNumber);
      if (!after) throw new Error('a case is gone that was just stored');
      return await answer(after);
    } finally {
      flights.delete(receiptNumber);
    }
  }

  /** What another process has just asked for. Undefined: the agency is to be asked here, and the turn to be ended. */
  async function learnElsewhere(receiptNumber: string): Promise<Known | undefined> {
    if (await turns.take(receiptNumber)) return undefined;
    const learnt = await turns.waitFor(receiptNumber, async () => {
      const now = await known.read(receiptNumber);
      return now && isFresh(now) ? now : undefined;
    });
    // It learnt nothing: those who waited with us are spared a second wait.
    if (!learnt) await turns.take(receiptNumber);
    return learnt;
  }

  async function askAndStore(receiptNumber: string, asker: Asker): Promise<Asked> {
    try {
      for (;;) {
        const asked = await askAgency.ask(receiptNumber, asker);
        await askAgency.store([asked]).get(asked);
        if (!isGivenUpByCheck(asked)) return asked;
      }
    } finally {
      await turns.end(receiptNumber);
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

function isGivenUpByCheck({ asker, result }: Asked): boolean {
  return (
    asker.source === 'monitor' &&
    result.kind === 'failure' &&
    GIVEN_UP_BY_CHECKS.includes(result.failure.kind)
  );
}
