import { caseWatchChanged } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { frequencyOf } from './saved-case-rows.ts';

/** What the user wants checked, whether or not a plan pauses it, of `saved_cases`. */
export const IS_WANTED = `(monitoring_frequency <> 'none' AND archived_at IS NULL)`;
export const RUNS = `(${IS_WANTED} AND monitoring_paused_at IS NULL)`;

/**
 * Draws a version for each request. What is wanted keeps its beginning, also in a pause, or begins with what the list shows now. A case
 * that was removed has a version and no row. The last answer gives the age of the status unless it was "not recognized".
 */
const REQUEST = `
  WITH asked AS MATERIALIZED (
    SELECT receipt_number, nextval('watch_versions') AS version FROM unnest($2::text[]) AS asked (receipt_number)
  ), shown AS MATERIALIZED (
    SELECT receipt_number, version, coalesce(call_number, 0) AS call, status,
      CASE WHEN not_recognized_at IS NULL AND answered_at <= clock_timestamp()
        THEN extract(epoch FROM clock_timestamp() - answered_at)::bigint END AS age
    FROM asked LEFT JOIN case_snapshots USING (receipt_number)
  ), saved AS (
    UPDATE saved_cases SET watch_version = version,
      began_version = CASE WHEN NOT ${IS_WANTED} THEN 0 WHEN began_version > 0 THEN began_version ELSE version END,
      began_call = CASE WHEN ${IS_WANTED} AND began_version > 0 THEN began_call ELSE call END,
      began_status = CASE WHEN ${IS_WANTED} AND began_version > 0 THEN began_status ELSE status END
    FROM shown WHERE user_id = $1::uuid AND saved_cases.receipt_number = shown.receipt_number
    RETURNING saved_cases.receipt_number, monitoring_frequency AS frequency, ${RUNS} AS runs, began_version, began_call, began_status
  ), known AS (
    INSERT INTO watch_lists (user_id) VALUES ($1::uuid) ON CONFLICT DO NOTHING
  )
  SELECT receipt_number, version::text, CASE WHEN runs THEN frequency ELSE 'none' END AS frequency,
    began_version::text, began_call::text, began_status, call::text, status, age::int
  FROM shown LEFT JOIN saved USING (receipt_number)`;

interface RequestRow extends BeginningRow {
  receipt_number: string;
  version: string;
  frequency: string;
  call: string;
  status: string | null;
  age: number | null;
}

export interface BeginningRow {
  began_version: string;
  began_call: string;
  began_status: string | null;
}

/**
 * Publishes how often each of these cases of the user is to be checked from now on, as it is saved, or not at all where it is saved no
 * more. Needs the locks of the user and of the saved cases.
 */
export async function publishWatches(
  tx: SqlExecutor,
  bus: EventBus,
  userId: string,
  receiptNumbers: readonly string[],
): Promise<void> {
  if (receiptNumbers.length === 0) return;
  const rows = await tx.query<RequestRow>(REQUEST, [userId, receiptNumbers]);
  await bus.publishAll(
    tx,
    caseWatchChanged,
    rows.map((row) => {
      const request = { userId, receiptNumber: row.receipt_number, version: row.version };
      const frequency = frequencyOf(row.frequency);
      if (frequency === 'none') return { ...request, frequency };
      const shown = {
        ...toShown(row.call, row.status),
        ...(row.age === null ? {} : { ageSeconds: row.age }),
      };
      return { ...request, frequency, beginning: toBeginning(row), shown };
    }),
  );
}

/** Returns the beginning of a watch as events carry it. */
export function toBeginning({ began_version: version, began_call, began_status }: BeginningRow) {
  return { version, shown: toShown(began_call, began_status) };
}

function toShown(callNumber: string, status: string | null) {
  return { callNumber, ...(status === null ? {} : { status }) };
}
