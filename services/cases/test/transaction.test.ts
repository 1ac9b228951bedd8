import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../src/data/transaction.ts';

let database: TestDatabase;
let pool: ReturnType<typeof createDatabasePool>['pool'];
beforeAll(async () => {
  database = await createTestDatabase();
  const url = database.urlFor('cases');
  ({ pool } = createDatabasePool({ url, service: 'cases', maximum: 1, logger: pino({ level: 'silent' }) }));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a statement with a name is prepared once, for every transaction of its connection', async () => {
  const prepared = () =>
    inTransaction(pool, (tx) =>
      tx.query<{ name: string; runs: number }>(
        `SELECT name, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements WHERE name = $1`,
        ['prepared_statements'],
        'prepared_statements',
      ),
    );
  await prepared();
  expect(await prepared()).toEqual([{ name: 'prepared_statements', runs: 2 }]);
});
