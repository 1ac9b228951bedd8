import { isSameStatus } from '@casewatch/contracts/fold-status';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { AnsweredCall } from '../domain/agency.ts';
import type { CaseAnswer, ObservationRows, SnapshotRow } from '../domain/case-store.ts';
import { recordAnswer, type StoredObservation } from '../domain/record-answer.ts';

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
    receipt_number, observed_at, not_recognized_at, status, status_at, status_date, description, links,
    form_type, petition_type, substatus, channel_type, submitted_date, modified_date,
    status_es, description_es, links_es, call_number, answered_at)
  SELECT "receiptNumber", "observedAt", NULL, status, "statusAt", "statusDate", description, links,
         "formType", "petitionType", substatus, "channelType", "submittedDate", "modifiedDate",
         "statusEs", "descriptionEs", nullif("linksEs", '[]'), "callNumber",
         coalesce($2::timestamptz, clock_timestamp()) - "agoMs" * interval '1 millisecond'
  FROM incoming ORDER BY "receiptNumber"
  ON CONFLICT (receipt_number) DO UPDATE SET
    observed_at = EXCLUDED.observed_at,
    not_recognized_at = NULL,
    not_recognized_message = NULL,
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
 * statement of its own, after the snapshot's lock: it then sees every case that was saved before it. Rows are locked by
 * receipt number, as a change of many saved cases locks them. The arrays keep the planner from reading the whole table.
 */
const MARK_SAVED_CASES = `
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
 * Writes what answers say, and updates the saved cases. Of the answers about one case that to the latest call counts, whenever
 * it comes: one that is older than what is stored changes nothing. Locks also the snapshots of `denied`, which
 * `writeNotRecognized` is to write.
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
  await tx.query(MARK_SAVED_CASES, [written.map((row) => row.receipt_number)], 'tell_savers');
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

const WRITE_NOT_RECOGNIZED = `
  INSERT INTO case_snapshots AS stored (receipt_number, not_recognized_at, not_recognized_message, call_number, answered_at)
  SELECT "receiptNumber", to_timestamp("sentMs" / 1000.0), "agencyMessage", "callNumber",
         coalesce($2::timestamptz, clock_timestamp()) - "agoMs" * interval '1 millisecond'
  FROM jsonb_to_recordset($1::jsonb)
    AS row ("receiptNumber" text, "sentMs" numeric, "agencyMessage" text, "callNumber" bigint, "agoMs" float8)
  ORDER BY "receiptNumber"
  ON CONFLICT (receipt_number) DO UPDATE SET not_recognized_at = EXCLUDED.not_recognized_at,
    not_recognized_message = EXCLUDED.not_recognized_message,
    call_number = EXCLUDED.call_number, answered_at = EXCLUDED.answered_at
  WHERE stored.call_number < EXCLUDED.call_number`;

export async function writeNotRecognized(
  tx: SqlExecutor,
  now: Date | undefined,
  denied: readonly (AnsweredCall & Pick<CaseAnswer, 'agencyMessage'>)[],
): Promise<void> {
  if (denied.length > 0) await tx.query(WRITE_NOT_RECOGNIZED, [JSON.stringify(denied), now]);
}

/** A snapshot that was just written: its row is locked, so that no other transaction writes the history of the case. */
export interface WrittenSnapshot {
  receipt_number: string;
  status_at: Date;
  status_date: string | null;
}

const msOf = (time: string) => `(extract(epoch FROM seen.${time}) * 1000)::bigint`;

/** Returns the column `observations` of a row with a receipt number: an array of `StoredObservation`. */
export const observationsAsJson = (of: string, { inSpanish }: { inSpanish: boolean }) => `
  (SELECT coalesce(json_agg(json_build_object(
     'entry', seen.entry, 'status', seen.status, ${inSpanish ? "'statusEs', seen.status_es," : ''}
     'statusDate', seen.status_date, 'source', seen.source, 'statusAtMs', ${msOf('status_at')},
     'firstObservedAtMs', ${msOf('first_observed_at')}, 'lastObservedAtMs', ${msOf('last_observed_at')},
     'withdrawnAtMs', ${msOf('withdrawn_at')})), '[]')
   FROM observations AS seen WHERE seen.receipt_number = ${of}.receipt_number) AS observations`;

const STORED = `
  SELECT receipt_number, ${observationsAsJson('written', { inSpanish: true })}
  FROM unnest($1::text[]) AS written (receipt_number)`;

const WRITE_HISTORY = `
  INSERT INTO observations (receipt_number, entry, status, status_es, status_at, status_date, source, first_observed_at,
    last_observed_at, withdrawn_at)
  SELECT "receiptNumber", entry, status, "statusEs", to_timestamp("statusAtMs" / 1000.0), "statusDate", source,
         to_timestamp("firstObservedAtMs" / 1000.0), to_timestamp("lastObservedAtMs" / 1000.0),
         to_timestamp("withdrawnAtMs" / 1000.0)
  FROM jsonb_to_recordset($1::jsonb) AS row (
    "receiptNumber" text, entry int, status text, "statusEs" text, "statusAtMs" numeric, "statusDate" text, source text,
    "firstObservedAtMs" numeric, "lastObservedAtMs" numeric, "withdrawnAtMs" numeric)
  ON CONFLICT (receipt_number, entry) DO UPDATE SET
    status = EXCLUDED.status, status_es = EXCLUDED.status_es, status_at = EXCLUDED.status_at,
    status_date = EXCLUDED.status_date, first_observed_at = EXCLUDED.first_observed_at,
    last_observed_at = EXCLUDED.last_observed_at, withdrawn_at = EXCLUDED.withdrawn_at`;

/** Writes what the answers of these snapshots add to the histories of their cases or change in them. */
export async function writeHistory(
  tx: SqlExecutor,
  written: readonly WrittenSnapshot[],
  observed: readonly ObservationRows[],
): Promise<void> {
  const snapshots = new Map(written.map((row) => [row.receipt_number, row]));
  const stored = await tx.query<{ receipt_number: string; observations: StoredObservation[] }>(
    STORED,
    [[...snapshots.keys()]],
    'read_history',
  );
  const observationsOf = new Map(stored.map((row) => [row.receipt_number, row.observations]));
  const rows = observed.flatMap(({ snapshot: { receiptNumber }, statuses }) => {
    const stay = snapshots.get(receiptNumber);
    if (!stay) return [];
    const answer = { ...statuses, statusAtMs: stay.status_at.getTime(), statusDate: stay.status_date };
    const changed = recordAnswer(observationsOf.get(receiptNumber) ?? [], answer);
    return changed.map((row) => ({ receiptNumber, ...row }));
  });
  if (rows.length > 0) await tx.query(WRITE_HISTORY, [JSON.stringify(rows)], 'write_history');
}
