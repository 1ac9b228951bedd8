import { type Keeping, payloadsSince, rowsSince, startOfMonth } from './retention.ts';

/** What keeping the log in order needs of the database. */
export interface LogUpkeep {
  /** Makes the partitions of a month where they are missing. */
  ensureMonth(monthMs: number): Promise<void>;
  /** Drops the months before, with their counts. */
  dropMonthsBefore(monthMs: number): Promise<void>;
  /** Drops whole months of payloads before that month, and nothing else of them. */
  dropPayloadMonthsBefore(monthMs: number): Promise<void>;
  /** Removes up to `limit` payloads; resolves to how many. */
  removePayloadsBefore(beforeMs: number, limit: number): Promise<number>;
  removeAuditBefore(beforeMs: number, limit: number): Promise<number>;
  removeDurationsBefore(beforeMs: number): Promise<void>;
}

/** Partitions are there so long before their first call. */
const MONTHS_AHEAD = 2;
/** Small enough that one statement holds its locks only for a moment. */
const BATCH = 1_000;
/** The overview looks back one day. */
const DURATIONS_KEPT_MS = 8 * 86_400_000;

/** Makes the months to come and removes what is kept no longer. Doing it twice, or at two places, is no error. */
export async function keepLog(upkeep: LogUpkeep, nowMs: number, keeping: Keeping): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) await upkeep.ensureMonth(startOfMonth(nowMs, ahead));
  const payloadsSinceMs = payloadsSince(nowMs, keeping);
  await upkeep.dropPayloadMonthsBefore(startOfMonth(payloadsSinceMs));
  await inBatches(() => upkeep.removePayloadsBefore(payloadsSinceMs, BATCH));
  await upkeep.dropMonthsBefore(rowsSince(nowMs, keeping));
  await inBatches(() => upkeep.removeAuditBefore(rowsSince(nowMs, keeping), BATCH));
  await upkeep.removeDurationsBefore(nowMs - DURATIONS_KEPT_MS);
}

async function inBatches(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === BATCH);
}
