import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Logger } from '@casewatch/platform/runtime/logger';
import { LRUCache } from 'lru-cache';
import type { AgencyClient } from '../agency/agency-client.ts';
import type { AgencyFailure } from '../agency/agency-failure.ts';
import { notRecognised, toAppError } from './agency-error.ts';
import type { Asker, CaseStore, LookUpRecord } from './case-store.ts';
import { toObservationRows } from './observation-rows.ts';
import { type StoredCase, toCaseStatusResult } from './stored-case.ts';

export interface LookUpDeps {
  agency: AgencyClient;
  store: CaseStore;
  clock: Clock;
  logger: Logger;
  /** An answer younger than this is not asked for again. */
  freshnessMs: number;
  /** The same for "not recognised". */
  notRecognisedMs: number;
}

/**
 * The status of one case, for a normalised receipt number: the stored one while it is fresh, else the agency's, which
 * is stored first. Look-ups of one receipt number at the same time share one call. When the agency can't be asked, an
 * older stored answer comes marked `stale`.
 * @throws AppError RECEIPT_NOT_RECOGNISED, AGENCY_REFUSED, AGENCY_BUSY, AGENCY_UNAVAILABLE or BUDGET_SPENT
 */
export type LookUpCase = (receiptNumber: string, asker: Asker) => Promise<CaseStatusResult>;

/** What was read or written last, ready to be answered. */
interface Known {
  notRecognisedAtMs: number | null;
  observedAtMs: number;
  result: CaseStatusResult | null;
}

/** Entries of this process only; other processes may write newer ones, which is why none is used beyond freshness. */
const REMEMBERED = 20_000;
/** Failures that are ours or temporary: an older answer is better than none. */
const WITHOUT_STALE: readonly AgencyFailure['kind'][] = ['refused'];

export function createLookUpCase(deps: LookUpDeps): LookUpCase {
  const { agency, store, clock, logger } = deps;
  const remembered = new LRUCache<string, Known>({ max: REMEMBERED });
  const flights = new Map<string, Promise<CaseStatusResult>>();

  return (receiptNumber, asker) => {
    const known = remembered.get(receiptNumber);
    if (known && isFresh(known)) return answer(known);
    const running = flights.get(receiptNumber);
    if (running) return running;
    const flight = lookUp(receiptNumber, asker);
    flights.set(receiptNumber, flight);
    return flight;
  };

  async function lookUp(receiptNumber: string, asker: Asker): Promise<CaseStatusResult> {
    try {
      const known = await read(receiptNumber);
      return known && isFresh(known) ? await answer(known) : await ask(receiptNumber, asker, known);
    } finally {
      flights.delete(receiptNumber);
    }
  }

  async function ask(receiptNumber: string, asker: Asker, before: Known | undefined) {
    const { result, calls } = await agency.lookUp(receiptNumber, asker.source);
    const atMs = clock.nowMs();
    const record: LookUpRecord = { asker, calls };
    if (result.kind === 'case') record.observed = toObservationRows(result.case, atMs);
    if (result.kind === 'not-recognised') record.notRecognised = { receiptNumber, atMs };
    await store.record([record]);
    if (result.kind === 'failure') return fallBack(receiptNumber, result.failure, before);
    const after = await read(receiptNumber);
    if (!after) throw new Error('a case is gone that was just stored');
    return answer(after);
  }

  function fallBack(receiptNumber: string, failure: AgencyFailure, before: Known | undefined) {
    const { kind, detail } = failure;
    logger.warn(
      { receiptNumber: maskReceiptNumber(receiptNumber), kind, detail },
      'the agency gave no status',
    );
    const error = toAppError(failure);
    // What the agency has withdrawn since ("not recognised") is not shown again.
    if (!before?.result || before.notRecognisedAtMs !== null || WITHOUT_STALE.includes(kind)) throw error;
    return { ...before.result, stale: { code: error.code, reason: error.message } };
  }

  async function read(receiptNumber: string): Promise<Known | undefined> {
    const stored = await store.find(receiptNumber);
    if (!stored) return undefined;
    const known = toKnown(stored);
    remembered.set(receiptNumber, known);
    return known;
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

function toKnown({ receiptNumber, notRecognisedAtMs, answer }: StoredCase): Known {
  return {
    notRecognisedAtMs,
    observedAtMs: answer?.observedAtMs ?? 0,
    result: answer && toCaseStatusResult(receiptNumber, answer),
  };
}
