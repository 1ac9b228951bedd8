import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/** Removes the user's id and name from every call, and leaves a tombstone for late events. */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await lockUser(tx, userId);
  await tx.query(
    'INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING',
    [userId, new Date(nowMs)],
  );
  await tx.query(
    'UPDATE calls SET user_id = NULL, user_first_name = NULL, name_key = NULL WHERE user_id = $1::uuid',
    [userId],
  );
}

const key = (user: string) => `hashtextextended('admin-log user ' || ${user}, 0)`;

/** Waits for erasures of these users, and prevents new ones until the transaction ends. */
export async function lockUsersShared(tx: SqlExecutor, userIds: readonly string[]): Promise<void> {
  const distinct = [...new Set(userIds)].sort();
  if (distinct.length === 0) return;
  await tx.query(`SELECT pg_advisory_xact_lock_shared(${key('id')})::text FROM unnest($1::text[]) AS id`, [
    distinct,
  ]);
}

/** Waits for transactions that store data of this user, and blocks new ones until this one ends. */
export async function lockUser(tx: SqlExecutor, userId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${key('$1')})::text`, [userId]);
}
