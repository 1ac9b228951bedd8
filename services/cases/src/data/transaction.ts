import { sqlOfClient } from '@casewatch/service-kit/database/consumer-transaction';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Pool, PoolClient } from 'pg';

/** Runs `work` in one transaction of the pool: committed when it resolves, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(sqlOfClient(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = await rollBack(client);
    throw error;
  } finally {
    // A connection that can't even roll back is not used again.
    client.release(failure);
  }
}

async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
