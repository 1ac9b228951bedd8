import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/** Locks the user: until the transaction ends no other one changes the data of this user. */
export async function lockUser(tx: SqlExecutor, userId: string): Promise<void> {
  await tx.query('SELECT 1 AS locked FROM pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `cases ${userId}`,
  ]);
}
