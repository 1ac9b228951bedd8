import type { AnsweredCall } from './agency.ts';
import type { End } from './agency-queue.ts';
import type { EndedLookup, Requester } from './lookup.ts';
import type { ObservationRows } from './observation-rows.ts';
import type { StoredCase } from './stored-case.ts';

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
