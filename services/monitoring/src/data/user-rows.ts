import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/**
 * Lets one transaction at a time change what this user watches, until it ends. Taken before the locks of receipt
 * numbers: all transactions take locks in one order.
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

/** Leaves the tombstone. */
export async function markDeleted(tx: SqlExecutor, userId: string, atMs: number): Promise<void> {
  await tx.query(
    'INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING',
    [userId, new Date(atMs)],
  );
}
