import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Agency, AgencyResult, RunningLookUp } from './agency.ts';
import { type AgencyFailure, isRefusedByBudget } from './agency-failure.ts';
import type { CaseStore, LookUpRecord } from './case-store.ts';
import type { KnownCases } from './known-cases.ts';
import { type Asker, askedEnding, type EndedLookup, endLookup } from './lookup.ts';
import { toObservationRows } from './observation-rows.ts';

/** How the agency was asked once, for everybody who wanted to know at the same time. */
export interface Asked {
  readonly receiptNumber: string;
  /** Who wanted to know first. */
  readonly asker: Asker;
  readonly result: AgencyResult;
  /** When the result was here: a failure's time to retry counts from then. Observations have the time of the call instead. */
  readonly answeredAtMs: number;
  /** The row of the lookup that asked first; stored with the answer when it made a call. */
  readonly ended: EndedLookup;
}

/** Whether the row of this lookup is stored with the answer. */
export function isStoredWithAnswer({ ended }: Asked, asker: Asker): boolean {
  return ended.asker.lookup.id === asker.lookup.id && ended.calls.length > 0;
}

export interface AskAgency {
  /**
   * Asks for one case. Whoever asks for it before the answer is stored shares it, and waits for the call on a turn of its
   * own. Who has asked must store, too. `beforeCall` runs just before the call, unless somebody has asked already.
   * @throws only when the budget can't be read, or what `beforeCall` throws: then no call is made
   */
  ask(receiptNumber: string, asker: Asker, beforeCall?: () => Promise<void>): Promise<Asked>;
  /**
   * Stores what was asked, with its events, in one transaction, but for what is being stored already; a promise for
   * each. What can't be stored fails alone.
   */
  store(asked: readonly Asked[]): ReadonlyMap<Asked, Promise<void>>;
}

export function createAskAgency(deps: {
  agency: Agency;
  cases: CaseStore;
  known: KnownCases;
  clock: Clock;
  logger: Logger;
}): AskAgency {
  const { agency, cases, known, clock, logger } = deps;
  const flights = new Map<string, { asked: Promise<Asked>; join: RunningLookUp['join'] }>();
  const records = new WeakMap<Asked, LookUpRecord>();
  const storing = new WeakMap<Asked, Promise<void>>();

  async function answerOf(receiptNumber: string, asker: Asker, lookUp: RunningLookUp): Promise<Asked> {
    try {
      const { result, sentMs, ...spent } = await lookUp.done;
      const answeredAtMs = clock.nowMs();
      const ended = endLookup(receiptNumber, asker, askedEnding(result, false), answeredAtMs, spent);
      const asked: Asked = { receiptNumber, asker, result, answeredAtMs, ended };
      const record: LookUpRecord = { asker, ended: spent.calls.length > 0 ? ended : undefined };
      // Ordered by when the agency was asked: a slow old answer must not replace that to a later call.
      if (result.kind === 'case') {
        const isLogged = asker.source === 'monitor' && record.ended !== undefined;
        const logged = isLogged ? { callId: asker.lookup.id, endedAtMs: answeredAtMs } : undefined;
        const { sameAs = logged } = result.case;
        record.observed = toObservationRows(receiptNumber, result.case, sentMs, sameAs);
        record.answerMs = Math.max(0, Math.round(answeredAtMs - sentMs));
      }
      if (result.kind === 'failure') tell(receiptNumber, asker, result.failure);
      if (result.kind === 'not-recognised') record.notRecognised = { receiptNumber, atMs: sentMs };
      records.set(asked, record);
      return asked;
    } catch (error) {
      flights.delete(receiptNumber);
      throw error;
    }
  }

  function tell(receiptNumber: string, { source }: Asker, { kind, detail }: AgencyFailure): void {
    // While more checks are due than there are calls, that is nothing to talk about.
    if (source === 'monitor' && isRefusedByBudget(kind)) return;
    const facts = { receiptNumber: maskReceiptNumber(receiptNumber), source, kind, detail };
    logger.warn(facts, 'the agency gave no status');
  }

  async function storeNow(asked: readonly Asked[]): Promise<void> {
    await cases.record(asked.flatMap((one) => records.get(one) ?? []));
  }

  /** The part of one case in what is stored for many. */
  async function storeOne(asked: Asked, all: Promise<void>, alone: boolean): Promise<void> {
    try {
      await all.catch((error: unknown) => {
        // One that the database does not take must not keep the others from being stored.
        if (alone || isUnavailable(error)) throw error;
        return storeNow([asked]);
      });
    } finally {
      known.forget(asked.receiptNumber);
      flights.delete(asked.receiptNumber);
    }
  }

  return {
    ask(receiptNumber, asker, beforeCall) {
      const running = flights.get(receiptNumber);
      if (running) {
        running.join(asker);
        return running.asked;
      }
      const lookUp = agency.lookUp(receiptNumber, asker, beforeCall);
      const asked = answerOf(receiptNumber, asker, lookUp);
      flights.set(receiptNumber, { asked, join: lookUp.join });
      return asked;
    },
    store(asked) {
      const own = [...new Set(asked)].filter((one) => !storing.has(one));
      const all = storeNow(own);
      for (const one of own) storing.set(one, storeOne(one, all, own.length === 1));
      return new Map(asked.map((one) => [one, storing.get(one) ?? all]));
    },
  };
}
