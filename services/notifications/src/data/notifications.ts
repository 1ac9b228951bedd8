import type { Notification } from '@casewatch/contracts/notifications';
import { uuidV7Floor } from '@casewatch/service-kit/database/uuid-v7';
import type { NotificationRetention } from '../domain/retention.ts';
import type { Store } from '../domain/store.ts';
import type { PrismaClient } from '../generated/client.ts';
import { type SubjectRow, toSubject } from './subject-row.ts';

interface Row extends SubjectRow {
  id: string;
  user_id: string;
  seq: number;
  created_at: Date;
  read: boolean;
}

/**
 * Ids are those of events, UUIDv7: the oldest notifications are the head of the primary key. One that was made long after its
 * event stays until it is old itself. What another transaction holds is left for the next batch.
 */
export const REMOVE_BEFORE = `
  DELETE FROM notifications WHERE id = ANY (ARRAY(
    SELECT id FROM notifications WHERE id < $1::uuid AND created_at < $2::timestamptz
    ORDER BY id LIMIT $3::int FOR UPDATE SKIP LOCKED))`;

/** Digests that wait to be sent stay, however old they are. */
export const removeDigestsBefore = (table: 'digests' | 'push_digests') => `
  DELETE FROM ${table} WHERE id = ANY (ARRAY(
    SELECT id FROM ${table} WHERE state <> 'queued' AND queued_at < $1::timestamptz
    ORDER BY queued_at LIMIT $2::int FOR UPDATE SKIP LOCKED))`;

/** The store on PostgreSQL. Raw SQL where every open browser polls: one statement each. */
export function createStore(prisma: PrismaClient): Store & NotificationRetention {
  return {
    async list(userId, { limit, before }) {
      const rows = before
        ? await prisma.$queryRaw<Row[]>`
            SELECT * FROM notifications WHERE user_id = ${userId}::uuid AND in_bell AND seq < (
              SELECT seq FROM notifications WHERE id = ${before}::uuid AND user_id = ${userId}::uuid)
            ORDER BY seq DESC LIMIT ${limit}`
        : await prisma.$queryRaw<Row[]>`
            SELECT * FROM notifications WHERE user_id = ${userId}::uuid AND in_bell ORDER BY seq DESC LIMIT ${limit}`;
      return rows.map(toNotification);
    },
    async listForExport({ userId, receiptNumbers }, { beforeSeq, limit }) {
      const rows = await prisma.$queryRaw<Row[]>`
        SELECT * FROM notifications
        WHERE user_id = ${userId}::uuid AND milestone IS NULL AND (${beforeSeq ?? null}::int IS NULL OR seq < ${beforeSeq ?? null}::int)
          AND (${receiptNumbers ?? null}::text[] IS NULL OR receipt_number = ANY(${receiptNumbers ?? null}::text[]))
        ORDER BY seq DESC LIMIT ${limit}`;
      return rows.flatMap((row) => {
        const notification = toNotification(row);
        return notification.kind === 'status' ? { seq: row.seq, notification } : [];
      });
    },
    countForExport: ({ userId, receiptNumbers }) =>
      prisma.notification.count({
        where: {
          userId,
          milestone: null,
          ...(receiptNumbers ? { receiptNumber: { in: [...receiptNumbers] } } : {}),
        },
      }),
    countUnread: (userId) => prisma.notification.count({ where: { userId, read: false } }),
    async markRead(userId, id) {
      const rows = await prisma.$queryRaw<Row[]>`
        UPDATE notifications SET read = true WHERE id = ${id}::uuid AND user_id = ${userId}::uuid RETURNING *`;
      return rows[0] && toNotification(rows[0]);
    },
    async markAllRead(userId) {
      const { count } = await prisma.notification.updateMany({
        where: { userId, read: false },
        data: { read: true },
      });
      return count;
    },
    async lastSeq(userId) {
      const recipient = await prisma.recipient.findUnique({ where: { userId } });
      if (!recipient) return 0;
      return recipient.deletedAt ? undefined : recipient.lastSeq;
    },
    async newerThan(followers, limit) {
      const rows = await prisma.$queryRaw<Row[]>`
        SELECT newer.* FROM unnest(${[...followers.keys()]}::uuid[], ${[...followers.values()]}::int[])
          AS follower (user_id, seq)
        CROSS JOIN LATERAL (
          SELECT * FROM notifications AS n WHERE n.user_id = follower.user_id AND n.in_bell AND n.seq > follower.seq
          ORDER BY n.seq LIMIT ${limit}) AS newer
        ORDER BY newer.user_id, newer.seq`;
      return rows.map((row) => ({ seq: row.seq, notification: toNotification(row) }));
    },
    async removeBefore(beforeMs, limit) {
      const before = new Date(beforeMs);
      return Math.max(
        await prisma.$executeRawUnsafe(REMOVE_BEFORE, uuidV7Floor(beforeMs), before, limit),
        await prisma.$executeRawUnsafe(removeDigestsBefore('digests'), before, limit),
        await prisma.$executeRawUnsafe(removeDigestsBefore('push_digests'), before, limit),
      );
    },
  };
}

function toNotification(row: Row): Notification {
  const every = { id: row.id, userId: row.user_id, createdAt: row.created_at.toISOString(), read: row.read };
  const subject = toSubject(row);
  if (subject.kind === 'status') return { ...every, ...subject };
  return { ...every, ...subject, effectiveAt: subject.effectiveAt.toISOString() };
}
