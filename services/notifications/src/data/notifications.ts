import type { Notification } from '@casewatch/contracts/notifications';
import { needsAction } from '@casewatch/contracts/status-guide';
import { uuidV7Floor } from '@casewatch/service-kit/database/uuid-v7';
import type { Pool } from 'pg';
import type { NotificationRetention } from '../domain/retention.ts';
import type { Store } from '../domain/store.ts';
import { type SubjectRow, toSubject } from './subject-row.ts';

interface Row extends SubjectRow {
  id: string;
  user_id: string;
  seq: number;
  created_at: Date;
  read: boolean;
  change_order: string;
}

const IS_QUEUED = `
  EXISTS (SELECT FROM deliveries WHERE notification_id = n.id AND state = 'queued')`;
const IS_IN_QUEUED = `
  EXISTS (SELECT FROM deliveries WHERE user_id = n.user_id AND state = 'queued' AND n.id = ANY (changes))`;
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
      AND NOT (${WAITS_FOR_DIGEST} OR ${IS_QUEUED} OR ${IS_IN_QUEUED})
    ORDER BY id LIMIT $3::int FOR UPDATE SKIP LOCKED))`;

/** Digests that wait to be sent stay, however old they are. */
export const REMOVE_DIGESTS_BEFORE = `
  DELETE FROM deliveries WHERE id = ANY (ARRAY(
    SELECT id FROM deliveries
    WHERE kind = 'digest' AND state <> 'queued' AND queued_at < $1::timestamptz AND notification_id IS NULL
    ORDER BY queued_at LIMIT $2::int FOR UPDATE SKIP LOCKED))`;

const NEWER = `
  SELECT newer.* FROM unnest($1::uuid[], $2::int[]) AS follower (user_id, seq)
  CROSS JOIN LATERAL (
    SELECT * FROM notifications AS n WHERE n.user_id = follower.user_id AND n.in_bell AND n.seq > follower.seq
    ORDER BY n.seq LIMIT $3) AS newer
  ORDER BY newer.user_id, newer.seq`;

/** Changes of a user's cases: of all, or of chosen ones. */
const EXPORTED = `
  FROM notifications WHERE user_id = $1 AND new_status IS NOT NULL AND ($2::text[] IS NULL OR receipt_number = ANY ($2::text[]))`;

/** Creates the store on PostgreSQL; what every open browser polls is one prepared statement each. */
export function createStore(pool: Pool): Store & NotificationRetention {
  const read = async (name: string, text: string, values: readonly unknown[]) =>
    (await pool.query<Row>({ name, text, values: [...values] })).rows;
  const change = async (text: string, values: readonly unknown[]) =>
    (await pool.query(text, [...values])).rowCount ?? 0;
  return {
    async list(userId, { limit, before }) {
      const rows = before
        ? await read(
            'list-older-notifications',
            `SELECT * FROM notifications WHERE user_id = $1 AND in_bell AND (change_order, seq) < (
               SELECT change_order, seq FROM notifications WHERE id = $3 AND user_id = $1)
             ORDER BY change_order DESC, seq DESC LIMIT $2`,
            [userId, limit, before],
          )
        : await read(
            'list-notifications',
            `SELECT * FROM notifications WHERE user_id = $1 AND in_bell
             ORDER BY change_order DESC, seq DESC LIMIT $2`,
            [userId, limit],
          );
      return rows.map(toNotification);
    },
    async listForExport({ userId, receiptNumbers }, { before, limit }) {
      const [number = null, seq = null] = before?.split('-').map(String) ?? [];
      const rows = await read(
        'export-notifications',
        `SELECT * ${EXPORTED} AND ($4::int IS NULL OR (change_order, seq) < ($3::bigint, $4::int))
         ORDER BY change_order DESC, seq DESC LIMIT $5`,
        [userId, receiptNumbers ?? null, number, seq, limit],
      );
      return rows.map(toNotification).filter((one) => one.kind === 'status');
    },
    async countForExport({ userId, receiptNumbers }) {
      const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int AS count ${EXPORTED}`, [
        userId,
        receiptNumbers ?? null,
      ]);
      return rows[0]?.count ?? 0;
    },
    async countUnread(userId) {
      const { rows } = await pool.query<{ count: number }>({
        name: 'count-unread',
        text: 'SELECT count(*)::int AS count FROM notifications WHERE user_id = $1 AND NOT read',
        values: [userId],
      });
      return rows[0]?.count ?? 0;
    },
    async markRead(userId, id) {
      const [row] = await read(
        'mark-read',
        'UPDATE notifications SET read = true WHERE id = $2 AND user_id = $1 RETURNING *',
        [userId, id],
      );
      return row && toNotification(row);
    },
    markAllRead: (userId) =>
      change('UPDATE notifications SET read = true WHERE user_id = $1 AND NOT read', [userId]),
    async lastSeq(userId) {
      const { rows } = await pool.query<{ last_seq: number; deleted_at: Date | null }>(
        'SELECT last_seq, deleted_at FROM recipients WHERE user_id = $1',
        [userId],
      );
      const [recipient] = rows;
      if (!recipient) return 0;
      return recipient.deleted_at ? undefined : recipient.last_seq;
    },
    async newerThan(followers, limit) {
      const rows = await read('newer-notifications', NEWER, [
        [...followers.keys()],
        [...followers.values()],
        limit,
      ]);
      return rows.map((row) => ({ seq: row.seq, notification: toNotification(row) }));
    },
    async removeBefore(beforeMs, limit) {
      const before = new Date(beforeMs);
      return Math.max(
        await change(REMOVE_BEFORE, [uuidV7Floor(beforeMs), before, limit]),
        await change(REMOVE_DIGESTS_BEFORE, [before, limit]),
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
  if (subject.kind === 'status') return { ...every, ...subject, needsAction: needsAction(subject.newStatus) };
  if (subject.kind === 'date') return { ...every, ...subject };
  return { ...every, ...subject, effectiveAt: subject.effectiveAt.toISOString() };
}

/** Two numbers of one length each, the most significant first: as texts they compare like the rows. */
function orderOf({ change_order, seq }: Row): string {
  return `${String(change_order).padStart(19, '0')}-${String(seq).padStart(10, '0')}`;
}
