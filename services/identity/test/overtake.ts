import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
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
  const { pool } = createDatabasePool({
    url: database.urlFor('identity'),
    service: 'identity',
    maximum: 1,
    logger: pino({ level: 'silent' }),
  });
  const other = await pool.connect();
  const waiting = async () => {
    const rows = await database.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length;
  };
  try {
    await other.query('BEGIN');
    await other.query(sql, parameters);
    const answer = request();
    await expect.poll(waiting, { timeout: 5_000 }).toBe(1);
    if (last) await other.query(last, parameters);
    await other.query('COMMIT');
    return await answer;
  } finally {
    other.release();
    await pool.end();
  }
}
