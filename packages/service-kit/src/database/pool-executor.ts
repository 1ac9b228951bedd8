import type pg from 'pg';
import type { SqlExecutor } from './sql-executor.ts';

/** Runs each statement by itself on any connection of the pool. */
export function poolExecutor(pool: pg.Pool): SqlExecutor {
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> =>
      (await pool.query({ text: sql, values: [...parameters] })).rows,
  };
}
