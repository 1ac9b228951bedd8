import type { CaseStatusResult } from '@casewatch/contracts/cases';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type AgencyFailure, notRecognized, toAppError } from './agency-failure.ts';
import { type Outcome, toError } from './agency-queue.ts';
import type { AskAgency } from './ask-agency.ts';
import type { Known, ReadKnown } from './known-cases.ts';
import {
  askedEnding,
  type Ending,
  endLookup,
  failedEnding,
  storedEnding,
  type UserRequester,
} from './lookup.ts';
import type { LookupLog } from './lookup-log.ts';

/**
 * The status of one case for a person, by its normalised receipt number: the stored one while it is fresh, else the
 * agency's, which is stored first. When the agency can't be asked, an older stored answer comes marked `stale`.
 * Each call of this function leaves one row in the request log, whatever it ends in.
 * @throws AppError RECEIPT_NOT_RECOGNIZED, AGENCY_REFUSED, AGENCY_BUSY, AGENCY_UNAVAILABLE, BUDGET_SPENT or UNAVAILABLE
 */
export type LookUpCase = (receiptNumber: string, requester: UserRequester) => Promise<CaseStatusResult>;

export function createLookUpCase(deps: {
  askAgency: AskAgency;
  readKnown: ReadKnown;
  log: LookupLog;
  clock: Clock;
  /** How long a lookup waits for a turn. */
  waitMs: number;
}): LookUpCase {
  const { askAgency, readKnown, log, clock, waitMs } = deps;

  return async (receiptNumber, requester) => {
    const before = await readBefore(receiptNumber, requester);
    if (before?.isFresh) {
      log.add(endLookup(receiptNumber, requester, storedEnding(!before.isDenied), clock.nowMs()));
      return answer(before);
    }
    const me = { ...requester, lookup: { ...requester.lookup, canServeStale: canServe(before) } };
    const { outcome, after } = await ask(receiptNumber, me);
    if (outcome.kind === 'failure') return fallBack(outcome.failure, before);
    return answer(after, outcome.kind === 'not-recognized' ? outcome.agencyMessage : undefined);
  };

  async function readBefore(receiptNumber: string, requester: UserRequester): Promise<Known | undefined> {
    try {
      return await readKnown(receiptNumber);
    } catch (error) {
      note(receiptNumber, requester, failedEnding(error));
      throw error;
    }
  }

  /** Asks the agency, and has the row written unless it was stored with the answer. */
  async function ask(
    receiptNumber: string,
    requester: UserRequester,
  ): Promise<{ outcome: Outcome; after?: Known }> {
    let outcome: Outcome | undefined;
    try {
      outcome = await askAgency.ask(receiptNumber, requester, waitMs);
      if (outcome.kind === 'broken') throw toError(outcome);
      requester.lookup.blame?.('agency');
      const after = outcome.kind === 'failure' ? undefined : await readKnown(receiptNumber);
      const ending = outcome.kind === 'stored' ? storedEnding(!after?.isDenied) : askedEnding(outcome, true);
      note(receiptNumber, requester, ending, outcome);
      return after ? { outcome, after } : { outcome };
    } catch (error) {
      note(receiptNumber, requester, failedEnding(error), outcome);
      throw error;
    }
  }

  /** A lookup that something of our own keeps from an answer has a row, too. */
  function note(receiptNumber: string, requester: UserRequester, ending: Ending, outcome?: Outcome): void {
    if (outcome?.isLogged) return;
    log.add(endLookup(receiptNumber, requester, ending, clock.nowMs(), outcome?.spent));
  }
}

function fallBack(failure: AgencyFailure, before: Known | undefined): CaseStatusResult {
  const error = toAppError(failure);
  // What the agency has withdrawn since ("not recognized") is not shown again.
  if (!before?.result || !canServe(before) || failure.kind === 'refused') throw error;
  const { error: reason, ...text } = error.body;
  return { ...before.result, stale: { reason, ...text } };
}

function answer(known: Known | undefined, agencyMessage?: string): CaseStatusResult {
  if (!known) throw new Error('stored case not found');
  if (known.isDenied || !known.result) throw notRecognized(agencyMessage ?? known.agencyMessage);
  return known.result;
}

/** Whether this may be shown while there is nothing newer. */
function canServe(known: Known | undefined): boolean {
  return known !== undefined && !known.isDenied && known.result !== null;
}
