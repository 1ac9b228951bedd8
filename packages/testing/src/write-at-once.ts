import pg from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from './test-database.ts';

/**
 * Sends requests that write to a table (`cases.saved_cases`), and lets none of them write before each waits for a lock, for
 * the table's or for one that another request holds: whatever decides without a lock has decided by then.
 */
export async function writeAtOnce<Answer>(
  database: TestDatabase,
  table: string,
  requests: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  const waiting = async () => {
    const rows = await database.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length;
  };
  try {
    await client.query('BEGIN');
    // Reads continue.
    await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const answers = Promise.all(requests.map((request) => request()));
    // Awaited below, unless the wait fails.
    answers.catch(() => undefined);
    await expect.poll(waiting).toBe(requests.length);
    await client.query('COMMIT');
    return await answers;
  } finally {
    await client.end();
  }
}
