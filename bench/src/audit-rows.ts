import pg from 'pg';

const DAYS = 60;
/** One of 20,000 users, and one user with a hundredth of all calls. */
export const SOME_USER = '00000000-0000-4000-8000-000000007700';
export const BUSY = '00000000-0000-4000-8000-999999999999';

const CHUNK = 250_000;

/** A log of so many calls, spread evenly over the 60 days before `toMs`, half of them in days that are past. */
export interface FilledLog {
  readonly rows: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export function logOf(rows: number, toMs: number): FilledLog {
  return { rows, fromMs: toMs - DAYS * 86_400_000, toMs };
}

/**
 * Fills the log with calls as the consumer would have: one in five by a person, 95 % with an answer of 200, one
 * receipt number and one person with a hundredth of all calls, payloads of 1.5 kB. Continues where an earlier run
 * ended; resolves to false when `untilMs` came first.
 */
export async function fillLog(ownerUrl: string, log: FilledLog, untilMs: number): Promise<boolean> {
  const { rows, fromMs, toMs } = log;
  return asOwner(ownerUrl, async (client) => {
    await client.query(
      `SELECT ensure_log_month(month::date) FROM generate_series($1::timestamptz, $2::timestamptz + interval '1 month',
       interval '20 days') AS month`,
      [new Date(fromMs), new Date(toMs)],
    );
    const { rows: found } = await client.query<{ newest: Date | null; isCounted: boolean }>(
      'SELECT (SELECT max(created_at) FROM calls) AS newest, EXISTS (SELECT FROM call_counts) AS "isCounted"',
    );
    if (found[0]?.isCounted) return true;
    const share = ((found[0]?.newest?.getTime() ?? fromMs) - fromMs) / (toMs - fromMs);
    for (let from = Math.round((share * rows) / CHUNK) * CHUNK; from < rows; from += CHUNK) {
      if (Date.now() > untilMs) return false;
      const to = Math.min(rows, from + CHUNK);
      const atRow = (row: number) => new Date(fromMs + ((toMs - fromMs) * row) / rows);
      await client.query('BEGIN');
      await client.query(FILL, [from, to, rows, new Date(fromMs), (toMs - fromMs) / 1_000]);
      await client.query(PAYLOADS, [atRow(from), atRow(to)]);
      await client.query('COMMIT');
      console.error(`${to.toLocaleString('en-US')} calls`);
    }
    await client.query('VACUUM ANALYZE');
    await client.query('BEGIN');
    for (const counts of [COUNTS, DURATIONS, OUTCOMES, RECEIPT_COUNTS]) await client.query(counts);
    await client.query('COMMIT');
    await client.query('ANALYZE call_counts, call_durations, outcome_counts, receipt_counts');
    return true;
  });
}

/** Removes what the consumer stored after the log was filled, so that the next run finds the same log. */
export async function removeStored(ownerUrl: string, { toMs }: FilledLog): Promise<void> {
  const to = new Date(toMs);
  await asOwner(ownerUrl, async (client) => {
    await client.query(
      'WITH removed AS (DELETE FROM calls WHERE created_at >= $1 RETURNING payload_hash) DELETE FROM payloads USING removed WHERE hash = payload_hash',
      [to],
    );
    await client.query('DELETE FROM call_durations WHERE hour >= $1', [to]);
    await client.query('DELETE FROM outcome_counts WHERE bucket >= $1', [to]);
    await client.query(`DELETE FROM receipt_counts WHERE day >= date_trunc('day', $1, 'UTC')`, [to]);
    await client.query(RECEIPT_COUNTS);
    await client.query(
      `DELETE FROM call_counts WHERE bucket >= CASE grain WHEN 'hour' THEN $1 ELSE date_trunc('day', $1, 'UTC') END`,
      [to],
    );
    await client.query(
      `INSERT INTO call_counts
       SELECT 'day', date_trunc('day', $1, 'UTC'), source, success, status_code, sum(calls) FROM call_counts
       WHERE grain = 'hour' AND bucket >= date_trunc('day', $1, 'UTC') GROUP BY 3, 4, 5`,
      [to],
    );
    await client.query('VACUUM ANALYZE');
  });
}

async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c search_path=admin_log' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const FILL = `
  INSERT INTO calls (created_at, id, receipt_number, user_id, user_first_name, name_key, source, status_code, success,
                     duration_ms, outcome, cause, code, queue_ms, agency_ms, agency_calls, request_id, trace_id, tier, origin,
                     served_stale, payload_hash)
  SELECT at, gen_random_uuid(), receipt, user_id, initcap(name), name,
         CASE WHEN user_id IS NULL THEN 'monitor' ELSE 'user' END, status, status = 200,
         CASE WHEN random() < 0.001 THEN 2000 + random() * 6000 ELSE 20 + random() * 400 END::int,
         CASE status WHEN 200 THEN CASE WHEN random() < 0.3 THEN 'stored' ELSE 'answered' END
           WHEN 404 THEN 'not-recognized' WHEN 429 THEN 'quota' ELSE 'fault' END,
         CASE status WHEN 404 THEN 'user' WHEN 429 THEN 'us' WHEN 503 THEN 'agency' END,
         CASE status WHEN 404 THEN 'not-recognized' WHEN 429 THEN 'budget-busy'
           WHEN 503 THEN CASE WHEN random() < 0.5 THEN 'timeout' ELSE 'unavailable' END END,
         3, 100, 1, CASE WHEN user_id IS NOT NULL THEN gen_random_uuid() END,
         CASE WHEN user_id IS NOT NULL THEN md5(random()::text) END, CASE WHEN user_id IS NOT NULL THEN 'pro' END,
         CASE WHEN user_id IS NULL THEN 'scheduled' WHEN random() < 0.1 THEN 'bulk' ELSE 'single' END, false,
         sha256(at::text::bytea)
  FROM (
    SELECT $4::timestamptz + (n + random()) * ($5::float8 / $3::float8) * interval '1 second' AS at,
      'EAC9999' || lpad((CASE WHEN random() < 0.01 THEN 0 ELSE 1 + floor(random() * $3 / 60) END)::text, 6, '0') AS receipt,
      CASE WHEN n % 100000 = 7 THEN 503 WHEN random() < 0.95 THEN 200 WHEN random() < 0.8 THEN 404 ELSE 429 END AS status,
      CASE WHEN who < 0.01 THEN '${BUSY}'::uuid
           WHEN who < 0.2 THEN ('00000000-0000-4000-8000-' || lpad((who * 100000)::int::text, 12, '0'))::uuid END AS user_id,
      CASE WHEN who < 0.01 THEN 'busy' WHEN who < 0.06 THEN 'a' || (who * 10000)::int
           WHEN who < 0.2 THEN 'name' || (who * 1000)::int END AS name
    FROM (SELECT n, random() AS who FROM generate_series($1::int, $2::int - 1) AS n) AS drawn) AS made`;

const PAYLOADS = `
  INSERT INTO payloads SELECT DISTINCT ON (payload_hash) payload_hash, repeat(md5(id::text), 47), created_at::date FROM calls
  WHERE created_at >= $1 AND created_at < $2 ON CONFLICT DO NOTHING`;
const COUNTS = `
  INSERT INTO call_counts
  SELECT grain, date_trunc(grain, created_at, 'UTC'), source, success, coalesce(status_code, 0), count(*)
  FROM calls CROSS JOIN unnest(ARRAY['day', 'hour']) AS grain GROUP BY 1, 2, 3, 4, 5`;
const DURATIONS = `
  INSERT INTO call_durations
  SELECT date_trunc('hour', created_at, 'UTC'), duration_ms / 10 * 10, count(*) FROM calls GROUP BY 1, 2`;
const OUTCOMES = `
  INSERT INTO outcome_counts
  SELECT date_bin('10 minutes', created_at, '2000-01-01Z'), outcome, count(*), sum(agency_calls)
  FROM calls WHERE created_at > (SELECT max(created_at) FROM calls) - interval '8 days' GROUP BY 1, 2`;
const RECEIPT_COUNTS = `
  INSERT INTO receipt_counts
  SELECT date_trunc('day', created_at, 'UTC'), receipt_number, count(*) FROM calls
  WHERE created_at > (SELECT max(created_at) FROM calls) - interval '8 days' GROUP BY 1, 2 ON CONFLICT DO NOTHING`;
