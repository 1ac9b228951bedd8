import { isSameStatus } from '@casewatch/contracts/fold-status';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { AnsweredCall } from '../domain/agency.ts';
import type { ObservationRows, SnapshotRow } from '../domain/observation-rows.ts';
import { type WrittenSnapshot, writeHistory } from './observations.ts';

/** Writers of several cases take the locks in one order: also those of the snapshots that the transaction writes later. */
const LOCK_SNAPSHOTS = `
  SELECT receipt_number, status, status_at, status_date
  FROM case_snapshots WHERE receipt_number = ANY ($1::text[]) ORDER BY receipt_number FOR NO KEY UPDATE`;

/**
 * Snapshots of many cases in one statement. A status that continues keeps its start, also one of a snapshot that another
 * transaction has just begun. The lock on the snapshot row puts writers of one case in line.
 */
const WRITE = `
  WITH incoming AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS row (
      "receiptNumber" text, "observedAt" timestamptz, status text, "statusAt" timestamptz, "statusDate" text,
      description text, links jsonb, "formType" text, "petitionType" text, substatus text, "channelType" text,
      "submittedDate" text, "modifiedDate" text, "statusEs" text, "descriptionEs" text, "linksEs" jsonb,
      "callNumber" bigint, "agoMs" float8)
  )
  INSERT INTO case_snapshots AS stored (
    receipt_number, observed_at, not_recognised_at, status, status_at, status_date, description, links,
    form_type, petition_type, substatus, channel_type, submitted_date, modified_date,
    status_es, description_es, links_es, call_number, answered_at)
  SELECT "receiptNumber", "observedAt", NULL, status, "statusAt", "statusDate", description, links,
         "formType", "petitionType", substatus, "channelType", "submittedDate", "modifiedDate",
         "statusEs", "descriptionEs", nullif("linksEs", '[]'), "callNumber",
         coalesce($2::timestamptz, clock_timestamp()) - "agoMs" * interval '1 millisecond'
  FROM incoming ORDER BY "receiptNumber"
  ON CONFLICT (receipt_number) DO UPDATE SET
    observed_at = EXCLUDED.observed_at,
    not_recognised_at = NULL,
    status = EXCLUDED.status,
    status_at = CASE WHEN stored.status = EXCLUDED.status THEN stored.status_at ELSE EXCLUDED.status_at END,
    status_date = CASE WHEN stored.status = EXCLUDED.status THEN stored.status_date ELSE EXCLUDED.status_date END,
    description = EXCLUDED.description,
    links = EXCLUDED.links,
    form_type = EXCLUDED.form_type,
    petition_type = EXCLUDED.petition_type,
    substatus = EXCLUDED.substatus,
    channel_type = EXCLUDED.channel_type,
    submitted_date = EXCLUDED.submitted_date,
    modified_date = EXCLUDED.modified_date,
    status_es = EXCLUDED.status_es,
    description_es = EXCLUDED.description_es,
    links_es = EXCLUDED.links_es,
    call_number = EXCLUDED.call_number,
    answered_at = EXCLUDED.answered_at
  WHERE stored.call_number < EXCLUDED.call_number
  RETURNING stored.receipt_number, stored.status_at, stored.status_date`;

/**
 * Brings the saved cases of these receipt numbers up to what is stored; one that says it already is not written. A
 * statement of its own, after the snapshot's lock: it then sees every case that was saved meanwhile. Rows are locked by
 * receipt number, as a change of many saved cases locks them. The arrays keep the planner from reading the whole table.
 */
const TELL_SAVERS = `
  WITH savers AS MATERIALIZED (
    SELECT saved.id, stored.* FROM saved_cases AS saved CROSS JOIN LATERAL (
      SELECT observed_at, status, nullif(form_type, '') AS form_type, status_at, status_date, status_es FROM case_snapshots
      WHERE receipt_number = saved.receipt_number) AS stored
    WHERE saved.receipt_number = ANY ($1::text[])
      AND (last_known_status, saved.form_type, status_changed_at, saved.status_date, last_known_status_es)
        IS DISTINCT FROM (status, stored.form_type, status_at, stored.status_date, status_es)
    ORDER BY saved.receipt_number, saved.id FOR NO KEY UPDATE OF saved
  )
  UPDATE saved_cases AS saved
  SET last_checked_at = observed_at, last_known_status = status, form_type = savers.form_type,
      status_changed_at = status_at, status_date = savers.status_date, last_known_status_es = status_es
  FROM savers WHERE saved.id = savers.id AND saved.id = ANY (ARRAY(SELECT id FROM savers))`;

/**
 * Writes what answers say, and tells the saved cases. Of the answers about one case that to the latest call counts, whenever
 * it comes: one that is older than what is stored changes nothing. Locks also the snapshots of `denied`, which
 * `writeNotRecognised` is to write.
 */
export async function writeObservations(
  tx: SqlExecutor,
  now: Date | undefined,
  observed: readonly ObservationRows[],
  denied: readonly string[] = [],
): Promise<void> {
  if (observed.length === 0) return;
  const receiptNumbers = observed.map(({ snapshot }) => snapshot.receiptNumber);
  const stored = await tx.query<StoredSnapshot>(
    LOCK_SNAPSHOTS,
    [[...receiptNumbers, ...denied]],
    'lock_snapshots',
  );
  const storedOf = new Map(stored.map((row) => [row.receipt_number, row]));
  const snapshots = observed.map(({ snapshot }) =>
    continueStay(snapshot, storedOf.get(snapshot.receiptNumber)),
  );
  const written = await tx.query<WrittenSnapshot>(
    WRITE,
    [JSON.stringify(snapshots), now],
    'write_observations',
  );
  if (written.length === 0) return;
  await writeHistory(tx, written, observed);
  await tx.query(TELL_SAVERS, [written.map((row) => row.receipt_number)], 'tell_savers');
}

interface StoredSnapshot {
  receipt_number: string;
  status: string | null;
  status_at: Date | null;
  status_date: string | null;
}

/** A status that continues keeps its start, whatever the agency's date of modification says now, and however the title is written. */
function continueStay(snapshot: SnapshotRow, stored: StoredSnapshot | undefined): SnapshotRow {
  if (!stored?.status || !stored.status_at || !isSameStatus(stored.status, snapshot.status)) return snapshot;
  return { ...snapshot, statusAt: stored.status_at.toISOString(), statusDate: stored.status_date };
}

const WRITE_NOT_RECOGNISED = `
  INSERT INTO case_snapshots AS stored (receipt_number, not_recognised_at, call_number, answered_at)
  SELECT "receiptNumber", to_timestamp("sentMs" / 1000.0), "callNumber",
         coalesce($2::timestamptz, clock_timestamp()) - "agoMs" * interval '1 millisecond'
  FROM jsonb_to_recordset($1::jsonb)
    AS row ("receiptNumber" text, "sentMs" numeric, "callNumber" bigint, "agoMs" float8)
  ORDER BY "receiptNumber"
  ON CONFLICT (receipt_number) DO UPDATE SET not_recognised_at = EXCLUDED.not_recognised_at,
    call_number = EXCLUDED.call_number, answered_at = EXCLUDED.answered_at
  WHERE stored.call_number < EXCLUDED.call_number`;

export async function writeNotRecognised(
  tx: SqlExecutor,
  now: Date | undefined,
  denied: readonly AnsweredCall[],
): Promise<void> {
  if (denied.length > 0) await tx.query(WRITE_NOT_RECOGNISED, [JSON.stringify(denied), now]);
}
