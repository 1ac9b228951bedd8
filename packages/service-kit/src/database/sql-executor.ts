import type pg from 'pg';

/** The least a transaction offers, so that the outbox can join a Prisma transaction or a plain `pg` one. */
export interface SqlExecutor {
  /**
   * Runs one statement with `$1`-style parameters and returns its rows. With a `name`, which belongs to this one text, it is
   * prepared once per connection: for statements that run often.
   */
  query<Row>(sql: string, parameters: readonly unknown[], name?: string): Promise<Row[]>;
  /** Calls the listener, which must not throw, once the transaction is committed. Missing where the commit cannot be observed. */
  afterCommit?(listener: () => void): void;
  /** Set where each statement is a transaction of its own and that is meant: what is written is one statement. */
  readonly isStatement?: true;
}

interface PrismaTransaction {
  $queryRawUnsafe<T>(sql: string, ...parameters: unknown[]): Promise<T>;
}

/** Joins a Prisma interactive transaction; its adapter prepares every statement. */
export function sqlOf(tx: PrismaTransaction): SqlExecutor {
  return {
    query: <Row>(sql: string, parameters: readonly unknown[]) =>
      tx.$queryRawUnsafe<Row[]>(sql, ...parameters),
  };
}

/** Runs each statement by itself on any connection of the pool. */
export function poolExecutor(pool: pg.Pool): SqlExecutor {
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], name?: string): Promise<Row[]> =>
      (await pool.query({ text: sql, values: [...parameters], ...(name ? { name } : {}) })).rows,
  };
}
