import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Pool, PoolClient } from 'pg';

/** Runs `work` in one transaction of the pool: committed when it resolves, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(executorOf(client));
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

function executorOf(client: PoolClient): SqlExecutor {
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[]) => {
      const { rows } = await client.query({ text: sql, values: [...parameters] });
      // The row type is the caller's word about its own statement.
      return rows as Row[];
    },
  };
}

async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
