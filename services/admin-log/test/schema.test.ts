import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SOME_USER = "'6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11'";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`SELECT admin_log.ensure_log_month(month::date)
    FROM generate_series('2025-11-01'::date, '2026-01-01', interval '1 month') AS month`);
  await database.query(
    `INSERT INTO admin_log.calls (created_at, id, receipt_number, user_id, user_first_name, name_key, source,
                                  status_code, success, duration_ms, queue_ms, agency_ms, agency_calls, outcome, cause,
                                  code, request_id, trace_id, origin, served_stale)
     SELECT '2025-11-01Z'::timestamptz + n * interval '4 minutes', gen_random_uuid(),
            'EAC' || lpad((n % 100)::text, 10, '0'),
            CASE WHEN n % 5 = 0 THEN md5((n % 500)::text)::uuid END, 'x', CASE WHEN n % 5 = 0 THEN 'n' || n % 500 END,
            CASE WHEN n % 5 = 0 THEN 'user' ELSE 'monitor' END, CASE WHEN n % 50 = 0 THEN 503 ELSE 200 END, n % 50 > 0,
            CASE WHEN n % 500 = 0 THEN 2500 ELSE n % 400 END, 0, 1, 1,
            CASE WHEN n % 50 = 0 THEN 'fault' ELSE 'answered' END,
            CASE WHEN n % 50 = 0 THEN 'agency' END, CASE WHEN n % 50 = 0 THEN 'timeout' END,
            CASE WHEN n % 5 = 0 THEN md5(n::text)::uuid END, CASE WHEN n % 5 = 0 THEN md5(n::text) END,
            CASE WHEN n % 100 = 0 THEN 'bulk' ELSE 'scheduled' END, false
     FROM generate_series(1, 30000) AS n`,
  );
  await untilAllIsVisible();
});
afterAll(() => database.drop());

/** What a concurrent transaction may still need is left out by VACUUM, and index-only scans then look too dear. */
async function untilAllIsVisible(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    await database.query('VACUUM ANALYZE admin_log.calls');
    const hidden = await database.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'admin_log'::regnamespace AND relkind = 'r'
         AND relname ~ '^calls_2' AND relallvisible < relpages`,
    );
    if (hidden.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('rows stayed invisible to others: is a transaction left open?');
}

const page = (where: string) =>
  `SELECT created_at, id FROM admin_log.calls WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT 50`;

test.each([
  ['the list', page(`created_at < '2026-01-10Z'`), 'Index Only Scan Backward using calls_2026_01_pkey'],
  ['a source', page(`source = 'monitor'`), 'Index Only Scan Backward'],
  [
    'failed calls',
    page('NOT success'),
    'Index Only Scan Backward using calls_2026_01_created_at_id_receipt_number_source_status_co_idx',
  ],
  [
    'failed calls but for a status',
    page('NOT success AND (status_code BETWEEN 404 AND 404) IS NOT TRUE'),
    'Index Only Scan Backward using calls_2026_01_created_at_id_receipt_number_source_status_co_idx',
  ],
  [
    'unusual outcomes of a plan',
    page(`outcome NOT IN ('answered', 'stored') AND tier = 'pro'`),
    'Index Only Scan Backward using calls_2026_01_created_at_id_source_success_status_',
  ],
  [
    'failed calls of a receipt number',
    page(`NOT success AND receipt_number = 'EAC0000000001'`),
    'Index Only Scan Backward using calls_2026_01_receipt_number_created_at_id_idx1',
  ],
  ['a status', page('status_code = 503'), 'Index Only Scan Backward using calls_2026_01_status_code'],
  ['a user', page(`user_id = ${SOME_USER}`), 'Index Only Scan Backward using calls_2026_01_user_id'],
  ['a name', page(`source = 'user' AND name_key LIKE 'n12%'`), 'Index Only Scan'],
  [
    'a rare last name or first name',
    page(`source = 'user' AND (name_key LIKE 'n12%' OR user_id = ANY(ARRAY[${SOME_USER}]::uuid[]))`),
    '',
  ],
  [
    'a last name or first name',
    page(`source = 'user' AND (name_key LIKE 'n%' OR user_id = ANY(ARRAY[${SOME_USER}]::uuid[]))`),
    'Index Only Scan Backward using calls_2026_01_created_at_id_name_key_user_id_success_stat',
  ],
  ['an outcome', page(`outcome = 'fault'`), 'Index Only Scan Backward using calls_2026_01_outcome'],
  ['a cause', page(`cause = 'agency'`), 'Index Only Scan Backward using calls_2026_01_cause'],
  ['a code', page(`code = 'timeout'`), 'Index Only Scan Backward using calls_2026_01_code'],
  ['an origin', page(`origin = 'bulk'`), 'Index Only Scan Backward using calls_2026_01_origin'],
  [
    'a request',
    page(`request_id BETWEEN ${SOME_USER} AND ${SOME_USER}`),
    'Index Only Scan using calls_2026_01_request_id',
  ],
  ['a trace', page(`trace_id = 'abc'`), 'using calls_2026_01_trace_id'],
  [
    'slow lookups',
    page('duration_ms > 2000'),
    'Index Only Scan Backward using calls_2026_01_created_at_id_duration_ms_idx',
  ],
  [
    'how a rare receipt number begins',
    page(`receipt_number >= 'EAC000000000' AND receipt_number < 'EAC00000000001'`),
    'Index',
  ],
  [
    'how many receipt numbers begin',
    page(`receipt_number >= 'EAC' AND receipt_number < 'EAD'`),
    'Index Only Scan Backward using calls_2026_01_pkey',
  ],
  [
    'a receipt number',
    page(`receipt_number = 'EAC0000000001'`),
    'Index Only Scan Backward using calls_2026_01_receipt_number_created_at_id_idx on',
  ],
])('%s is read from an index, month by month', async (_what, sql, plan) => {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  const text = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain(plan);
  expect(text).not.toContain('Seq Scan');
});
