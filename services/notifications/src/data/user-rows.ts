import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/** What is deleted with them goes without being named: messages about notifications, and those to devices. */
const TABLES = ['notifications', 'preferences', 'digest_schedules', 'deliveries', 'push_devices'];

/**
 * Erases the user's data and leaves the tombstone. The tombstone comes first: it waits for transactions that are adding
 * a notification for the user, and later ones wait for it. The delivery log is deleted with the notifications.
 */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO recipients (user_id, last_seq, deleted_at) VALUES ($1, 0, $2)
     ON CONFLICT (user_id) DO UPDATE SET deleted_at = coalesce(recipients.deleted_at, excluded.deleted_at)`,
    [userId, new Date(nowMs)],
  );
  for (const table of TABLES) {
    await tx.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  }
}
