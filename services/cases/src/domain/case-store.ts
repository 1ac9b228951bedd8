import type { KnownAnswer } from './agency.ts';
import type { Asker, EndedLookup } from './lookup.ts';
import type { ObservationRows } from './observation-rows.ts';
import type { StoredCase } from './stored-case.ts';

/** What one look-up at the agency leaves behind. */
export interface LookUpRecord {
  asker: Asker;
  /** The row of the lookup that made the calls; undefined when none was made. */
  ended: EndedLookup | undefined;
  /** At most one of the two: a failure has neither. Their time is that of the call. */
  observed?: ObservationRows;
  /** How long the answer of the observation took. */
  answerMs?: number;
  notRecognised?: { receiptNumber: string; atMs: number };
}

export interface LastAnswer {
  /** Null for "not recognized". */
  readonly status: string | null;
  /** The call was sent after `recentMs`. */
  readonly isRecent: boolean;
  /** Undefined where the answer could not be recognized; its row of the log is one since `loggedMs`. */
  readonly known: KnownAnswer | undefined;
}

export interface CaseStore {
  /** One indexed read. */
  find(receiptNumber: string): Promise<StoredCase | undefined>;
  /** The agency's last answers about these receipt numbers, of those that it has answered. One indexed read. */
  lastAnswers(
    receiptNumbers: readonly string[],
    since: { readonly recentMs: number; readonly loggedMs: number },
  ): Promise<Map<string, LastAnswer>>;
  /**
   * Writes what look-ups left behind, with their events, in one transaction: the snapshot, and where the answer differs from the
   * stored one the observations and the saved cases of everyone who has saved the receipt number. An observation from a call that was sent
   * before that of the stored one changes nothing; of two calls sent in the same millisecond the one that is stored later
   * counts. The clocks of processes are taken to agree. At most one record per receipt number. A scheduled check has no `case-observed` event
   * when its watch knows the status and the stored one was the same: every change of the stored status is published.
   */
  record(records: readonly LookUpRecord[]): Promise<void>;
  /** Publishes again what the agency said last about these receipt numbers, for watches that began after it was published. */
  publishAgain(receiptNumbers: readonly string[]): Promise<void>;
  /** Writes rows of the request log in one transaction. */
  recordLookups(rows: readonly EndedLookup[]): Promise<void>;
}
