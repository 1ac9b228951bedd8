import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabasePool } from '../../src/database/database-pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a connection that the server ends in the middle of a transaction fails its next statement, not the process', async () => {
  const logger = pino({ level: 'silent' });
  const pool = createDatabasePool({
    url: database.urlFor('cases'),
    service: 'cases',
    maximum: 1,
    logger,
  });
  const client = await pool.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  await client.query('BEGIN');
  // Without a listener on the pool this event would become an uncaught exception.
  expect(client.listenerCount('error')).toBeGreaterThan(0);
  await database.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  await expect.poll(async () => (await pool.query('SELECT 1')).rowCount).toBe(1);
  await pool.end();
});

test('a transaction of a process that stands still keeps its locks for 8 s', async () => {
  const pool = createDatabasePool({
    url: database.urlFor('cases'),
    service: 'cases',
    maximum: 2,
    logger: pino({ level: 'silent' }),
  });
  const silent = await pool.connect();
  await silent.query('BEGIN');
  await silent.query('SELECT pg_advisory_xact_lock(1)');
  // The server lets this one through when it has ended the other.
  await pool.query('SELECT pg_advisory_xact_lock(1)');
  await expect(silent.query('COMMIT')).rejects.toThrow();
  const { rows } = await pool.query('SHOW idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '8s' }]);
  silent.release(true);
  await pool.end();
}, 30_000);
