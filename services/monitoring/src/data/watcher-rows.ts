import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

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

/** Stores the wish unless a later one is known. Resolves to whether the user began to watch with it. */
export async function writeWatcher(tx: SqlExecutor, wish: WatcherWish): Promise<boolean> {
  const [row] = await tx.query<{ began: boolean }>(
    `WITH before AS MATERIALIZED (
       SELECT period_days FROM watchers WHERE user_id = $1::uuid AND receipt_number = $2
     ), written AS (
       INSERT INTO watchers (user_id, receipt_number, period_days, since, changed_at)
       VALUES ($1::uuid, $2, $3::int, $5::timestamptz, $4::timestamptz)
       ON CONFLICT (user_id, receipt_number) DO UPDATE SET
         period_days = excluded.period_days, changed_at = excluded.changed_at,
         since = CASE WHEN watchers.period_days IS NULL THEN excluded.since ELSE watchers.since END
       WHERE watchers.changed_at <= excluded.changed_at
       RETURNING period_days
     )
     SELECT period_days IS NOT NULL AND NOT EXISTS (SELECT 1 FROM before WHERE period_days IS NOT NULL) AS began
     FROM written`,
    [wish.userId, wish.receiptNumber, wish.periodDays, new Date(wish.atMs), new Date(wish.sinceMs)],
  );
  return row?.began ?? false;
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

export interface WatcherRow {
  readonly receiptNumber: string;
  readonly userId: string;
  readonly sinceMs: number;
}

/** Returns the current watchers of these receipt numbers, by receipt number. */
export async function watchersOf(
  tx: SqlExecutor,
  receiptNumbers: readonly string[],
): Promise<Map<string, WatcherRow[]>> {
  const rows = await tx.query<{ receipt_number: string; user_id: string; since: Date }>(
    `SELECT receipt_number, user_id, since FROM watchers
     WHERE receipt_number = ANY ($1::text[]) AND period_days IS NOT NULL`,
    [receiptNumbers],
  );
  const watchers = rows.map((row) => ({
    receiptNumber: row.receipt_number,
    userId: row.user_id,
    sinceMs: row.since.getTime(),
  }));
  return Map.groupBy(watchers, ({ receiptNumber }) => receiptNumber);
}
