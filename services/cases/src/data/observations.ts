import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { ObservationRows } from '../domain/observation-rows.ts';
import { recordAnswer, type StoredObservation } from '../domain/record-answer.ts';

/** A snapshot that was just written: its row is locked, so that nobody else writes the history of the case. */
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
  if (rows.length > 0) await tx.query(WRITE, [JSON.stringify(rows)], 'write_history');
}
