import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson } from '@casewatch/service-kit/database/storable-json';
import { z } from 'zod';
import type { AdminAction } from '../domain/admin-action.ts';
import type { AuditTrail } from '../domain/audit-trail.ts';
import type { PrismaClient } from '../generated/client.ts';

const details = z.record(z.string(), z.string());

export function createAuditTrail(prisma: PrismaClient): AuditTrail {
  return {
    async list({ action, subject, success, fromMs, toMs }, olderThan, limit) {
      const rows = await prisma.auditEntry.findMany({
        where: {
          ...(action === undefined ? {} : { action: { startsWith: literally(action) } }),
          ...(subject === undefined ? {} : { subject: { startsWith: literally(subject) } }),
          ...(success === undefined ? {} : { success }),
          at: {
            ...(fromMs === undefined ? {} : { gte: new Date(fromMs) }),
            ...(toMs === undefined ? {} : { lt: new Date(toMs) }),
          },
          ...(olderThan === undefined ? {} : { AND: [isOlder(new Date(olderThan.atMs), olderThan.id)] }),
        },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map((row) => ({ ...row, at: row.at.toISOString(), details: details.parse(row.details) }));
    },
  };
}

/** The first condition says it for the index, the second for rows of the same time. */
const isOlder = (at: Date, id: string) => ({ at: { lte: at }, OR: [{ at: { lt: at } }, { id: { lt: id } }] });

/** Prisma hands the text to LIKE as it is. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const RECORD = `
  INSERT INTO audit_entries (id, at, action, subject, success, session_id, address, details)
  SELECT id, at, action, subject, success, "sessionId", address, details
  FROM jsonb_to_recordset($1::jsonb) AS row (
    id uuid, at timestamptz, action text, subject text, success boolean, "sessionId" text, address text, details jsonb)
  ON CONFLICT DO NOTHING`;

/** Stores actions, each once however often it is delivered. */
export async function recordActions(tx: SqlExecutor, actions: readonly AdminAction[]): Promise<void> {
  const rows = actions.map(({ atMs, ...action }) => ({ ...action, at: new Date(atMs).toISOString() }));
  await tx.query(RECORD, [storableJson(rows)]);
}
