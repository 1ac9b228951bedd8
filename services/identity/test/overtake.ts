import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import type { TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { expect } from 'vitest';

/**
 * Sends `request` while another transaction has run `sql` and not committed; commits once the request waits for it, after
 * having run `last`.
 */
export async function overtake(
  database: TestDatabase,
  sql: string,
  parameters: unknown[],
  request: () => Promise<Response>,
  last?: string,
): Promise<Response> {
  return await whileHeld(database, sql, parameters, async ({ waiting, run }) => {
    const answer = request();
    await waiting(1);
    if (last) await run(last);
    return () => answer;
  });
}

/**
 * Sends two requests while another transaction has run `sql`: the first waits for it, and the second, which is sent once
 * the first waits, waits for either.
 */
export async function inTurn(
  database: TestDatabase,
  sql: string,
  parameters: unknown[],
  [first, second]: readonly [() => Promise<Response>, () => Promise<Response>],
): Promise<[Response, Response]> {
  return await whileHeld(database, sql, parameters, async ({ waiting }) => {
    const answers: [Promise<Response>, Promise<Response>] = [first(), waiting(1).then(second)];
    await waiting(2);
    return () => Promise.all(answers);
  });
}

interface Held {
  /** Waits until the given number of transactions wait for a lock. */
  waiting(count: number): Promise<void>;
  run(sql: string): Promise<unknown>;
}

async function whileHeld<T>(
  database: TestDatabase,
  sql: string,
  parameters: unknown[],
  act: (held: Held) => Promise<() => Promise<T>>,
): Promise<T> {
  const pool = createDatabasePool({
    url: database.urlFor('identity'),
    service: 'identity',
    maximum: 1,
    logger: pino({ level: 'silent' }),
  });
  const other = await pool.connect();
  const waiters = async () => {
    const rows = await database.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length;
  };
  try {
    await other.query('BEGIN');
    await other.query(sql, parameters);
    const outcome = await act({
      waiting: (count) => expect.poll(waiters, { timeout: 20_000 }).toBe(count),
      run: (last) => other.query(last, parameters),
    });
    await other.query('COMMIT');
    return await outcome();
  } finally {
    other.release();
    await pool.end();
  }
}
