import type pg from 'pg';
import type { SqlExecutor } from './sql-executor.ts';

/**
 * Runs `work` in one transaction on one connection. Resolves only when the server has confirmed the commit.
 * @throws what `work` throws, or when the server turned the commit into a rollback because a statement had
 * failed and its error was swallowed.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken ??= error;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const listeners: (() => void)[] = [];
    const afterCommit = (listener: () => void) => void listeners.push(listener);
    const result = await work({ ...sqlOfClient(client), afterCommit });
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction had failed: a statement error was swallowed');
    for (const listener of listeners) listener();
    return result;
  } catch (error) {
    // Why the server ended the connection: the statement after that only fails for want of one.
    if (broken && error instanceof Error && error !== broken) error.cause ??= broken;
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken ?? false);
  }
}

/** Runs `work` over the data as they are at its first statement, whatever is written meanwhile. @throws as `inTransaction` */
export function inSnapshot<T>(pool: pg.Pool, work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', []);
    return work(tx);
  });
}

function sqlOfClient(client: Pick<pg.ClientBase, 'query'>): SqlExecutor {
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], name?: string): Promise<Row[]> =>
      (await client.query({ text: sql, values: [...parameters], ...(name ? { name } : {}) })).rows,
  };
}
