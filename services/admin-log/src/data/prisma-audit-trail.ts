import { z } from 'zod';
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
