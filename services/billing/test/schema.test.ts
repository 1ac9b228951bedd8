import { comparePrismaWithDatabase } from '@casewatch/testing/prisma-agreement';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLAIM_ROUTINE, CLAIM_URGENT } from '../src/data/accounts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(
    `INSERT INTO billing.customers (user_id, stripe_customer_id, due_at, urgent)
     SELECT gen_random_uuid(), 'cus_' || n, now() + n * interval '1 minute', n % 500 = 0 FROM generate_series(1, 20000) AS n`,
  );
  await database.query('ANALYZE billing.customers');
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
    .replaceAll('customers', 'billing.customers')
    .replaceAll('$1::timestamptz', 'now()::timestamptz')
    .replaceAll('$2::timestamptz', 'now()::timestamptz')
    .replaceAll('$3::int', '8');

test.each([
  [CLAIM_ROUTINE, 'customers_due_at'],
  [CLAIM_URGENT, 'customers_urgent'],
])('claiming finds its users by an index', async (sql, index) => {
  expect(await planOf(filled(sql))).toContain(index);
});

test('the customer of an event is found by its index', async () => {
  expect(await planOf("UPDATE billing.customers SET wakes = 1 WHERE stripe_customer_id = 'cus_7'")).toContain(
    'customers_stripe_customer_id',
  );
});
