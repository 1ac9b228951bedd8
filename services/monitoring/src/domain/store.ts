import type { LateCode } from '@casewatch/contracts/monitoring';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Observed, Watcher } from './watch-rules.ts';

/** Watches that one scheduler holds until `leaseUntilMs`, by the database's time. */
export interface Claim {
  readonly leaseUntilMs: number;
  /** Owed longest first. */
  readonly receiptNumbers: readonly string[];
}

/**
 * The scheduler's port to the database. Ending a claim applies only to watches still held under it: those with an
 * expired lease, or observed in the meantime, are not changed.
 */
export interface ClaimStore {
  /**
   * Takes at most `limit` due watches, each by one scheduler only; failed and abandoned ones before the rest, and of those that the
   * agency denies a tenth.
   */
  claim(options: { leaseMs: number; limit: number }): Promise<Claim>;
  /** The agency answered with a status: due again a period later. */
  finish(claim: Claim, receiptNumbers: readonly string[]): Promise<void>;
  /**
   * The agency answered without a status. A case that had one is retried like a failed check, for a day with a try every hour; others,
   * and it after that, are due again a period later.
   */
  deny(claim: Claim, receiptNumbers: readonly string[], failure: LateCode): Promise<void>;
  /** The check failed: retried after a delay that doubles with each consecutive failure. */
  postpone(claim: Claim, receiptNumbers: readonly string[], failure: LateCode): Promise<void>;
  /** The check was not made: due as before, one of a denied case among those that are denied. */
  release(claim: Claim, receiptNumbers: readonly string[], failure: LateCode | null): Promise<void>;
}

/** What a watch begins with. */
export interface NewWatch {
  /** Undefined: it has no status, and is due at once. */
  readonly newest: Observed | undefined;
  /** How long ago the agency answered so; undefined: it is due at once. */
  readonly answerAgeMs: number | undefined;
}

/** What events change of watches, in the transaction that marks them as handled. */
export interface WatchRows {
  /**
   * Lets one transaction at a time change who watches these receipt numbers, until it ends; also where there is no
   * watch yet. For very many, all other receipt numbers wait as well.
   */
  lockReceipts(tx: SqlExecutor, receiptNumbers: readonly string[]): Promise<void>;
  /** Returns the watches of these receipt numbers with their newest status, kept from changing until the transaction ends. */
  lock(tx: SqlExecutor, receiptNumbers: readonly string[]): Promise<Map<string, Observed | undefined>>;
  /**
   * Makes a watch agree with its watchers: the shortest period counts, a new watch is due a period after the answer that it begins
   * with, and with the last watcher the watch goes. A new period counts from the last check. Needs `lockReceipts`.
   */
  settle(tx: SqlExecutor, receiptNumbers: readonly string[], begun?: NewWatch): Promise<void>;
  /**
   * Stores the newest status of each watch. That is a check: whatever was claimed or put off is settled by it, and the next one is due
   * a period later.
   */
  recordStatuses(
    tx: SqlExecutor,
    recorded: readonly (Observed & { readonly receiptNumber: string })[],
  ): Promise<void>;
  /** Removes all that is kept of the user, and leaves the tombstone. */
  eraseUser(tx: SqlExecutor, userId: string, atMs: number): Promise<void>;
}

/** What events change of users and the cases that they watch or have watched. */
export interface WatcherRows {
  /**
   * Lets one transaction at a time change what this user watches, until it ends; resolves to false for a deleted user. Taken before
   * the locks of receipt numbers: all transactions take locks in one order.
   */
  lockUser(tx: SqlExecutor, userId: string): Promise<boolean>;
  /** Needs `lockUser`, as does `inRange`. */
  find(tx: SqlExecutor, userId: string, receiptNumber: string): Promise<Watcher | undefined>;
  /** By receipt number: from one on (inclusive) and before another one (exclusive), where given. */
  inRange(
    tx: SqlExecutor,
    userId: string,
    range: { readonly from?: string | undefined; readonly before?: string | undefined },
  ): Promise<Map<string, Watcher>>;
  /** Many in one statement. */
  write(
    tx: SqlExecutor,
    own: readonly { readonly userId: string; readonly receiptNumber: string; readonly watcher: Watcher }[],
  ): Promise<void>;
  /**
   * Returns, by receipt number and user, the current watchers whom an answer may concern: all who have seen another status than every
   * answer about their case has; where one is without a status, also those who have seen none. Needs `WatchRows.lock`.
   */
  concerned(
    tx: SqlExecutor,
    answers: readonly { readonly receiptNumber: string; readonly status?: string | undefined }[],
  ): Promise<Map<string, Map<string, Watcher>>>;
}
