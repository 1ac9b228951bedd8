import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson } from '@casewatch/service-kit/database/storable-json';
import type { AdminAction } from '../domain/admin-action.ts';

const RECORD = `
  INSERT INTO audit_entries (id, at, action, subject, success, session_id, address, details)
  SELECT id, at, action, subject, success, "sessionId", address, details
  FROM jsonb_to_recordset($1::jsonb) AS row (
    id uuid, at timestamptz, action text, subject text, success boolean, "sessionId" text, address text, details jsonb)
  ON CONFLICT DO NOTHING`;

/** Stores what was done, each once however often it comes. */
export async function recordActions(tx: SqlExecutor, actions: readonly AdminAction[]): Promise<void> {
  const rows = actions.map(({ atMs, ...action }) => ({ ...action, at: new Date(atMs).toISOString() }));
  await tx.query(RECORD, [storableJson(rows)]);
}
