import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { lockUser } from './lock-user.ts';

/**
 * Removes the user's saved cases, those that could be restored, and counts of calls, and leaves a tombstone, so that a request or an event that comes late stores nothing
 * for this user again. Observations stay: they belong to receipt numbers, not to users.
 */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await lockUser(tx, userId);
  await tx.query(
    `INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING`,
    [userId, new Date(nowMs).toISOString()],
  );
  // In the order in which observations lock them, so that neither waits for the other.
  await tx.query(
    `WITH own AS MATERIALIZED (
       SELECT id FROM saved_cases WHERE user_id = $1::uuid ORDER BY receipt_number FOR UPDATE
     )
     DELETE FROM saved_cases WHERE id IN (SELECT id FROM own)`,
    [userId],
  );
  await tx.query('DELETE FROM removed_cases WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM watch_lists WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM plans WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM agency_queue WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM agency_budget_users WHERE user_id = $1::uuid', [userId]);
}
