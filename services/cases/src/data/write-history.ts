import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { ObservationRows } from '../domain/observation-rows.ts';
import { recordAnswer, type StoredObservation } from '../domain/record-answer.ts';
import { OBSERVATION_AS_JSON } from './observation-json.ts';

/** A snapshot that was just written: its row is locked, so that nobody else writes the history of the case. */
export interface WrittenSnapshot {
  receipt_number: string;
  status_at: Date;
  status_date: string | null;
}

const STORED = `
  SELECT receipt_number, json_agg(${OBSERVATION_AS_JSON}) AS observations
  FROM observations AS seen WHERE receipt_number = ANY ($1::text[]) GROUP BY receipt_number`;

const WRITE = `
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
  if (written.length === 0) return;
  const answers = new Map(observed.map(({ snapshot, statuses }) => [snapshot.receiptNumber, statuses]));
  const stored = await readStored(
    tx,
    written.map((row) => row.receipt_number),
  );
  const rows = written.flatMap(({ receipt_number: receiptNumber, status_at, status_date }) => {
    const answer = answers.get(receiptNumber);
    if (!answer) return [];
    const stay = { statusAtMs: status_at.getTime(), statusDate: status_date };
    return recordAnswer(stored.get(receiptNumber) ?? [], { ...answer, ...stay }).map((row) => ({
      receiptNumber,
      ...row,
    }));
  });
  if (rows.length > 0) await tx.query(WRITE, [JSON.stringify(rows)], 'write_history');
}

async function readStored(tx: SqlExecutor, receiptNumbers: readonly string[]) {
  const rows = await tx.query<{ receipt_number: string; observations: StoredObservation[] }>(
    STORED,
    [receiptNumbers],
    'read_history',
  );
  return new Map(rows.map(({ receipt_number, observations }) => [receipt_number, observations]));
}
