import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { SeenStatus, StatusChange, Watcher } from '../domain/compare-status.ts';
import { type StatusColumns, seenOf } from './watch-rows.ts';

export interface WatcherWish {
  readonly userId: string;
  readonly receiptNumber: string;
  /** Null: no longer. */
  readonly periodDays: number | null;
  /** When the wish was published. */
  readonly atMs: number;
  /** The user has seen nothing that was observed from then on. */
  readonly sinceMs: number;
}

export interface WrittenWatcher {
  /** Whether the user started or stopped watching with the wish. */
  readonly change: 'began' | 'ended' | undefined;
  readonly sinceMs: number;
  /** See `keepLastKnown`; undefined when the user has not stopped watching before. */
  readonly lastKnown: SeenStatus | undefined;
}

/**
 * Stores the wish; resolves to undefined when a later one is known. A user who comes back watches from the observation of
 * `keepLastKnown` on, if that is newer.
 */
export async function writeWatcher(tx: SqlExecutor, wish: WatcherWish): Promise<WrittenWatcher | undefined> {
  const [row] = await tx.query<StatusColumns & { watched: boolean; watches: boolean; since: Date }>(
    `WITH before AS MATERIALIZED (
       SELECT period_days FROM watchers WHERE user_id = $1::uuid AND receipt_number = $2
     ), written AS (
       INSERT INTO watchers (user_id, receipt_number, period_days, since, changed_at)
       VALUES ($1::uuid, $2, $3::int, $5::timestamptz, $4::timestamptz)
       ON CONFLICT (user_id, receipt_number) DO UPDATE SET
         period_days = excluded.period_days, changed_at = excluded.changed_at,
         since = CASE WHEN watchers.period_days IS NULL
           THEN greatest(excluded.since, watchers.status_observed_at + interval '1 ms') ELSE watchers.since END
       WHERE watchers.changed_at <= excluded.changed_at
       RETURNING period_days, since, last_status, status_observed_at
     )
     SELECT EXISTS (SELECT 1 FROM before WHERE period_days IS NOT NULL) AS watched,
            period_days IS NOT NULL AS watches, since, last_status, status_observed_at
     FROM written`,
    [wish.userId, wish.receiptNumber, wish.periodDays, new Date(wish.atMs), new Date(wish.sinceMs)],
  );
  if (!row) return undefined;
  const { watched, watches, since } = row;
  return {
    change: watched === watches ? undefined : watches ? 'began' : 'ended',
    sinceMs: since.getTime(),
    lastKnown: seenOf(row),
  };
}

/**
 * Keeps what the watch knows for a user who stops watching: every change up to it has been published for the user. The watch
 * itself goes with its last watcher. Needs `lockWatches`.
 */
export async function keepLastKnown(tx: SqlExecutor, userId: string, receiptNumber: string): Promise<void> {
  await tx.query(
    `UPDATE watchers SET last_status = watches.last_status, status_observed_at = watches.status_observed_at FROM watches
     WHERE user_id = $1::uuid AND watchers.receipt_number = $2 AND watches.receipt_number = $2
       AND watches.last_status IS NOT NULL`,
    [userId, receiptNumber],
  );
}

/** Keeps what the list showed to a user who starts watching, where that is newer than what the watch knows. */
export async function keepSeen(
  tx: SqlExecutor,
  userId: string,
  receiptNumber: string,
  { status, observedAtMs }: SeenStatus,
): Promise<void> {
  await tx.query(
    `UPDATE watchers SET last_status = $3, status_observed_at = $4::timestamptz
     WHERE user_id = $1::uuid AND receipt_number = $2`,
    [userId, receiptNumber, status, new Date(observedAtMs)],
  );
}

/** Every receipt number that the user watches or has watched. */
export async function receiptsOf(tx: SqlExecutor, userId: string): Promise<string[]> {
  const rows = await tx.query<{ receipt_number: string }>(
    'SELECT receipt_number FROM watchers WHERE user_id = $1::uuid',
    [userId],
  );
  return rows.map((row) => row.receipt_number);
}

/** Removes the user's wishes. */
export async function removeWatchers(tx: SqlExecutor, userId: string): Promise<void> {
  await tx.query('DELETE FROM watchers WHERE user_id = $1::uuid', [userId]);
}

/**
 * Returns, by receipt number, the current watchers whom an observation may concern: where the watch changes all, else those
 * who have seen a newer status than the watch knows. To be called before the observation is recorded. Needs `lockWatches`.
 */
export async function watchersConcerned(
  tx: SqlExecutor,
  observed: readonly { readonly receiptNumber: string; readonly change: StatusChange | undefined }[],
): Promise<Map<string, Watcher[]>> {
  if (observed.length === 0) return new Map();
  const rows = await tx.query<StatusColumns & { receipt_number: string; user_id: string; since: Date }>(
    CONCERNED,
    [
      observed.map(({ receiptNumber }) => receiptNumber),
      observed.flatMap(({ receiptNumber, change }) => (change ? [receiptNumber] : [])),
    ],
  );
  const watchers = rows.map((row) => ({
    receiptNumber: row.receipt_number,
    userId: row.user_id,
    sinceMs: row.since.getTime(),
    seen: seenOf(row),
  }));
  return Map.groupBy(watchers, ({ receiptNumber }) => receiptNumber);
}

export const CONCERNED = `
  SELECT receipt_number, user_id, since, watchers.last_status, watchers.status_observed_at
  FROM watchers JOIN watches USING (receipt_number)
  WHERE receipt_number = ANY ($1::text[]) AND watchers.period_days IS NOT NULL
    AND (receipt_number = ANY ($2::text[]) OR watchers.status_observed_at > watches.status_observed_at)`;
