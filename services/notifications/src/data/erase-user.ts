import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/**
 * Removes what is kept of the user and leaves the tombstone. The tombstone comes first: it waits for whoever is
 * adding a notification for the user, and whoever wants to add one waits for it. The delivery log goes with the
 * notifications.
 */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO recipients (user_id, last_seq, deleted_at) VALUES ($1, 0, $2)
     ON CONFLICT (user_id) DO UPDATE SET deleted_at = coalesce(recipients.deleted_at, excluded.deleted_at)`,
    [userId, new Date(nowMs)],
  );
  await tx.query('DELETE FROM notifications WHERE user_id = $1', [userId]);
}
