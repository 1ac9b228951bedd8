import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLAIM_DENIED, CLAIM_DUE, CLAIM_PUT_OFF } from '../src/data/claims.ts';
import { LEVELS } from '../src/data/watch-levels.ts';
import { CONCERNED } from '../src/data/watcher-rows.ts';

const ROWS = 20_000;

let database: TestDatabase;
let pool: ReturnType<typeof createDatabasePool>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createDatabasePool({
    url: database.urlFor('monitoring'),
    service: 'monitoring',
    maximum: 1,
    logger: pino({ level: 'silent' }),
  });
  await database.query(
    `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at, owed_since, denials)
     SELECT 'EAC' || lpad(n::text, 10, '0'), 1, now() + (n - 5000) * interval '1 second',
            CASE WHEN n % 10 IN (0, 1) THEN now() - interval '2 hours' END, CASE WHEN n % 10 = 1 THEN 3 ELSE 0 END
     FROM generate_series(1, $1::int) AS n`,
    [ROWS],
  );
  await database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days)
     SELECT gen_random_uuid(), 'EAC' || lpad((n % 5000)::text, 10, '0'), 7
     FROM generate_series(1, $1::int) AS n`,
    [ROWS],
  );
  await database.query('ANALYZE monitoring.watches, monitoring.watchers');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The plan at a size where an index pays, for values as the service gives them. */
async function planOf(sql: string, values: readonly string[] = []): Promise<string> {
  const text = values.reduce((all, value, n) => all.replaceAll(`$${n + 1}`, value), sql);
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test.each([
  [CLAIM_DUE, 'watches_due'],
  [CLAIM_PUT_OFF, 'watches_put_off'],
  [CLAIM_DENIED, 'watches_denied'],
])('a claim reads the head of an index in order and touches nothing else', async (sql, index) => {
  const plan = await planOf(sql, ['now()', "(now() + interval '1 minute')", '100']);
  expect(plan).toContain(`Index Scan using ${index}`);
  expect(plan).toContain('watches_pkey');
  expect(plan).not.toContain('Seq Scan');
  expect(plan).not.toContain('Sort');
});

test.each([
  [
    'SELECT last_failure FROM watches WHERE owed_since IS NULL AND next_check_at <= now() ORDER BY next_check_at LIMIT 1',
    'watches_due',
  ],
  [
    `SELECT min(period_days) FROM watchers WHERE receipt_number = 'EAC0000000001' AND period_days IS NOT NULL`,
    'watchers_of_watch',
  ],
  [
    `DELETE FROM watchers WHERE user_id = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11' AND version <= 5`,
    'watchers_pkey',
  ],
])('%s is served by its index', async (sql, index) => {
  expect(await planOf(sql)).toContain(index);
});

test('the watchers whom an observation concerns are read by index', async () => {
  const plan = await planOf(CONCERNED, [`'{EAC0000000001,EAC0000000002}'`, `'{Case Was Received,NULL}'`]);
  expect(plan).toContain('watchers_of_watch');
  expect(plan).not.toContain('Seq Scan');
});

test('the level gauges read the heads of indexes: no more rows than they count to', async () => {
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${LEVELS}`, [new Date()]);
  const nodes: { relation: string; index: string; read: number }[] = [];
  const visit = (node: Record<string, unknown>) => {
    if (node['Relation Name'] === 'watches')
      nodes.push({
        relation: String(node['Node Type']),
        index: String(node['Index Name']),
        read:
          Number(node['Actual Rows']) * Number(node['Actual Loops']) +
          Number(node['Rows Removed by Filter'] ?? 0),
      });
    for (const child of Array.isArray(node.Plans) ? node.Plans : []) visit(child);
  };
  visit(rows[0]['QUERY PLAN'][0].Plan);
  expect(nodes).toHaveLength(5);
  expect(nodes.filter(({ read }) => read > 10_000)).toEqual([]);
  expect(
    nodes
      .filter(({ read }) => read === 1)
      .map(({ index }) => index)
      .sort(),
  ).toEqual(['watches_due', 'watches_owed']);
});
