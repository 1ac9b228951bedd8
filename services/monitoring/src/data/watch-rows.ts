import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { NewWatch, WatchRows } from '../domain/store.ts';
import type { Observed } from '../domain/watch-rules.ts';
import type { Schedule } from './schedule.ts';
import { watcherRows } from './watcher-rows.ts';

export function createWatchRows(schedule: Schedule, clock: Clock): WatchRows {
  async function settle(tx: SqlExecutor, receiptNumbers: readonly string[], begun?: NewWatch) {
    const nowMs = await databaseTimeMs(tx, clock);
    await lockWatches(tx, receiptNumbers);
    const periodDays = 'excluded.period_days';
    const answered = '$3::timestamptz';
    await tx.query(
      `WITH wanted AS MATERIALIZED (
         SELECT receipt_number, (
           SELECT min(period_days) FROM watchers
           WHERE watchers.receipt_number = asked.receipt_number AND period_days IS NOT NULL
         ) AS period_days
         FROM unnest($1::text[]) AS asked(receipt_number)
       ), ended AS (
         DELETE FROM watches USING wanted
         WHERE watches.receipt_number = wanted.receipt_number AND wanted.period_days IS NULL
       )
       INSERT INTO watches (receipt_number, period_days, next_check_at, last_checked_at, last_status, status_call)
       SELECT receipt_number, period_days,
         coalesce(${schedule.nextCheck(answered, { of: 'wanted' })}, $2::timestamptz), ${answered}, $4, $5::bigint
       FROM wanted WHERE period_days IS NOT NULL ORDER BY receipt_number
       ON CONFLICT (receipt_number) DO UPDATE SET
         period_days = excluded.period_days,
         next_check_at = CASE WHEN watches.owed_since IS NULL AND watches.last_checked_at IS NOT NULL
           THEN ${schedule.nextCheck('watches.last_checked_at', { periodDays })} ELSE watches.next_check_at END
       WHERE watches.period_days <> excluded.period_days`,
      [
        receiptNumbers,
        new Date(nowMs),
        begun?.answerAgeMs === undefined ? null : new Date(nowMs - begun.answerAgeMs),
        begun?.newest?.status ?? null,
        begun?.newest?.call.toString() ?? null,
      ],
    );
  }

  return {
    lockReceipts,
    lock: lockWatches,
    settle,
    async recordStatuses(tx, recorded) {
      if (recorded.length === 0) return;
      // The array keeps the planner from reading the whole table.
      await tx.query(
        `UPDATE watches SET
           last_status = seen.status, status_call = seen.call, last_checked_at = $4::timestamptz,
           next_check_at = ${schedule.nextCheck('$4::timestamptz')},
           owed_since = NULL, attempts = 0, denials = 0, last_failure = NULL
         FROM unnest($1::text[], $2::text[], $3::bigint[]) AS seen(receipt_number, status, call)
         WHERE watches.receipt_number = ANY ($1::text[]) AND watches.receipt_number = seen.receipt_number`,
        [
          recorded.map(({ receiptNumber }) => receiptNumber),
          recorded.map(({ status }) => status),
          recorded.map(({ call }) => call.toString()),
          new Date(await databaseTimeMs(tx, clock)),
        ],
        'record_statuses',
      );
    },
    async eraseUser(tx, userId, atMs) {
      await watcherRows.lockUser(tx, userId);
      await tx.query(
        'INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING',
        [userId, new Date(atMs)],
      );
      const rows = await tx.query<{ receipt_number: string }>(
        'SELECT receipt_number FROM watchers WHERE user_id = $1::uuid',
        [userId],
      );
      if (rows.length === 0) return;
      const receiptNumbers = rows.map((row) => row.receipt_number);
      await lockReceipts(tx, receiptNumbers);
      await tx.query('DELETE FROM watchers WHERE user_id = $1::uuid', [userId]);
      await settle(tx, receiptNumbers);
    },
  };
}

/** The lock table of the server has room for some thousand locks, of all its sessions together. */
const MAX_RECEIPT_LOCKS = 1_000;

export async function lockReceipts(tx: SqlExecutor, receiptNumbers: readonly string[]): Promise<void> {
  if (receiptNumbers.length > MAX_RECEIPT_LOCKS) {
    await tx.query('LOCK TABLE watchers IN SHARE ROW EXCLUSIVE MODE', []);
    return;
  }
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('monitoring receipt ' || receipt_number, 0))::text
     FROM (SELECT receipt_number FROM unnest($1::text[]) AS asked(receipt_number) ORDER BY 1) AS sorted`,
    [receiptNumbers],
  );
}

async function lockWatches(
  tx: SqlExecutor,
  receiptNumbers: readonly string[],
): Promise<Map<string, Observed | undefined>> {
  const rows = await tx.query<{ receiptNumber: string; status: string | null; call: string | null }>(
    `SELECT receipt_number AS "receiptNumber", last_status AS status, status_call::text AS call FROM watches
     WHERE receipt_number = ANY ($1::text[]) ORDER BY receipt_number FOR UPDATE`,
    [receiptNumbers],
    'lock_watches',
  );
  return new Map(
    rows.map(({ receiptNumber, status, call }) => [
      receiptNumber,
      status === null || call === null ? undefined : { status, call: BigInt(call) },
    ]),
  );
}
