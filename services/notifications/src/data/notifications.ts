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
  change_order: bigint;
}

const isQueued = (deliveries: string) =>
  `EXISTS (SELECT FROM ${deliveries} WHERE notification_id = n.id AND state = 'queued')`;
const isInQueued = (digests: string) =>
  `EXISTS (SELECT FROM ${digests} WHERE user_id = n.user_id AND state = 'queued' AND n.id = ANY (changes))`;
/** Without a device no digest to devices is ever made. */
const WAITS_FOR_DIGEST = `EXISTS (
  SELECT FROM digest_changes WHERE notification_id = n.id
    AND (channel = 'email' OR EXISTS (SELECT FROM push_devices WHERE push_devices.user_id = n.user_id)))`;

/**
 * Ids are those of events, UUIDv7: the oldest notifications are the head of the primary key. One that was made long after its
 * event stays until it is old itself, and one that waits to be sent, or for a digest or a device, until it was sent: a snooze can be
 * extended without end. What another transaction holds is left for the next batch.
 */
export const REMOVE_BEFORE = `
  DELETE FROM notifications WHERE id = ANY (ARRAY(
    SELECT id FROM notifications AS n WHERE id < $1::uuid AND greatest(created_at, awaits_device_since) < $2::timestamptz
      AND NOT (${WAITS_FOR_DIGEST} OR ${isQueued('deliveries')} OR ${isQueued('push_deliveries')}
        OR ${isInQueued('digests')} OR ${isInQueued('push_digests')})
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
            SELECT * FROM notifications WHERE user_id = ${userId}::uuid AND in_bell AND (change_order, seq) < (
              SELECT change_order, seq FROM notifications WHERE id = ${before}::uuid AND user_id = ${userId}::uuid)
            ORDER BY change_order DESC, seq DESC LIMIT ${limit}`
        : await prisma.$queryRaw<Row[]>`
            SELECT * FROM notifications WHERE user_id = ${userId}::uuid AND in_bell
            ORDER BY change_order DESC, seq DESC LIMIT ${limit}`;
      return rows.map(toNotification);
    },
    async listForExport({ userId, receiptNumbers }, { before, limit }) {
      const [number = null, seq = null] = before?.split('-').map(String) ?? [];
      const rows = await prisma.$queryRaw<Row[]>`
        SELECT * FROM notifications
        WHERE user_id = ${userId}::uuid AND milestone IS NULL
          AND (${seq}::int IS NULL OR (change_order, seq) < (${number}::bigint, ${seq}::int))
          AND (${receiptNumbers ?? null}::text[] IS NULL OR receipt_number = ANY(${receiptNumbers ?? null}::text[]))
        ORDER BY change_order DESC, seq DESC LIMIT ${limit}`;
      return rows.map(toNotification).filter((one) => one.kind === 'status');
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
  const every = {
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at.toISOString(),
    read: row.read,
    order: orderOf(row),
  };
  const subject = toSubject(row);
  if (subject.kind === 'status') return { ...every, ...subject };
  return { ...every, ...subject, effectiveAt: subject.effectiveAt.toISOString() };
}

/** Two numbers of one length each, the most significant first: as texts they compare like the rows. */
function orderOf({ change_order, seq }: Row): string {
  return `${String(change_order).padStart(19, '0')}-${String(seq).padStart(10, '0')}`;
}
