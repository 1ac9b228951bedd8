import type { AuditEntry } from '@casewatch/contracts/admin-log';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson } from '@casewatch/service-kit/database/storable-json';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { ChainEnds, ChainedEntry } from '../domain/audit-chain.ts';
import type { AuditFilter, AuditTrail } from '../domain/list-audit.ts';
import { newParameters, type Parameters, startPattern, timesSql } from './call-filter-sql.ts';

/** As it is stored: `z.record` copies, and loses a detail named `__proto__`, which the hash covers. */
const details = z.custom<Record<string, string>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string'),
);

type Row = Omit<AuditEntry, 'at' | 'details' | 'seq'> & { at: Date; details: unknown; seq: string };

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
        details: details.parse(row.details),
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

const chainRow = z.object({
  anchorSeq: z.coerce.number(),
  anchorHash: z.string(),
  headSeq: z.coerce.number(),
  headHash: z.string(),
  outside: z.coerce.number(),
});
const entryRow = z.object({
  seq: z.coerce.number(),
  id: z.string(),
  at: z.string(),
  actor: z.string().nullable(),
  actorId: z.string().nullable(),
  role: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  success: z.boolean(),
  sessionId: z.string().nullable(),
  address: z.string().nullable(),
  details,
  hash: z.string(),
});

/** Entries in memory at a time. */
const BATCH = 1_000;

/** Reads the chain as the database has it now, and how many entries stand outside of it: none, unless the database itself was changed. */
export async function readChain(sql: SqlExecutor) {
  const [row] = await sql.query<unknown>(
    `SELECT anchor_seq AS "anchorSeq", anchor_hash AS "anchorHash", head_seq AS "headSeq", head_hash AS "headHash",
            (SELECT count(*) FROM audit_entries WHERE seq <= anchor_seq OR seq > head_seq) AS outside
     FROM audit_chain`,
    [],
  );
  const { anchorSeq, anchorHash, headSeq, headHash, outside } = chainRow.parse(row);
  const ends: ChainEnds = {
    anchor: { seq: anchorSeq, hash: anchorHash },
    head: { seq: headSeq, hash: headHash },
  };
  return { ends, outside, entries: entriesOf(sql, ends) };
}

/** Up to the head that was read: entries that come in meanwhile are not part of it. */
async function* entriesOf(sql: SqlExecutor, { anchor, head }: ChainEnds): AsyncGenerator<ChainedEntry> {
  let after = anchor.seq;
  for (;;) {
    const rows = await sql.query<unknown>(
      `SELECT seq, id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, actor,
              actor_id AS "actorId", role, action, subject, success, session_id AS "sessionId", address, details, hash
       FROM audit_entries WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT ${BATCH}`,
      [after, head.seq],
    );
    for (const row of rows) yield entryRow.parse(row);
    if (rows.length < BATCH) return;
    after = entryRow.parse(rows.at(-1)).seq;
  }
}
