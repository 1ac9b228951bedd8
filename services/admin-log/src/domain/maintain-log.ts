import { startOfMonth } from '@casewatch/service-kit/runtime/clock';
import { payloadsSeenSince, type Retention, rowsSince } from './retention.ts';

/** What retention the log in order needs of the database. */
export interface LogMaintenance {
  /** Makes the partition of a month where it is missing. */
  ensureMonth(monthMs: number): Promise<void>;
  /** Drops the months before, with their counts. */
  dropMonthsBefore(monthMs: number): Promise<void>;
  /** Removes up to `limit` payloads that were last seen before that day (`yyyy-MM-dd`); resolves to how many. */
  removePayloadsBefore(day: string, limit: number): Promise<number>;
  removeAuditBefore(beforeMs: number, limit: number): Promise<number>;
  /** Those that only the overview reads. */
  removeRecentCountsBefore(beforeMs: number): Promise<void>;
}

/** Partitions are created this long before their first call. */
const MONTHS_AHEAD = 2;
/** Small enough that one statement holds its locks only for a moment. */
const BATCH = 1_000;
/** The overview looks back one day. */
const RECENT_COUNTS_KEPT_MS = 8 * 86_400_000;

/** Creates partitions of coming months and removes expired data. Idempotent; processes may run it concurrently. */
export async function maintainLog(
  maintenance: LogMaintenance,
  nowMs: number,
  retention: Retention,
): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++)
    await maintenance.ensureMonth(startOfMonth(nowMs, ahead));
  const seenSince = payloadsSeenSince(nowMs, retention);
  await inBatches(() => maintenance.removePayloadsBefore(seenSince, BATCH));
  await maintenance.dropMonthsBefore(rowsSince(nowMs, retention));
  await inBatches(() => maintenance.removeAuditBefore(rowsSince(nowMs, retention), BATCH));
  await maintenance.removeRecentCountsBefore(nowMs - RECENT_COUNTS_KEPT_MS);
}

async function inBatches(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === BATCH);
}
