import { type AgencyCase, type AnsweredCall, type CaseFacts, parseAgencyDate } from './agency.ts';
import type { End } from './agency-queue.ts';
import type { EndedLookup, Requester } from './lookup.ts';
import type { AnsweredStatuses } from './record-answer.ts';
import type { StoredCase } from './stored-case.ts';

export interface SnapshotRow extends CaseFacts {
  receiptNumber: string;
  /** When the call was sent, to be shown. */
  observedAt: string;
  /** Since when, if this status is new; a status that merely continues keeps the start it has in the store. */
  statusAt: string;
  statusDate: string | null;
  /** Orders observations, whenever their answers come. */
  callNumber: string;
  /** How long ago the call was sent. */
  agoMs: number;
}

/** Everything that one answer of the agency writes. */
export interface ObservationRows {
  readonly snapshot: SnapshotRow;
  /** What it says about the statuses of the case, but since when it has the current one: that the store knows. */
  readonly statuses: Omit<AnsweredStatuses, 'statusAtMs' | 'statusDate'>;
}

/**
 * Returns what the answer to a call puts into the store. Pure: the same answer gives the same rows.
 * @throws when the answer is about another case
 */
export function toObservationRows(
  { receiptNumber, history, isWholeHistory, ...facts }: AgencyCase,
  call: AnsweredCall,
): ObservationRows {
  if (receiptNumber !== call.receiptNumber)
    throw new Error('an answer is about another case than was asked for');
  const { status, statusEs, modifiedDate } = facts;
  const modifiedMs = modifiedDate === null ? undefined : parseAgencyDate(modifiedDate);
  return {
    snapshot: {
      ...facts,
      receiptNumber,
      observedAt: iso(call.sentMs),
      statusAt: iso(modifiedMs ?? call.sentMs),
      statusDate: modifiedDate,
      callNumber: call.callNumber,
      agoMs: call.agoMs,
    },
    statuses: { status, statusEs, history, isWholeHistory, observedAtMs: call.sentMs },
  };
}

const iso = (ms: number) => new Date(ms).toISOString();

/** What one lookup at the agency leaves behind. */
export interface LookUpRecord {
  readonly requester: Requester;
  readonly end: End;
  /** The row of the lookup that made the calls; undefined when none was made. */
  readonly ended: EndedLookup | undefined;
  /** Undefined for a failure. */
  readonly answer?: CaseAnswer;
  /** Runs work in the trace of the lookup, where it has one. */
  readonly inTrace?: <T>(work: () => T) => T;
}

export interface CaseAnswer {
  readonly call: AnsweredCall;
  /** What it says of the case; without a status otherwise. */
  readonly says: ObservationRows | 'not-recognized' | 'refused';
  /** The agency's own words, where it did not recognize the number. */
  readonly agencyMessage?: string | undefined;
}

export interface CaseStore {
  /** One indexed read. */
  find(receiptNumber: string): Promise<StoredCase | undefined>;
  /**
   * Writes what lookups left behind, with an event for each answer, in one transaction: the snapshot, its history, and the saved
   * cases of everyone who has saved the receipt number. Ends those that wait for these cases: resolves to them, and whether their client has
   * disconnected. At most one record per receipt number.
   */
  record(records: readonly LookUpRecord[]): Promise<ReadonlyMap<string, boolean>>;
  /** Writes rows of the request log in one transaction. */
  recordLookups(rows: readonly EndedLookup[]): Promise<void>;
}
