import pg from 'pg';

export interface WatchedCases {
  /** Due in a moment, all of them; `changed` in a hundred have moved since they were last seen. */
  makeDue(count: number, changed: number): Promise<void>;
  /** How many of those that were made due have been checked, and have a row in the request log; how many notifications there are. */
  progress(): Promise<Progress>;
  /** When the agency answered, by receipt number, for those that have moved. */
  answeredAtMs(): Promise<Map<string, number>>;
  /** Begins to count what statements cost; needs the extension pg_stat_statements. */
  forgetStatements(): Promise<void>;
  /** The statements that took most time since then: total ms, calls, text. */
  dearestStatements(): Promise<string>;
  close(): Promise<void>;
}

interface Progress {
  readonly recorded: number;
  readonly logged: number;
  readonly notifications: number;
  /** Events in the outboxes. */
  readonly waiting: number;
}

const JUST_NOW_MS = 3_500;

/** So many watched cases in the database, as a product in use holds them: saved, watched by one person each, not yet due. */
export async function createWatchedCases(
  ownerUrl: string,
  users: readonly string[],
  cases: number,
): Promise<WatchedCases> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  const numbers = `
    SELECT 'WAC' || lpad((n * 2)::text, 10, '0') AS receipt_number, ($2::uuid[])[1 + n % cardinality($2::uuid[])] AS user_id
    FROM generate_series(1, $1::int) AS n`;
  await pool.query(
    `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at)
     SELECT receipt_number, 1, now() + interval '1 day' FROM (${numbers}) AS numbered`,
    [cases, users],
  );
  await pool.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days, version, began)
     SELECT user_id, receipt_number, 1, 1, 1 FROM (${numbers}) AS numbered`,
    [cases, users],
  );
  await pool.query(
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, monitoring_frequency, created_at)
     SELECT gen_random_uuid(), user_id, receipt_number, 'daily', now() FROM (${numbers}) AS numbered`,
    [cases, users],
  );
  await pool.query('VACUUM ANALYZE monitoring.watches, monitoring.watchers, cases.saved_cases');

  let dueSinceMs = 0;

  return {
    async makeDue(count, changed) {
      // What was answered a moment ago is not asked again.
      await new Promise((resolve) => setTimeout(resolve, JUST_NOW_MS));
      await pool.query('TRUNCATE notifications.notifications CASCADE');
      dueSinceMs = Date.now();
      await pool.query(
        `UPDATE monitoring.watches SET
           next_check_at = CASE WHEN nth <= $1 THEN now() - interval '1 s' ELSE now() + interval '1 day' END,
           last_status = CASE WHEN nth % 100 < $2 THEN 'Before This Run' ELSE last_status END,
           status_call = CASE WHEN nth % 100 < $2 THEN 1 ELSE status_call END,
           last_checked_at = NULL, owed_since = NULL
         FROM (SELECT receipt_number, row_number() OVER (ORDER BY receipt_number) AS nth FROM monitoring.watches) AS numbered
         WHERE numbered.receipt_number = watches.receipt_number`,
        [count, changed],
      );
      await pool.query(
        `UPDATE monitoring.watchers SET seen_status = last_status, seen_call = status_call
         FROM monitoring.watches WHERE watches.receipt_number = watchers.receipt_number AND status_call = 1`,
      );
    },
    async progress() {
      const { rows } = await pool.query<Progress>(
        `SELECT (SELECT count(*) FROM monitoring.watches WHERE last_checked_at >= $1)::int AS recorded,
                (SELECT count(*) FROM admin_log.calls WHERE created_at >= $1)::int AS logged,
                (SELECT count(*) FROM notifications.notifications)::int AS notifications,
                ((SELECT count(*) FROM cases.outbox WHERE done_at IS NULL)
                 + (SELECT count(*) FROM monitoring.outbox WHERE done_at IS NULL))::int AS waiting`,
        [new Date(dueSinceMs)],
      );
      return rows[0] ?? { recorded: 0, logged: 0, notifications: 0, waiting: 0 };
    },
    async answeredAtMs() {
      const { rows } = await pool.query<{ receipt_number: string; answered_at: Date }>(
        `SELECT receipt_number, max(created_at) AS answered_at
         FROM admin_log.calls WHERE created_at >= $1 AND success
           AND receipt_number IN (SELECT receipt_number FROM notifications.notifications) GROUP BY 1`,
        [new Date(dueSinceMs)],
      );
      return new Map(rows.map((row) => [row.receipt_number, row.answered_at.getTime()]));
    },
    async forgetStatements() {
      await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
      await pool.query('SELECT pg_stat_statements_reset()');
    },
    async dearestStatements() {
      const { rows } = await pool.query<{ line: string }>(
        `SELECT format('%s ms, %s calls, %s rows, %s kB of log: %s', round(total_exec_time), calls, rows,
                  wal_bytes::bigint / 1024, left(regexp_replace(query, '\\s+', ' ', 'g'), 150)) AS line
         FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 24`,
      );
      return rows.map(({ line }) => line).join('\n');
    },
    close: () => pool.end(),
  };
}
