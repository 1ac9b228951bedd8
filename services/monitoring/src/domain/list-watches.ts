import type { Watch } from '@casewatch/contracts/monitoring';
import { frequencyOf } from './check-times.ts';
import { latenessOf, type WatchState } from './lateness.ts';

/** A watch as one of its watchers sees it. */
export interface WatchedCase extends WatchState {
  readonly receiptNumber: string;
  /** The watcher's own. */
  readonly periodDays: number;
  readonly lastCheckedAtMs: number | null;
  /** Answers in a row without a status, of a case that had one. */
  readonly denials: number;
}

export interface WatchReader {
  /** The time by which checks are due. */
  nowMs(): Promise<number>;
  /** By receipt number: all of the user's watches, or those of them with one of these receipt numbers. */
  watchesOf(userId: string, receiptNumbers?: readonly string[]): Promise<WatchedCase[]>;
  /** The last failure of the watch that is due longest, if it had one. */
  queueFailure(nowMs: number): Promise<string | null>;
}

/** Returns what the user watches, when each was and will be checked, and why one is late. */
export async function listWatches(
  reader: WatchReader,
  userId: string,
  receiptNumbers?: readonly string[],
): Promise<Watch[]> {
  const watches = await reader.watchesOf(userId, receiptNumbers);
  if (watches.length === 0) return [];
  const nowMs = await reader.nowMs();
  const queueFailure = await reader.queueFailure(nowMs);
  return watches.map((watch) => ({
    receiptNumber: watch.receiptNumber,
    frequency: frequencyOf(watch.periodDays),
    lastCheckedAt: watch.lastCheckedAtMs === null ? null : new Date(watch.lastCheckedAtMs).toISOString(),
    nextCheckAt: new Date(nextCheckAtMs(watch)).toISOString(),
    late: latenessOf(watch, queueFailure, nowMs),
  }));
}

/**
 * While its first check is in flight a watch is due, though its row holds the end of the lease. A later try can't be
 * distinguished from the wait for it.
 */
function nextCheckAtMs({ owedSinceMs, attempts, denials, nextCheckAtMs }: WatchedCase): number {
  return attempts === 0 && denials === 0 && owedSinceMs !== null ? owedSinceMs : nextCheckAtMs;
}
