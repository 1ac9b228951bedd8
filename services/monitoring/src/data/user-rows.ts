import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/**
 * Lets one transaction at a time change what this user watches, until it ends. Taken before the locks of receipt
 * numbers: everybody takes locks in one order.
 */
export async function lockUser(tx: SqlExecutor, userId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('monitoring user ' || $1, 0))::text`, [
    userId,
  ]);
}

export async function isDeleted(tx: SqlExecutor, userId: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM deleted_users WHERE user_id = $1::uuid', [userId]);
  return rows.length > 0;
}

/** Whether the user was on the free plan at this time or later. */
export async function isDowngradedSince(tx: SqlExecutor, userId: string, atMs: number): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM downgrades WHERE user_id = $1::uuid AND downgraded_at >= $2::timestamptz',
    [userId, new Date(atMs)],
  );
  return rows.length > 0;
}

/** The latest downgrade counts, in whatever order they come. */
export async function markDowngraded(tx: SqlExecutor, userId: string, atMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO downgrades (user_id, downgraded_at) VALUES ($1::uuid, $2::timestamptz)
     ON CONFLICT (user_id) DO UPDATE SET downgraded_at = excluded.downgraded_at
     WHERE downgrades.downgraded_at < excluded.downgraded_at`,
    [userId, new Date(atMs)],
  );
}

/** Leaves the tombstone and nothing else. */
export async function markDeleted(tx: SqlExecutor, userId: string, atMs: number): Promise<void> {
  await tx.query(
    `WITH erased AS (DELETE FROM downgrades WHERE user_id = $1::uuid)
     INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING`,
    [userId, new Date(atMs)],
  );
}
