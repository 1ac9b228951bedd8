import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/** The count only grows, so that events may come late or twice; a deleted person's stands still. */
export async function countLogin(tx: SqlExecutor, userId: string, loginCount: number): Promise<void> {
  await tx.query(
    `INSERT INTO people (user_id, login_count) VALUES ($1::uuid, $2)
     ON CONFLICT (user_id) DO UPDATE SET login_count = excluded.login_count
     WHERE people.login_count < excluded.login_count AND people.deleted_at IS NULL`,
    [userId, loginCount],
  );
}

/**
 * Removes what is kept of the person and leaves the tombstone. The tombstone comes first: it waits for whoever is
 * storing an answer of theirs, and whoever wants to store one waits for it.
 */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO people (user_id, login_count, deleted_at) VALUES ($1::uuid, 0, $2)
     ON CONFLICT (user_id) DO UPDATE
     SET login_count = 0, deleted_at = coalesce(people.deleted_at, excluded.deleted_at)`,
    [userId, new Date(nowMs)],
  );
  await tx.query('DELETE FROM responses WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM trackings WHERE user_id = $1::uuid', [userId]);
}
