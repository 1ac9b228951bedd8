import type { ApiLog } from '@casewatch/contracts/admin-log';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Call } from './call.ts';
import type { CallFilter } from './call-filter.ts';
import type { Position } from './position.ts';

/** Where a page begins. `atMost` is a time that is not included; nothing given is the newest call. */
export interface PageStart {
  readonly olderThan?: Position;
  readonly beforeMs?: number;
  /** Calls to leave out from there. */
  readonly skip?: number;
  /** So few calls fit that all can be looked up and sorted. For `isFailuresOfReceipt`, which statistics do not show. */
  readonly hasFewMatches?: boolean;
}

/** The number of calls of one kind that ended in a time range; `toMs` is exclusive. */
export interface CountedRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly calls: number;
  /** Whether `hoursOf` knows its hours. */
  readonly isDay: boolean;
}

/** What the use cases need of the stored calls. */
export interface CallLog {
  /** Newest first. Payloads of calls before `payloadsSinceMs` are null. */
  older(filter: CallFilter, start: PageStart, limit: number, payloadsSinceMs: number): Promise<ApiLog[]>;
  /** The nearest ones that are newer than a position, newest first. */
  newer(filter: CallFilter, than: Position, limit: number, payloadsSinceMs: number): Promise<ApiLog[]>;
  /** One call; undefined when it is not there, or no longer. */
  at(place: Position, payloadsSinceMs: number): Promise<ApiLog | undefined>;
  /** Counted one by one, to `most` and one more at most. */
  countUpTo(filter: CallFilter, most: number): Promise<number>;
  /** How many calls fit, by countRanges of time, newest first. For filters of time and kind only (`isCounted`). */
  countRanges(filter: CallFilter): Promise<CountedRange[]>;
  /** The hours of a day that `countRanges` gave, newest first. */
  hoursOf(filter: CallFilter, day: CountedRange): Promise<CountedRange[]>;
}

/** What events change of the stored calls, in the transaction that marks them as handled. */
export interface CallRecorder {
  /**
   * Stores lookups, each once however often it is delivered; without the user if the user has been deleted. What is
   * older than `sinceMs` is no longer kept at all. Makes the partition of a month where it is missing.
   */
  record(tx: SqlExecutor, calls: readonly Call[], sinceMs: number): Promise<void>;
  /** Removes the user's id and name from every call, and leaves a tombstone for late events. */
  eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void>;
}

/** Returns whether counts are kept for this filter: they are by time, source, success and status code. */
export function isCounted({ source, success, statusCode, fromMs, toMs, ...others }: CallFilter): boolean {
  return Object.keys(others).length === 0;
}

/** Failures of a receipt number, or of those that begin alike, and nothing else but a source and a time. */
export function isFailuresOfReceipt(filter: CallFilter): boolean {
  const { receiptNumber, receiptStart, success, source, fromMs, toMs, ...others } = filter;
  const hasReceipt = (receiptNumber ?? receiptStart) !== undefined;
  return hasReceipt && success === false && Object.keys(others).length === 0;
}
