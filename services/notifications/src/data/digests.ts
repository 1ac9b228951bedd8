import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import type { Channel } from '../domain/choose-deliveries.ts';
import { DIGEST_KINDS, type DigestKind, nextDigest } from '../domain/digest-schedule.ts';
import {
  CHANGES_PER_DIGEST,
  type DigestChange,
  type DigestChanges,
  type DigestSchedules,
} from '../domain/digests.ts';
import { putBack } from './digest-changes.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';

interface ScheduleRow extends SettingsRow {
  user_id: string;
  kind: string;
  next_at: Date;
}

/** The newest status of the case is read too: what arrived late does not say where the case stands now. */
const CHANGES = `
  SELECT digest.id AS "digestId", n.id AS "notificationId", n.receipt_number AS "receiptNumber",
    n.old_status AS "oldStatus", n.new_status AS "newStatus", n.created_at AS "createdAt", newest.status AS "newestStatus"
  FROM deliveries AS digest CROSS JOIN unnest(digest.changes) AS change (id) JOIN notifications AS n ON n.id = change.id
  CROSS JOIN LATERAL (
    SELECT new_status AS status FROM notifications AS other
    WHERE other.user_id = n.user_id AND other.receipt_number = n.receipt_number
    ORDER BY other.change_order DESC, other.seq DESC LIMIT 1) AS newest
  WHERE digest.id = ANY ($1::uuid[])
  ORDER BY n.change_order, n.seq`;

/** Creates the changes in digests of every channel. */
export function createDigestChanges(pool: Pool): DigestChanges {
  return {
    changesOf: async (digests) =>
      (await pool.query<DigestChange>(CHANGES, [digests.map(({ id }) => id)])).rows,
    async putBack(held, nowMs) {
      if (held.length === 0) return;
      const waiting = held.map(({ digest: { id, userId, kind, settings }, notificationId }) => ({
        digestId: id,
        userId,
        kind,
        notificationId,
        nextAtMs: nextDigest(kind, nowMs, settings).dueMs,
      }));
      await inTransaction(pool, (tx) => putBack(tx, waiting));
    },
  };
}

/** Two scans of one index: the due ones, and those of a wrong clock. */
const DUE = `
  SELECT user_id, kind, next_at, settings FROM (
    (SELECT * FROM digest_schedules WHERE channel = $4 AND next_at <= $1::timestamptz ORDER BY next_at, user_id, kind LIMIT $3)
    UNION ALL
    (SELECT * FROM digest_schedules WHERE channel = $4 AND next_at > $2::timestamptz ORDER BY next_at, user_id, kind LIMIT $3)
  ) AS due LEFT JOIN preferences USING (user_id)
  LIMIT $3`;

/** `was_at` is what the caller has read: a process that comes second finds another time. */
const LOCK = `
  SELECT schedule.user_id, schedule.kind FROM digest_schedules AS schedule
  JOIN unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS asked (user_id, kind, was_at)
    ON schedule.user_id = asked.user_id AND schedule.channel = $4 AND schedule.kind = asked.kind AND schedule.next_at = asked.was_at
  ORDER BY schedule.user_id, schedule.kind FOR UPDATE OF schedule SKIP LOCKED`;

/**
 * A digest takes what waits for it, in the order of the changes; what it has no room for waits for the next one. What a period's
 * digest has taken stays in it, and what came since waits. A schedule that is to end stays while something waits. By push message there is one
 * digest for each device that the user has now; without a device changes wait for the first one.
 */
const ADVANCE = `
  WITH asked AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::date[], $5::boolean[])
      AS asked (user_id, kind, then_at, period, is_last)
  ), device AS MATERIALIZED (
    SELECT id AS device_id, user_id FROM push_devices
    WHERE user_id = ANY ($1::uuid[]) AND $7 = 'push' ORDER BY id FOR KEY SHARE
  ), due AS MATERIALIZED (
    SELECT asked.*, asked.period IS NOT NULL AND NOT EXISTS (
        SELECT FROM deliveries AS made WHERE made.user_id = asked.user_id AND made.channel = $7
          AND made.digest_kind = asked.kind AND made.period = asked.period)
        AND ($7 = 'email' OR EXISTS (SELECT FROM device WHERE device.user_id = asked.user_id)) AS makes
    FROM asked JOIN recipients ON recipients.user_id = asked.user_id AND recipients.deleted_at IS NULL
  ), taken AS (
    DELETE FROM digest_changes AS waiting USING (
      SELECT next.* FROM due CROSS JOIN LATERAL (
        SELECT own.user_id, own.kind, own.notification_id
        FROM digest_changes AS own JOIN notifications AS n ON n.id = own.notification_id
        WHERE own.user_id = due.user_id AND own.channel = $7 AND own.kind = due.kind
        ORDER BY n.change_order, n.seq LIMIT ${CHANGES_PER_DIGEST}) AS next
      WHERE due.makes) AS next
    WHERE waiting.user_id = next.user_id AND waiting.channel = $7 AND waiting.kind = next.kind
      AND waiting.notification_id = next.notification_id
    RETURNING waiting.user_id, waiting.kind, waiting.notification_id
  ), content AS MATERIALIZED (
    SELECT due.*, changes, due.is_last AND cardinality(changes) = (
        SELECT count(*) FROM digest_changes AS own
        WHERE own.user_id = due.user_id AND own.channel = $7 AND own.kind = due.kind) AS ends
    FROM due CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT notification_id FROM taken WHERE taken.user_id = due.user_id AND taken.kind = due.kind) AS changes
    ) AS all_taken
  ), moved AS (
    UPDATE digest_schedules AS schedule SET next_at = content.then_at FROM content
    WHERE schedule.user_id = content.user_id AND schedule.channel = $7 AND schedule.kind = content.kind AND NOT content.ends
  ), ended AS (
    DELETE FROM digest_schedules AS schedule USING content
    WHERE schedule.user_id = content.user_id AND schedule.channel = $7 AND schedule.kind = content.kind AND content.ends
  )
  INSERT INTO deliveries (channel, kind, user_id, device_id, digest_kind, period, changes, state, queued_at, next_attempt_at)
  SELECT $7, 'digest', user_id, device_id, kind, period, changes, 'queued', $6::timestamptz, $6::timestamptz
  FROM content LEFT JOIN device USING (user_id) WHERE makes
  RETURNING id`;

/** Creates the schedules of a channel's digests, in the table `digest_schedules`. */
export function createDigestSchedules(pool: Pool, channel: Channel): DigestSchedules {
  return {
    channel,
    async listDue(nowMs, latestMs, limit) {
      const { rows } = await pool.query<ScheduleRow>(DUE, [
        new Date(nowMs),
        new Date(latestMs),
        limit,
        channel,
      ]);
      return rows.map((row) => ({
        userId: row.user_id,
        kind: digestKindOf(row.kind),
        nextAtMs: row.next_at.getTime(),
        settings: toSettings(row),
      }));
    },
    async advance(advances, nowMs) {
      if (advances.length === 0) return 0;
      return inTransaction(pool, async (tx) => {
        // A statement of its own: what was kept for a digest before the lock was granted is seen by the next one.
        const locked = await tx.query<{ user_id: string; kind: string }>(LOCK, [
          advances.map(({ userId }) => userId),
          advances.map(({ kind }) => kind),
          advances.map(({ nextAtMs }) => new Date(nextAtMs)),
          channel,
        ]);
        const isLocked = new Set(locked.map(({ user_id, kind }) => `${user_id} ${kind}`));
        const own = advances.filter(({ userId, kind }) => isLocked.has(`${userId} ${kind}`));
        const made = await tx.query(ADVANCE, [
          own.map(({ userId }) => userId),
          own.map(({ kind }) => kind),
          own.map(({ thenMs }) => new Date(thenMs)),
          own.map(({ makes }) => makes?.period ?? null),
          own.map(({ isLast }) => isLast),
          new Date(nowMs),
          channel,
        ]);
        return made.length;
      });
    },
  };
}

/** Narrows the value of a column with a CHECK; the type of a text column can't say so. */
export function digestKindOf(text: string): DigestKind {
  const found = DIGEST_KINDS.find((kind) => kind === text);
  if (!found) throw new Error(`the database holds the digest kind ${text}`);
  return found;
}
