import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Observed } from '../domain/watch-rules.ts';
import type { Schedule } from './schedule.ts';

/** The lock table of the server has room for some thousand locks, of all its sessions together. */
const MAX_RECEIPT_LOCKS = 1_000;

/**
 * Lets one transaction at a time change who watches these receipt numbers, until it ends; also where there is no
 * watch yet. For very many, all other receipt numbers wait as well.
 */
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

/** Returns the watches of these receipt numbers with their newest status, kept from changing until the transaction ends. */
export async function lockWatches(
  tx: SqlExecutor,
  receiptNumbers: readonly string[],
): Promise<Map<string, Observed | undefined>> {
  const rows = await tx.query<{
    receipt_number: string;
    last_status: string | null;
    status_call: string | null;
  }>(
    `SELECT receipt_number, last_status, status_call::text FROM watches
     WHERE receipt_number = ANY ($1::text[]) ORDER BY receipt_number FOR UPDATE`,
    [receiptNumbers],
    'lock_watches',
  );
  return new Map(
    rows.map(({ receipt_number: receiptNumber, last_status: status, status_call: call }) => [
      receiptNumber,
      status === null || call === null ? undefined : { status, call: BigInt(call) },
    ]),
  );
}

/** What a watch begins with. */
export interface NewWatch {
  /** Undefined: it has no status, and is due at once. */
  readonly newest: Observed | undefined;
  /** When the agency answered so, by the database's time; undefined: it is due at once. */
  readonly answeredAtMs: number | undefined;
}

/**
 * Makes a watch agree with its watchers: the shortest period counts, a new watch is due a period after the answer that it begins with,
 * and with the last watcher the watch goes. A new period counts from the last check. Needs `lockReceipts`.
 */
export async function settleWatches(
  tx: SqlExecutor,
  schedule: Schedule,
  receiptNumbers: readonly string[],
  nowMs: number,
  { newest, answeredAtMs }: NewWatch = { newest: undefined, answeredAtMs: undefined },
): Promise<void> {
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
      answeredAtMs === undefined ? null : new Date(answeredAtMs),
      newest?.status ?? null,
      newest?.call.toString() ?? null,
    ],
  );
}

/**
 * Stores the newest status of each watch. That is a check: whatever was claimed or put off is settled by it, and the next one is due a
 * period later. The array keeps the planner from reading the whole table.
 */
export async function recordStatuses(
  tx: SqlExecutor,
  schedule: Schedule,
  recorded: readonly (Observed & { readonly receiptNumber: string })[],
  nowMs: number,
): Promise<void> {
  if (recorded.length === 0) return;
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
      new Date(nowMs),
    ],
    'record_statuses',
  );
}
