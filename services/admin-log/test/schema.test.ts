import { comparePrismaWithDatabase } from '@casewatch/testing/prisma-agreement';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SCHEMA = new URL('../prisma/schema.prisma', import.meta.url);
const SOME_USER = "'6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11'";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`SELECT admin_log.ensure_log_month(month::date)
    FROM generate_series('2025-11-01'::date, '2026-01-01', interval '1 month') AS month`);
  await database.query(
    `INSERT INTO admin_log.calls (created_at, id, endpoint, receipt_numbers, user_id, user_first_name, name_key, source,
                                  status_code, success, duration_ms, outcome, cause, code, request_id, trace_id, origin)
     SELECT '2025-11-01Z'::timestamptz + n * interval '4 minutes', gen_random_uuid(), 'x', '{}',
            CASE WHEN n % 5 = 0 THEN md5((n % 500)::text)::uuid END, 'x', CASE WHEN n % 5 = 0 THEN 'n' || n % 500 END,
            CASE WHEN n % 5 = 0 THEN 'user' ELSE 'monitor' END, CASE WHEN n % 50 = 0 THEN 503 ELSE 200 END, n % 50 > 0,
            CASE WHEN n % 500 = 0 THEN 2500 ELSE n % 400 END, CASE WHEN n % 50 = 0 THEN 'fault' ELSE 'answered' END,
            CASE WHEN n % 50 = 0 THEN 'agency' END, CASE WHEN n % 50 = 0 THEN 'timeout' END,
            CASE WHEN n % 5 = 0 THEN md5(n::text)::uuid END, CASE WHEN n % 5 = 0 THEN md5(n::text) END,
            CASE WHEN n % 100 = 0 THEN 'bulk' ELSE 'scheduled' END
     FROM generate_series(1, 30000) AS n`,
  );
  await database.query(
    `INSERT INTO admin_log.call_receipts
     SELECT 'EAC' || lpad((row_number() OVER () % 100)::text, 10, '0'), created_at, id FROM admin_log.calls`,
  );
  await untilAllIsVisible();
});
afterAll(() => database.drop());

test('schema.prisma and the migrated database agree', async () => {
  expect(await comparePrismaWithDatabase(SCHEMA, database, 'admin_log')).toEqual([]);
});

/** What a transaction elsewhere may still need is left out by VACUUM, and index-only scans then look too dear. */
async function untilAllIsVisible(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    await database.query('VACUUM ANALYZE admin_log.calls, admin_log.call_receipts');
    const hidden = await database.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'admin_log'::regnamespace AND relkind = 'r'
         AND relname ~ '^(calls|call_receipts)_2' AND relallvisible < relpages`,
    );
    if (hidden.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('rows stayed invisible to others: is a transaction left open?');
}

const page = (from: string, where: string) =>
  `SELECT created_at, id FROM admin_log.${from} WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT 50`;

test.each([
  [
    'the list',
    page('calls', `created_at < '2026-01-10Z'`),
    'Index Only Scan Backward using calls_2026_01_pkey',
  ],
  ['a source', page('calls', `source = 'monitor'`), 'Index Only Scan Backward'],
  [
    'failed calls',
    page('calls', 'NOT success'),
    'Index Only Scan Backward using calls_2026_01_created_at_id_receipt_numbers_source_',
  ],
  [
    'failed calls but for a status',
    page('calls', 'NOT success AND (status_code BETWEEN 404 AND 404) IS NOT TRUE'),
    'Index Only Scan Backward using calls_2026_01_created_at_id_receipt_numbers_source_',
  ],
  [
    'unusual outcomes of a plan',
    page('calls', `(outcome IN ('answered', 'stored')) IS NOT TRUE AND tier = 'pro'`),
    'Index Only Scan Backward using calls_2026_01_created_at_id_source_success_status_',
  ],
  [
    'failed calls of a receipt number',
    page('calls', `NOT success AND receipt_numbers[1] COLLATE "C" BETWEEN 'EAC' AND 'EAC'`),
    'Index Only Scan using calls_2026_01_receipt_numbers_created_at_id_receipt_numbers_',
  ],
  [
    'failed calls of several receipt numbers',
    page('calls', 'NOT success AND cardinality(receipt_numbers) > 1'),
    'Index Only Scan Backward using calls_2026_01_created_at_id_receipt_numbers_idx',
  ],
  [
    'a status',
    page('calls', 'status_code = 503'),
    'Index Only Scan Backward using calls_2026_01_status_code',
  ],
  ['a user', page('calls', `user_id = ${SOME_USER}`), 'Index Only Scan Backward using calls_2026_01_user_id'],
  ['a name', page('calls', `name_key LIKE 'n12%'`), 'Index Only Scan'],
  [
    'a rare last name or first name',
    page('calls', `(name_key LIKE 'n12%' OR user_id = ANY(ARRAY[${SOME_USER}]::uuid[]))`),
    '',
  ],
  [
    'a last name or first name',
    page('calls', `(name_key LIKE 'n%' OR user_id = ANY(ARRAY[${SOME_USER}]::uuid[]))`),
    'Index Only Scan Backward using calls_2026_01_created_at_id_name_key_user_id_success_stat',
  ],
  ['an outcome', page('calls', `outcome = 'fault'`), 'Index Only Scan Backward using calls_2026_01_outcome'],
  ['a cause', page('calls', `cause = 'agency'`), 'Index Only Scan Backward using calls_2026_01_cause'],
  ['a code', page('calls', `code = 'timeout'`), 'Index Only Scan Backward using calls_2026_01_code'],
  ['an origin', page('calls', `origin = 'bulk'`), 'Index Only Scan Backward using calls_2026_01_origin'],
  [
    'a request',
    page('calls', `request_id BETWEEN ${SOME_USER} AND ${SOME_USER}`),
    'Index Only Scan using calls_2026_01_request_id',
  ],
  ['a trace', page('calls', `trace_id = 'abc'`), 'using calls_2026_01_trace_id'],
  [
    'slow lookups',
    page('calls', 'duration_ms > 2000'),
    'Index Only Scan Backward using calls_2026_01_created_at_id_duration_ms_idx',
  ],
  [
    'how a rare receipt number begins',
    page('call_receipts', `receipt_number >= 'EAC000000000' AND receipt_number < 'EAC00000000001'`),
    'Index',
  ],
  [
    'how many receipt numbers begin',
    page('call_receipts', `receipt_number >= 'EAC' AND receipt_number < 'EAD'`),
    'Index Only Scan Backward using call_receipts_2026_01_created_at_id_receipt_number_idx',
  ],
  [
    'a receipt number',
    page('call_receipts', `receipt_number = 'EAC0000000001'`),
    'Index Only Scan Backward using call_receipts_2026_01_pkey',
  ],
])('%s is read from an index, month by month', async (_what, sql, plan) => {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  const text = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain(plan);
  expect(text).not.toContain('Seq Scan');
});

test('an index that is added later is built for each month that is there, and again after an interruption', async () => {
  const isBuilt = async () => {
    const [built] = await database.query<{ indisvalid: boolean }>(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'admin_log.calls_added'::regclass`,
    );
    return built?.indisvalid;
  };
  await database.query('CREATE INDEX calls_added ON ONLY admin_log.calls (endpoint) WHERE NOT success');
  await database.query(
    'CREATE INDEX calls_2025_11_added ON admin_log.calls_2025_11 (endpoint) WHERE NOT success',
  );
  await database.query('ALTER INDEX admin_log.calls_added ATTACH PARTITION admin_log.calls_2025_11_added');
  expect(await isBuilt()).toBe(false);
  await database.query(`CALL admin_log.build_log_index('calls_added')`);
  expect(await isBuilt()).toBe(true);
  await database.query(`CALL admin_log.build_log_index('calls_added')`);
  await database.query('DROP INDEX admin_log.calls_added');
});
