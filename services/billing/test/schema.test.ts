import { comparePrismaWithDatabase } from '@casewatch/testing/prisma-agreement';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLAIM_ROUTINE, CLAIM_URGENT } from '../src/data/accounts.ts';
import { SYNC_AGE } from '../src/data/provider-events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(
    `INSERT INTO billing.customers (user_id, stripe_customer_id, due_at, urgent, failures)
     SELECT gen_random_uuid(), 'cus_' || n, now() + n * interval '1 minute', n % 500 = 0, CASE WHEN n % 500 = 0 THEN 2 ELSE 0 END
     FROM generate_series(1, 20000) AS n`,
  );
  await database.query(
    `INSERT INTO billing.provider_events (id, type, received_at, due_at, done_at)
     SELECT 'evt_' || n, 'x', now(), now(), CASE WHEN n % 500 > 0 THEN now() END FROM generate_series(1, 20000) AS n`,
  );
  await database.query('ANALYZE billing.customers, billing.provider_events');
});
afterAll(() => database.drop());

test('schema.prisma and the migrated database agree', async () => {
  const schema = new URL('../prisma/schema.prisma', import.meta.url);
  expect(await comparePrismaWithDatabase(schema, database, 'billing')).toEqual([]);
});

async function planOf(sql: string): Promise<string> {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
const filled = (sql: string) =>
  sql
    .replaceAll(/\b(customers|provider_events)\b/g, 'billing.$1')
    .replaceAll('$1::timestamptz', 'now()::timestamptz')
    .replaceAll('$2::timestamptz', 'now()::timestamptz')
    .replaceAll('$3::int', '8');

test.each([
  [CLAIM_ROUTINE, 'customers_due_at'],
  [CLAIM_URGENT, 'customers_urgent'],
])('claiming finds its users by an index', async (sql, index) => {
  expect(await planOf(filled(sql))).toContain(index);
});

test('how far behind the provider the service is, is read from the heads of indexes', async () => {
  const plan = await planOf(filled(SYNC_AGE));
  for (const index of ['provider_events_waiting', 'customers_due_at', 'customers_failed'])
    expect(plan).toContain(` using ${index} on `);
  expect(plan).not.toContain('Seq Scan');
});

test('the customer of an event is found by its index', async () => {
  expect(await planOf("UPDATE billing.customers SET wakes = 1 WHERE stripe_customer_id = 'cus_7'")).toContain(
    'customers_stripe_customer_id',
  );
});
