import type pg from 'pg';

/** The least a transaction offers, so that the outbox can join a Prisma transaction or a plain `pg` one. */
export interface SqlExecutor {
  /** Runs one statement with `$1`-style parameters and returns its rows. */
  query<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
}

interface PrismaTransaction {
  $queryRawUnsafe<T>(sql: string, ...parameters: unknown[]): Promise<T>;
}

/** Joins a Prisma interactive transaction. */
export function sqlOf(tx: PrismaTransaction): SqlExecutor {
  return {
    query: <Row>(sql: string, parameters: readonly unknown[]) =>
      tx.$queryRawUnsafe<Row[]>(sql, ...parameters),
  };
}

/** Runs each statement by itself on any connection of the pool. */
export function poolExecutor(pool: pg.Pool): SqlExecutor {
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> =>
      (await pool.query({ text: sql, values: [...parameters] })).rows,
  };
}
