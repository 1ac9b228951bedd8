import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabasePool } from '../../src/database/database-pool.ts';
import type { SqlExecutor } from '../../src/database/sql-executor.ts';
import { inTransaction } from '../../src/database/transaction.ts';

let database: TestDatabase;
let pool: pg.Pool;
const logged: unknown[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createDatabasePool({
    url: database.urlFor('cases'),
    service: 'cases',
    maximum: 1,
    logger: pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) }),
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** How many listen for errors of the only connection. */
async function listeners(): Promise<number> {
  const client = await pool.connect();
  client.release();
  return client.listenerCount('error');
}

test('a connection is as it was after a transaction, whether that was committed or not', async () => {
  const before = await listeners();
  const [{ n }] = await inTransaction(
    pool,
    (tx) => tx.query<{ n: number }>('SELECT $1::int AS n', [7]) as Promise<[{ n: number }]>,
  );
  await expect(inTransaction(pool, (tx) => tx.query('SELECT 1 / 0', []))).rejects.toThrow('division by zero');
  const { rows } = await pool.query('SELECT pg_current_xact_id_if_assigned() AS open');
  expect([n, rows, await listeners()]).toEqual([7, [{ open: null }], before]);
});

test('who waits for the commit hears of it when others see what was written, and of no rollback', async () => {
  const heard: string[] = [];
  const committed = inTransaction(pool, async (tx) => {
    tx.afterCommit?.(() => heard.push('committed'));
    await tx.query('SELECT pg_current_xact_id()', []);
    expect(heard).toEqual([]);
  });
  const rolledBack = (tx: SqlExecutor) => {
    tx.afterCommit?.(() => heard.push('rolled back'));
    return tx.query('SELECT 1 / 0', []);
  };
  await committed;
  await expect(inTransaction(pool, rolledBack)).rejects.toThrow('division by zero');
  expect(heard).toEqual(['committed']);
});

test('a statement with a name is prepared once per connection, others are not', async () => {
  await inTransaction(pool, async (tx) => {
    await tx.query('SELECT 1', [], 'named');
    await tx.query('SELECT 1', [], 'named');
    await tx.query('SELECT 2', []);
  });
  const { rows } = await pool.query('SELECT name, statement FROM pg_prepared_statements');
  expect(rows).toEqual([{ name: 'named', statement: 'SELECT 1' }]);
});

test('connections of a service search its schema, end statements after 15 s and wait 5 s to be made', async () => {
  const { rows } = await pool.query(
    `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout,
       current_setting('application_name') AS name`,
  );
  expect(rows).toEqual([{ path: 'cases', timeout: '15s', name: 'casewatch-cases' }]);
  expect(pool.options).toMatchObject({
    max: 1,
    connectionTimeoutMillis: 5_000,
    query_timeout: 16_000,
    keepAlive: true,
  });
});

test('an idle connection that is lost is logged', () => {
  logged.length = 0;
  pool.emit('error', new Error('terminated'), undefined);
  expect(logged).toMatchObject([{ level: 40, err: { message: 'terminated' } }]);
});
