import pg from 'pg';

export interface WatchedCases {
  /** Makes all due in a moment; `changed`: their statuses have moved since they were last seen. */
  makeDue(options: { changed: boolean }): Promise<void>;
  /** How many of those that were made due have been checked, and have a row in the request log; how many notifications there are. */
  progress(): Promise<Progress>;
  /** When the agency answered, by the id of the notification. */
  answeredAtMs(): Promise<Map<string, number>>;
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

/** Watched cases in the database, as a product in use holds them: saved, watched by one person each, not yet due. */
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
    async makeDue({ changed }) {
      // What was answered a moment ago is not asked again.
      await new Promise((resolve) => setTimeout(resolve, JUST_NOW_MS));
      await pool.query('TRUNCATE notifications.notifications CASCADE');
      dueSinceMs = Date.now();
      await pool.query(
        `UPDATE monitoring.watches SET next_check_at = now() - interval '1 s', last_checked_at = NULL, owed_since = NULL`,
      );
      if (!changed) return;
      await pool.query(`UPDATE monitoring.watches SET last_status = 'Before This Run', status_call = 1`);
      await pool.query(
        `UPDATE monitoring.watchers SET seen_status = last_status, seen_call = status_call
         FROM monitoring.watches WHERE watches.receipt_number = watchers.receipt_number`,
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
      const { rows } = await pool.query<{ id: string; answered_at: Date }>(
        `SELECT notifications.id, max(calls.created_at) AS answered_at
         FROM notifications.notifications JOIN admin_log.calls USING (receipt_number)
         WHERE calls.created_at >= $1 AND calls.success GROUP BY notifications.id`,
        [new Date(dueSinceMs)],
      );
      return new Map(rows.map(({ id, answered_at }) => [id, answered_at.getTime()]));
    },
    close: () => pool.end(),
  };
}
