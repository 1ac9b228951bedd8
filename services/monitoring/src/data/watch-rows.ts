import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Observation, SeenStatus, StatusChange } from '../domain/compare-status.ts';
import type { Schedule } from './schedule.ts';

/** The lock table of the server has room for some thousand locks, of all its sessions together. */
const MOST_RECEIPT_LOCKS = 1_000;

/**
 * Lets one transaction at a time change who watches these receipt numbers, until it ends; also where there is no
 * watch yet. For very many, all other receipt numbers wait as well.
 */
export async function lockReceipts(tx: SqlExecutor, receiptNumbers: readonly string[]): Promise<void> {
  if (receiptNumbers.length > MOST_RECEIPT_LOCKS) {
    await tx.query('LOCK TABLE watchers IN SHARE ROW EXCLUSIVE MODE', []);
    return;
  }
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('monitoring receipt ' || receipt_number, 0))::text
     FROM (SELECT receipt_number FROM unnest($1::text[]) AS asked(receipt_number) ORDER BY 1) AS sorted`,
    [receiptNumbers],
  );
}

export interface WatchRow {
  readonly receiptNumber: string;
  /** The newest status; undefined as long as nothing was observed. */
  readonly known: SeenStatus | undefined;
  /** The last change, if there was one. */
  readonly lastChange: StatusChange | undefined;
}

/** The watches of these receipt numbers, kept from changing until the transaction ends. */
export async function lockWatches(tx: SqlExecutor, receiptNumbers: readonly string[]): Promise<WatchRow[]> {
  const rows = await tx.query<
    StatusColumns & {
      receipt_number: string;
      previous_status: string | null;
      changed_at: Date | null;
      previous_observed_at: Date | null;
    }
  >(
    `SELECT receipt_number, last_status, status_observed_at, previous_status, changed_at, previous_observed_at FROM watches
     WHERE receipt_number = ANY ($1::text[]) ORDER BY receipt_number FOR UPDATE`,
    [receiptNumbers],
    'lock_watches',
  );
  return rows.map((row) => ({
    receiptNumber: row.receipt_number,
    known: seenOf(row),
    lastChange:
      row.previous_status !== null && row.last_status !== null && row.changed_at !== null
        ? {
            receiptNumber: row.receipt_number,
            oldStatus: row.previous_status,
            newStatus: row.last_status,
            oldObservedAtMs: (row.previous_observed_at ?? row.changed_at).getTime(),
            changedAtMs: row.changed_at.getTime(),
          }
        : undefined,
  }));
}

export interface StatusColumns {
  last_status: string | null;
  status_observed_at: Date | null;
}

export function seenOf(row: StatusColumns): SeenStatus | undefined {
  const { last_status: status, status_observed_at: observedAt } = row;
  return status === null || observedAt === null ? undefined : { status, observedAtMs: observedAt.getTime() };
}

/**
 * Makes the watches agree with their watchers: the shortest period counts, a new watch is due at `dueAtMs`, and
 * with the last watcher the watch goes. A new period counts from the last check. Needs `lockReceipts`.
 */
export async function settleWatches(
  tx: SqlExecutor,
  schedule: Schedule,
  receiptNumbers: readonly string[],
  dueAtMs: number,
): Promise<void> {
  await lockWatches(tx, receiptNumbers);
  const periodDays = 'excluded.period_days';
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
     INSERT INTO watches (receipt_number, period_days, next_check_at)
     SELECT receipt_number, period_days, $2::timestamptz FROM wanted
     WHERE period_days IS NOT NULL ORDER BY receipt_number
     ON CONFLICT (receipt_number) DO UPDATE SET
       period_days = excluded.period_days,
       next_check_at = CASE WHEN watches.owed_since IS NULL AND watches.last_checked_at IS NOT NULL
         THEN ${schedule.nextCheck('watches.last_checked_at', { periodDays })} ELSE watches.next_check_at END
     WHERE watches.period_days <> excluded.period_days`,
    [receiptNumbers, new Date(dueAtMs)],
  );
}

/** Stores what is known of a watch from before it began: no check, so it stays due as it was. */
export async function recordKnown(
  tx: SqlExecutor,
  receiptNumber: string,
  { status, observedAtMs }: SeenStatus,
  change: StatusChange | undefined,
): Promise<void> {
  await tx.query(
    `UPDATE watches SET last_status = $2, status_observed_at = $3::timestamptz,
       previous_status = coalesce($4, previous_status), changed_at = coalesce($5::timestamptz, changed_at),
       previous_observed_at = coalesce($6::timestamptz, previous_observed_at)
     WHERE receipt_number = $1`,
    [
      receiptNumber,
      status,
      new Date(observedAtMs),
      change?.oldStatus ?? null,
      change ? new Date(change.changedAtMs) : null,
      change ? new Date(change.oldObservedAtMs) : null,
    ],
  );
}

export interface Recorded extends Observation {
  /** The last of the changes that led to it, if any did. */
  readonly change: StatusChange | undefined;
}

/**
 * Stores the newest status of each watch. That is a check: whatever was claimed or put off is settled by it, and
 * the next one is due a period later. The array keeps the planner from reading the whole table.
 */
export async function recordStatuses(
  tx: SqlExecutor,
  schedule: Schedule,
  recorded: readonly Recorded[],
): Promise<void> {
  if (recorded.length === 0) return;
  const rows = recorded.map(({ receiptNumber, status, observedAtMs, terminal, change }) => ({
    receipt_number: receiptNumber,
    status,
    observed_at: new Date(observedAtMs),
    terminal,
    previous_status: change?.oldStatus ?? null,
    changed_at: change ? new Date(change.changedAtMs) : null,
    previous_observed_at: change ? new Date(change.oldObservedAtMs) : null,
  }));
  const checkedAt = 'greatest(watches.last_checked_at, seen.observed_at)';
  await tx.query(
    `UPDATE watches SET
       last_status = seen.status, status_observed_at = seen.observed_at, terminal = seen.terminal,
       previous_status = coalesce(seen.previous_status, watches.previous_status),
       changed_at = coalesce(seen.changed_at, watches.changed_at),
       previous_observed_at = coalesce(seen.previous_observed_at, watches.previous_observed_at),
       last_checked_at = ${checkedAt},
       next_check_at = ${schedule.nextCheck(checkedAt, { terminal: 'seen.terminal' })},
       owed_since = NULL, attempts = 0, last_failure = NULL
     FROM jsonb_to_recordset($1::jsonb) AS seen(receipt_number text, status text, observed_at timestamptz,
       terminal boolean, previous_status text, changed_at timestamptz, previous_observed_at timestamptz)
     WHERE watches.receipt_number = ANY ($2::text[]) AND watches.receipt_number = seen.receipt_number`,
    [JSON.stringify(rows), recorded.map(({ receiptNumber }) => receiptNumber)],
    'record_statuses',
  );
}
