import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

const key = (user: string) => `hashtextextended('admin-log user ' || ${user}, 0)`;

/** Until the transaction ends none of these users is erased; whoever is being erased is waited for. */
export async function lockUsersShared(tx: SqlExecutor, userIds: readonly string[]): Promise<void> {
  const distinct = [...new Set(userIds)].sort();
  if (distinct.length === 0) return;
  await tx.query(`SELECT pg_advisory_xact_lock_shared(${key('id')})::text FROM unnest($1::text[]) AS id`, [
    distinct,
  ]);
}

/** Waits for everybody who is storing something of this user; who comes later waits until the transaction ends. */
export async function lockUser(tx: SqlExecutor, userId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${key('$1')})::text`, [userId]);
}
