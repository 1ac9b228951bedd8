import { randomUUID } from 'node:crypto';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSyncAgeSeconds } from '../src/data/provider-events.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

let database: TestDatabase;
let pool: ReturnType<typeof createDatabasePool>;
beforeAll(async () => {
  database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  pool = createDatabasePool({
    url: database.urlFor('billing'),
    service: 'billing',
    maximum: 1,
    logger,
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('DELETE FROM customers');
  await pool.query('DELETE FROM provider_events');
});

const customer = (dueInSeconds: number | null, failures: number) =>
  pool.query('INSERT INTO customers (user_id, due_at, failures) VALUES ($1, $2, $3)', [
    randomUUID(),
    dueInSeconds === null ? null : new Date(NOW + dueInSeconds * 1_000),
    failures,
  ]);

test('the sync age is 0 when no account is due and every event is done', async () => {
  await customer(null, 0);
  await customer(3_600, 0);
  await pool.query(
    `INSERT INTO provider_events (id, type, received_at, done_at, due_at) VALUES ('evt_1', 't', $1, $1, $1)`,
    [new Date(NOW - 60_000)],
  );
  expect(await readSyncAgeSeconds(pool, NOW)).toBe(0);
});

test('a due user counts from the due time', async () => {
  await customer(-90, 0);
  expect(await readSyncAgeSeconds(pool, NOW)).toBe(90);
});

test('an event with an unknown customer counts from its arrival, postponed or not', async () => {
  await pool.query(
    `INSERT INTO provider_events (id, type, payment_intent_id, received_at, due_at, failures)
     VALUES ('evt_1', 't', 'pi_1', $1, $2, 5)`,
    [new Date(NOW - 700_000), new Date(NOW + 60_000)],
  );
  expect(await readSyncAgeSeconds(pool, NOW)).toBe(700);
});

test.each([
  [1, 2],
  [3, 2 + 4 + 8],
  [9, 2 + 4 + 8 + 16 + 32 + 64 + 128 + 256 + 512],
  [11, 2 + 4 + 8 + 16 + 32 + 64 + 128 + 256 + 512 + 600 + 600],
])('after %i failed looks the pauses before the next one count', async (failures, pausesSeconds) => {
  await customer(1, failures);
  expect(await readSyncAgeSeconds(pool, NOW)).toBe(pausesSeconds - 1);
});
