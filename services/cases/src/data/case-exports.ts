import type { Pool } from 'pg';
import type { Observation } from '../domain/case-history.ts';
import type { CaseExportStore, ExportSelection } from '../domain/export-cases.ts';
import { SAVED_COLUMNS, type SavedRow, toSavedCase } from './saved-case-rows.ts';
import { observationsAsJson } from './write-observations.ts';

type ExportRow = SavedRow & { observations?: Observation[] };

/** Reads what an export holds, by index in the order of the list; each page continues where the one before ended. */
export function createCaseExports(pool: Pool): CaseExportStore {
  return {
    async countForExport(selection, content) {
      const { where, values } = conditionsOf(selection);
      const join = content === 'history' ? 'JOIN observations USING (receipt_number)' : '';
      const text = `SELECT count(*)::int AS count FROM saved_cases ${join} WHERE ${where}`;
      const { rows } = await pool.query<{ count: number }>(text, values);
      return rows[0]?.count ?? 0;
    },
    async pageForExport(selection, { after, limit, withHistory }) {
      const { where, values } = conditionsOf(selection);
      const bind = (value: unknown) => `$${values.push(value)}`;
      const rest = after && `(created_at, id) < (${bind(after.createdAt)}, ${bind(after.id)})`;
      const text = `
        SELECT ${exportColumns(withHistory)} FROM saved_cases
        WHERE ${rest ? `${where} AND ${rest}` : where} ORDER BY created_at DESC, id DESC LIMIT ${bind(limit)}`;
      const { rows } = await pool.query<ExportRow>(text, values);
      return rows.map(({ observations, ...row }) => ({
        ...toSavedCase(row),
        observations: observations ?? [],
      }));
    },
  };
}

/** Returns what is read of each case, from `saved_cases`. */
export function exportColumns(withHistory: boolean): string {
  return withHistory
    ? `${SAVED_COLUMNS}, ${observationsAsJson('saved_cases', { inSpanish: false })}`
    : SAVED_COLUMNS;
}

function conditionsOf({ userId, receiptNumbers }: ExportSelection): { where: string; values: unknown[] } {
  if (!receiptNumbers) return { where: 'user_id = $1', values: [userId] };
  return { where: 'user_id = $1 AND receipt_number = ANY($2::text[])', values: [userId, receiptNumbers] };
}
