import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { ObservationRows } from '../domain/observation-rows.ts';

/**
 * What is known before the write. Writers of several receipt numbers take the locks in one order: also those of the snapshots that
 * the transaction writes later.
 */
const LOCK_SNAPSHOTS = `
  SELECT receipt_number, status, CASE WHEN facts_at = observed_at THEN facts_hash END AS facts_hash
  FROM case_snapshots WHERE receipt_number = ANY ($1::text[])
  ORDER BY receipt_number FOR NO KEY UPDATE`;

/** Another observation of what is stored already: the times of the snapshot alone. */
const WRITE_TIMES = `
  UPDATE case_snapshots AS stored
  SET observed_at = seen_at, not_recognised_at = NULL, spanish_at = seen_at, facts_at = seen_at
  FROM unnest($1::text[], $2::timestamptz[]) AS row (receipt_number, seen_at)
  WHERE stored.receipt_number = ANY ($1::text[]) AND stored.receipt_number = row.receipt_number
    AND stored.observed_at <= seen_at AND (stored.not_recognised_at IS NULL OR stored.not_recognised_at <= seen_at)
  RETURNING stored.receipt_number`;

/** What recognizes an answer next time, of those that `WRITE_TIMES` has written. */
const WRITE_RECOGNITION = `
  UPDATE case_snapshots AS stored SET answer_hash = hash, answer_call_id = call_id, answer_logged_at = logged_at
  FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::uuid[], $5::timestamptz[])
    AS row (receipt_number, seen_at, hash, call_id, logged_at)
  WHERE stored.receipt_number = ANY ($1::text[]) AND stored.receipt_number = row.receipt_number
    AND stored.observed_at = seen_at`;

/**
 * Snapshot and observations of many receipt numbers in one statement. A status that continues keeps its start, whatever
 * the agency's date of modification says now. The lock on the snapshot row puts writers of one receipt number in line.
 */
const WRITE = `
  WITH incoming AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS row (
      "receiptNumber" text, "observedAt" timestamptz, status text, "statusAt" timestamptz, "statusDate" text,
      description text, links jsonb, "formType" text, "petitionType" text, substatus text, "channelType" text,
      "submittedDate" text, "modifiedDate" text, "statusEs" text, "descriptionEs" text, "linksEs" jsonb,
      "factsHash" text, "answerHash" text, "answerCallId" uuid, "answerLoggedAt" timestamptz)
  ), written AS (
    INSERT INTO case_snapshots AS stored (
      receipt_number, observed_at, not_recognised_at, status, status_at, status_date, description, links,
      form_type, petition_type, substatus, channel_type, submitted_date, modified_date,
      status_es, description_es, links_es, spanish_at, facts_hash, facts_at,
      answer_hash, answer_call_id, answer_logged_at)
    SELECT "receiptNumber", "observedAt", NULL, status, "statusAt", "statusDate", description, links,
           "formType", "petitionType", substatus, "channelType", "submittedDate", "modifiedDate",
           "statusEs", "descriptionEs", nullif("linksEs", '[]'), "observedAt", "factsHash", "observedAt",
           "answerHash", "answerCallId", "answerLoggedAt"
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
      spanish_at = EXCLUDED.spanish_at,
      facts_hash = EXCLUDED.facts_hash,
      facts_at = EXCLUDED.facts_at,
      answer_hash = EXCLUDED.answer_hash,
      -- A user's lookup has no row to name, and leaves that of the same text.
      answer_call_id = coalesce(EXCLUDED.answer_call_id,
        CASE WHEN stored.answer_hash = EXCLUDED.answer_hash THEN stored.answer_call_id END),
      answer_logged_at = coalesce(EXCLUDED.answer_logged_at,
        CASE WHEN stored.answer_hash = EXCLUDED.answer_hash THEN stored.answer_logged_at END)
    WHERE (stored.observed_at IS NULL OR stored.observed_at <= EXCLUDED.observed_at)
      AND (stored.not_recognised_at IS NULL OR stored.not_recognised_at <= EXCLUDED.observed_at)
    RETURNING stored.receipt_number, stored.status, stored.status_at, stored.status_date, stored.description,
              stored.observed_at, stored.status_es
  ), rows AS (
    SELECT receipt_number, status, status_at, status_date, 'observed' AS source, description, observed_at, status_es
    FROM written
    UNION ALL
    SELECT "receiptNumber", entry.status, "statusAt", "statusDate", 'agency-history', NULL, written.observed_at,
           entry."statusEs"
    FROM jsonb_to_recordset($2::jsonb) AS entry (
      "receiptNumber" text, status text, "statusAt" timestamptz, "statusDate" text, "statusEs" text)
    JOIN written ON written.receipt_number = "receiptNumber"
  ), kept AS (
    INSERT INTO observations AS seen (
      receipt_number, status, status_at, status_date, source, description, first_observed_at, last_observed_at,
      status_es)
    SELECT DISTINCT ON (receipt_number, status, status_at)
           receipt_number, status, status_at, status_date, source, description, observed_at, observed_at, status_es
    FROM rows ORDER BY receipt_number, status, status_at, source
    ON CONFLICT (receipt_number, status, status_at) DO UPDATE SET
      last_observed_at = CASE WHEN EXCLUDED.source = 'observed'
        THEN GREATEST(seen.last_observed_at, EXCLUDED.last_observed_at) ELSE seen.last_observed_at END,
      description = CASE WHEN EXCLUDED.source = 'observed' THEN EXCLUDED.description ELSE seen.description END,
      status_es = coalesce(EXCLUDED.status_es, seen.status_es)
    WHERE EXCLUDED.source = 'observed' OR EXCLUDED.status_es <> coalesce(seen.status_es, '')
  )
  SELECT receipt_number FROM written`;

/**
 * Brings the saved cases of these receipt numbers up to what is stored; one that says it already is not written (ADR 60). A
 * statement of its own, after the snapshot's lock: it then sees every case that was saved meanwhile. Rows are locked by
 * receipt number, as a change of many saved cases locks them. The arrays keep the planner from reading the whole table.
 */
const TELL_SAVERS = `
  WITH savers AS MATERIALIZED (
    SELECT saved.id, stored.* FROM saved_cases AS saved CROSS JOIN LATERAL (
      SELECT observed_at, status, nullif(form_type, '') AS form_type, status_at, status_date, status_es FROM case_snapshots
      WHERE receipt_number = saved.receipt_number) AS stored
    WHERE saved.receipt_number = ANY ($1::text[])
      AND (last_known_status, saved.form_type, status_changed_at, saved.status_date, last_known_status_es, spanish_at = last_checked_at)
        IS DISTINCT FROM (status, stored.form_type, status_at, stored.status_date, status_es, true)
    ORDER BY saved.receipt_number, saved.id FOR NO KEY UPDATE OF saved
  )
  UPDATE saved_cases AS saved
  SET last_checked_at = observed_at, last_known_status = status, form_type = savers.form_type,
      status_changed_at = status_at, status_date = savers.status_date, last_known_status_es = status_es, spanish_at = observed_at
  FROM savers WHERE saved.id = savers.id AND saved.id = ANY (ARRAY(SELECT id FROM savers))`;

/** An observation that was written. */
export interface Written extends ObservationRows {
  /** The status that was stored before; null without one, where it was not read, and for a snapshot that another transaction has just begun. */
  readonly statusBefore: string | null;
}

/**
 * Resolves to those that were written: an observation that is older than the stored one is dropped. With `compare` it reads first
 * what is stored, which saves work where the answers mostly say the same, and locks the snapshots of `denied`, which
 * `writeNotRecognised` is to write; without, it is a round trip quicker, `statusBefore` is null, and there is only one receipt number.
 */
export async function writeObservations(
  tx: SqlExecutor,
  observed: readonly ObservationRows[],
  { compare, denied = [] }: { compare: boolean; denied?: readonly string[] },
): Promise<Written[]> {
  if (observed.length === 0) return [];
  const receiptNumbers = observed.map(({ receiptNumber }) => receiptNumber);
  const stored: ReadonlyMap<string, StoredSnapshot> = compare
    ? await lockSnapshots(tx, [...receiptNumbers, ...denied])
    : new Map();
  const isStored = ({ receiptNumber, factsHash }: ObservationRows) =>
    stored.get(receiptNumber)?.facts_hash === factsHash;
  const rows = [
    ...(await writeTimes(tx, observed.filter(isStored))),
    ...(await writeRows(
      tx,
      observed.filter((one) => !isStored(one)),
    )),
  ];
  const written = new Set(rows.map((row) => row.receipt_number));
  if (written.size > 0) await tx.query(TELL_SAVERS, [[...written]], 'tell_savers');
  return observed
    .filter(({ receiptNumber }) => written.has(receiptNumber))
    .map((rows) => ({ ...rows, statusBefore: stored.get(rows.receiptNumber)?.status ?? null }));
}

interface WrittenRow {
  receipt_number: string;
}

interface StoredSnapshot {
  receipt_number: string;
  status: string | null;
  facts_hash: string | null;
}

async function lockSnapshots(tx: SqlExecutor, receiptNumbers: readonly string[]) {
  const rows = await tx.query<StoredSnapshot>(LOCK_SNAPSHOTS, [receiptNumbers], 'lock_snapshots');
  return new Map(rows.map((row) => [row.receipt_number, row]));
}

async function writeTimes(tx: SqlExecutor, observed: readonly ObservationRows[]): Promise<WrittenRow[]> {
  if (observed.length === 0) return [];
  const values = [
    observed.map(({ receiptNumber }) => receiptNumber),
    observed.map(({ observedAt }) => observedAt),
  ];
  const rows = await tx.query<WrittenRow>(WRITE_TIMES, values, 'write_times');
  const differ = observed.flatMap(({ receiptNumber, observedAt, recognition }) =>
    recognition ? { receiptNumber, observedAt, ...recognition } : [],
  );
  if (differ.length > 0) {
    const recognitions = [
      differ.map(({ receiptNumber }) => receiptNumber),
      differ.map(({ observedAt }) => observedAt),
      differ.map(({ answerHash }) => answerHash),
      differ.map(({ answerCallId }) => answerCallId),
      differ.map(({ answerLoggedAt }) => answerLoggedAt),
    ];
    await tx.query(WRITE_RECOGNITION, recognitions, 'write_recognition');
  }
  return rows;
}

async function writeRows(tx: SqlExecutor, observed: readonly ObservationRows[]): Promise<WrittenRow[]> {
  if (observed.length === 0) return [];
  const values = [
    JSON.stringify(observed.map(({ snapshot }) => snapshot())),
    JSON.stringify(observed.flatMap(({ history }) => history())),
  ];
  return tx.query<WrittenRow>(WRITE, values, 'write_observations');
}

const WRITE_NOT_RECOGNISED = `
  INSERT INTO case_snapshots AS stored (receipt_number, not_recognised_at)
  SELECT "receiptNumber", "at" FROM jsonb_to_recordset($1::jsonb) AS row ("receiptNumber" text, "at" timestamptz)
  ORDER BY "receiptNumber"
  ON CONFLICT (receipt_number) DO UPDATE SET not_recognised_at = EXCLUDED.not_recognised_at
  WHERE stored.observed_at IS NULL OR stored.observed_at <= EXCLUDED.not_recognised_at`;

export async function writeNotRecognised(
  tx: SqlExecutor,
  denied: readonly { receiptNumber: string; atMs: number }[],
): Promise<void> {
  if (denied.length === 0) return;
  const rows = denied.map(({ receiptNumber, atMs }) => ({ receiptNumber, at: new Date(atMs).toISOString() }));
  await tx.query(WRITE_NOT_RECOGNISED, [JSON.stringify(rows)]);
}
