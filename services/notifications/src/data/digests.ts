import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { Pool } from 'pg';
import type { Channel } from '../domain/choose-deliveries.ts';
import { DIGEST_KINDS, type DigestKind, nextDigest } from '../domain/digest-schedule.ts';
import {
  CHANGES_PER_DIGEST,
  type DigestChange,
  type DigestChanges,
  type DigestLog,
  type DigestSchedules,
  type DueDigest,
} from '../domain/digests.ts';
import { type ClaimedRow, claiming, openLog, toDelivery } from './deliveries.ts';
import { DIGEST_TABLES, putBack } from './digest-changes.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';

interface ClaimedDigest extends ClaimedRow, SettingsRow {
  user_id: string;
  kind: string;
  period: string;
}

interface ScheduleRow extends SettingsRow {
  user_id: string;
  kind: string;
  next_at: Date;
}

const CLAIM = claiming(
  'digests',
  'id',
  `SELECT claimed.*, user_id, kind, period::text, settings
   FROM claimed JOIN digests USING (id) LEFT JOIN preferences USING (user_id)
   ORDER BY claimed.queued_at`,
);

/** The newest status of the case is read too: what arrived late is no news of where the case stands. */
const changesIn = (digests: string) => `
  SELECT digest.id AS "digestId", n.id AS "notificationId", n.receipt_number AS "receiptNumber",
    n.old_status AS "oldStatus", n.new_status AS "newStatus", n.created_at AS "createdAt", newest.status AS "newestStatus"
  FROM ${digests} AS digest CROSS JOIN unnest(digest.changes) AS change (id) JOIN notifications AS n ON n.id = change.id
  CROSS JOIN LATERAL (
    SELECT new_status AS status FROM notifications AS other
    WHERE other.user_id = n.user_id AND other.receipt_number = n.receipt_number
    ORDER BY other.change_order DESC, other.seq DESC LIMIT 1) AS newest
  WHERE digest.id = ANY ($1::uuid[])
  ORDER BY n.change_order, n.seq`;

/** Creates the changes in the digests of a channel. */
export function createDigestChanges(pool: Pool, channel: Channel): DigestChanges {
  const reading = changesIn(DIGEST_TABLES[channel].digests);
  return {
    changesOf: async (digests) =>
      (await pool.query<DigestChange>(reading, [digests.map(({ id }) => id)])).rows,
    async putBack(held, nowMs) {
      if (held.length === 0) return;
      const waiting = held.map(({ digest: { id, userId, kind, settings }, notificationId }) => ({
        digestId: id,
        userId,
        kind,
        notificationId,
        nextAtMs: nextDigest(kind, nowMs, settings).dueMs,
      }));
      await inTransaction(pool, (tx) => putBack(tx, channel, waiting));
    },
  };
}

/** Creates the digests that are to be sent, in the table `digests`. */
export function createDigestLog(sql: SqlExecutor, pool: Pool): DigestLog {
  const log = openLog<ClaimedDigest, DueDigest>(sql, {
    table: 'digests',
    key: 'id',
    claim: CLAIM,
    toDue: (row) => ({
      ...toDelivery(row),
      userId: row.user_id,
      kind: digestKindOf(row.kind),
      period: row.period,
      settings: toSettings(row),
    }),
  });
  return { ...log, ...createDigestChanges(pool, 'email') };
}

/** Makes those of `content` that are made: $7 now. */
const MAKE: Readonly<Record<Channel, string>> = {
  email: `
    INSERT INTO digests (id, user_id, kind, period, changes, state, queued_at, next_attempt_at)
    SELECT id, user_id, kind, period, changes, 'queued', $7::timestamptz, $7::timestamptz FROM content WHERE makes`,
  // One for each device that the user has now.
  push: `
    INSERT INTO push_digests (id, user_id, device_id, kind, period, changes, state, queued_at, next_attempt_at)
    SELECT gen_random_uuid(), user_id, device_id, kind, period, changes, 'queued', $7::timestamptz, $7::timestamptz
    FROM content JOIN device USING (user_id) WHERE makes`,
};

/** Without a device changes wait for the first one. */
const CAN_BE_MADE: Readonly<Record<Channel, string>> = {
  email: 'true',
  push: 'EXISTS (SELECT FROM device WHERE device.user_id = asked.user_id)',
};

/** Two scans of one index: the due ones, and those of a wrong clock. */
const dueIn = (schedules: string) => `
  SELECT user_id, kind, next_at, settings FROM (
    (SELECT * FROM ${schedules} WHERE next_at <= $1::timestamptz ORDER BY next_at, user_id, kind LIMIT $3)
    UNION ALL
    (SELECT * FROM ${schedules} WHERE next_at > $2::timestamptz ORDER BY next_at, user_id, kind LIMIT $3)
  ) AS due LEFT JOIN preferences USING (user_id)
  LIMIT $3`;

/** `was_at` is what the caller has read: a process that comes second finds another time. */
const lockIn = (schedules: string) => `
  SELECT schedule.user_id, schedule.kind FROM ${schedules} AS schedule
  JOIN unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS asked (user_id, kind, was_at)
    ON schedule.user_id = asked.user_id AND schedule.kind = asked.kind AND schedule.next_at = asked.was_at
  ORDER BY schedule.user_id, schedule.kind FOR UPDATE OF schedule SKIP LOCKED`;

/**
 * A digest takes what waits for it, in the order of the changes; what it has no room for waits for the next one. What a period's
 * digest has taken stays in it, and what came since waits. A schedule that is to end stays while something waits.
 */
const advanceIn = (channel: Channel, { schedules, digests }: (typeof DIGEST_TABLES)[Channel]) => `
  WITH asked AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::date[], $5::uuid[], $6::boolean[])
      AS asked (user_id, kind, then_at, period, id, is_last)
  ), device AS MATERIALIZED (
    SELECT id AS device_id, user_id FROM push_devices
    WHERE user_id = ANY ($1::uuid[]) AND '${channel}' = 'push' ORDER BY id FOR KEY SHARE
  ), due AS MATERIALIZED (
    SELECT asked.*, asked.period IS NOT NULL AND ${CAN_BE_MADE[channel]} AND NOT EXISTS (
        SELECT FROM ${digests} AS made WHERE made.user_id = asked.user_id AND made.kind = asked.kind
          AND made.period = asked.period) AS makes
    FROM asked JOIN recipients ON recipients.user_id = asked.user_id AND recipients.deleted_at IS NULL
  ), taken AS (
    DELETE FROM digest_changes AS waiting USING (
      SELECT next.* FROM due CROSS JOIN LATERAL (
        SELECT own.user_id, own.kind, own.notification_id
        FROM digest_changes AS own JOIN notifications AS n ON n.id = own.notification_id
        WHERE own.user_id = due.user_id AND own.channel = '${channel}' AND own.kind = due.kind
        ORDER BY n.change_order, n.seq LIMIT ${CHANGES_PER_DIGEST}) AS next
      WHERE due.makes) AS next
    WHERE waiting.user_id = next.user_id AND waiting.channel = '${channel}' AND waiting.kind = next.kind
      AND waiting.notification_id = next.notification_id
    RETURNING waiting.user_id, waiting.kind, waiting.notification_id
  ), content AS MATERIALIZED (
    SELECT due.*, changes, due.is_last AND cardinality(changes) = (
        SELECT count(*) FROM digest_changes AS own
        WHERE own.user_id = due.user_id AND own.channel = '${channel}' AND own.kind = due.kind) AS ends
    FROM due CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT notification_id FROM taken WHERE taken.user_id = due.user_id AND taken.kind = due.kind) AS changes
    ) AS all_taken
  ), moved AS (
    UPDATE ${schedules} AS schedule SET next_at = content.then_at FROM content
    WHERE schedule.user_id = content.user_id AND schedule.kind = content.kind AND NOT content.ends
  ), ended AS (
    DELETE FROM ${schedules} AS schedule USING content
    WHERE schedule.user_id = content.user_id AND schedule.kind = content.kind AND content.ends
  )
  ${MAKE[channel]}
  RETURNING id`;

/** Creates the schedules of a channel's digests, in the table of their schedules. */
export function createDigestSchedules(sql: SqlExecutor, pool: Pool, channel: Channel): DigestSchedules {
  const tables = DIGEST_TABLES[channel];
  const [listing, locking] = [dueIn(tables.schedules), lockIn(tables.schedules)];
  const advancing = advanceIn(channel, tables);
  return {
    channel,
    async listDue(nowMs, latestMs, limit) {
      const rows = await sql.query<ScheduleRow>(listing, [new Date(nowMs), new Date(latestMs), limit]);
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
        const locked = await tx.query<{ user_id: string; kind: string }>(locking, [
          advances.map(({ userId }) => userId),
          advances.map(({ kind }) => kind),
          advances.map(({ nextAtMs }) => new Date(nextAtMs)),
        ]);
        const isLocked = new Set(locked.map(({ user_id, kind }) => `${user_id} ${kind}`));
        const own = advances.filter(({ userId, kind }) => isLocked.has(`${userId} ${kind}`));
        const made = await tx.query(advancing, [
          own.map(({ userId }) => userId),
          own.map(({ kind }) => kind),
          own.map(({ thenMs }) => new Date(thenMs)),
          own.map(({ makes }) => makes?.period ?? null),
          own.map(() => uuidV7(nowMs)),
          own.map(({ isLast }) => isLast),
          new Date(nowMs),
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
