import type { AuditEntry } from '@casewatch/contracts/admin-log';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson } from '@casewatch/service-kit/database/storable-json';
import type { Pool } from 'pg';
import type { ChainEnds, ChainedEntry } from '../domain/audit-chain.ts';
import type { AuditFilter, AuditTrail } from '../domain/list-audit.ts';
import { newParameters, type Parameters, startPattern, timesSql } from './call-filter-sql.ts';

type Row = Omit<AuditEntry, 'at' | 'seq'> & { at: Date; seq: string };

export function createAuditTrail(pool: Pool): AuditTrail {
  return {
    async list(filter, olderThan, limit) {
      const { values, add } = newParameters();
      const where = filterSql(filter, add);
      if (olderThan) {
        where.push(`(at, id) < (${add(new Date(olderThan.atMs))}::timestamptz, ${add(olderThan.id)}::uuid)`);
      }
      const { rows } = await pool.query<Row>(
        `SELECT seq, id, at, actor, actor_id AS "actorId", role, action, subject, success, session_id AS "sessionId", address,
           details, hash
         FROM audit_entries WHERE ${['true', ...where].join(' AND ')} ORDER BY at DESC, id DESC LIMIT ${add(limit)}`,
        values,
      );
      return rows.map((row) => ({
        ...row,
        at: row.at.toISOString(),
        seq: Number(row.seq),
      }));
    },
    async record(tx, actions) {
      const rows = actions.map(({ atMs, ...action }) => ({ ...action, at: new Date(atMs).toISOString() }));
      await tx.query(RECORD, [storableJson(rows)]);
    },
  };
}

function filterSql({ action, subject, actor, success, fromMs, toMs }: AuditFilter, add: Parameters['add']) {
  const where: string[] = [];
  if (action) {
    where.push(
      `(action LIKE ${add(startPattern(action.start))} OR action = ANY (${add(action.named)}::text[]))`,
    );
  }
  if (subject !== undefined) where.push(`subject LIKE ${add(startPattern(subject))}`);
  if (actor !== undefined) where.push(`actor ILIKE ${add(startPattern(actor))}`);
  if (success !== undefined) where.push(`success = ${add(success)}`);
  return [...where, ...timesSql('at', { fromMs, toMs }, add)];
}

/** The database gives each row its place in the chain, and leaves out what has one already. */
const RECORD = `
  INSERT INTO audit_entries (id, at, actor, actor_id, role, action, subject, success, session_id, address, details)
  SELECT id, at, actor, "actorId", role, action, subject, success, "sessionId", address, details
  FROM jsonb_to_recordset($1::jsonb) AS row (
    id uuid, at timestamptz, actor text, "actorId" text, role text, action text, subject text, success boolean,
    "sessionId" text, address text, details jsonb)
  ON CONFLICT DO NOTHING`;

/** Entries in memory at a time. */
const BATCH = 1_000;

/**
 * Reads the chain as the database has it now; undefined where its ends were removed, which only its owner can do. Says how many entries
 * stand outside of it: none, unless the database itself was changed.
 */
export async function readChain(sql: SqlExecutor) {
  const [row] = await sql.query<
    Record<'anchorSeq' | 'anchorHash' | 'headSeq' | 'headHash' | 'outside', string>
  >(
    `SELECT anchor_seq AS "anchorSeq", anchor_hash AS "anchorHash", head_seq AS "headSeq", head_hash AS "headHash",
            (SELECT count(*) FROM audit_entries WHERE seq <= anchor_seq OR seq > head_seq) AS outside
     FROM audit_chain`,
    [],
  );
  if (!row) return undefined;
  const ends: ChainEnds = {
    anchor: { seq: Number(row.anchorSeq), hash: row.anchorHash },
    head: { seq: Number(row.headSeq), hash: row.headHash },
  };
  return { ends, outside: Number(row.outside), entries: entriesOf(sql, ends) };
}

/** Up to the head that was read: entries that are added while it reads are not part of it. */
async function* entriesOf(sql: SqlExecutor, { anchor, head }: ChainEnds): AsyncGenerator<ChainedEntry> {
  let after = anchor.seq;
  for (;;) {
    const rows = await sql.query<Omit<ChainedEntry, 'seq'> & { seq: string }>(
      `SELECT seq, id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, actor,
              actor_id AS "actorId", role, action, subject, success, session_id AS "sessionId", address, details, hash
       FROM audit_entries WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT ${BATCH}`,
      [after, head.seq],
    );
    for (const row of rows) {
      after = Number(row.seq);
      yield { ...row, seq: after };
    }
    if (rows.length < BATCH) return;
  }
}
