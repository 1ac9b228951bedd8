import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { type Channel, chooseDeliveries } from '../domain/choose-deliveries.ts';
import { kindOf } from '../domain/user-settings.ts';
import { keepForDigests, waitingFor } from './digest-changes.ts';
import { queueDeliveries } from './queue-deliveries.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';
import { SUBJECT_COLUMNS, type SubjectRow, toSubject } from './subject-row.ts';

/** A message that was to be sent before has been read in the list or in an e-mail. */
const AWAITED_MAX_MS = 72 * 3_600_000;

/** What waits for a digest comes in that one. One that is not behind the bell is stored as read. */
const TAKE = `
  WITH awaited AS (
    UPDATE notifications AS n SET awaits_device_since = NULL FROM notifications AS old
    WHERE n.user_id = $1::uuid AND n.awaits_device_since IS NOT NULL AND NOT (n.read AND n.in_bell) AND old.id = n.id
    RETURNING n.*, old.awaits_device_since AS since
  )
  SELECT id, ${SUBJECT_COLUMNS}, settings
  FROM awaited LEFT JOIN preferences USING (user_id)
  WHERE since >= $2::timestamptz AND NOT EXISTS (
    SELECT FROM digest_changes WHERE notification_id = awaited.id AND channel = 'push')
  ORDER BY change_order, seq`;

interface AwaitedRow extends SubjectRow, SettingsRow {
  id: string;
}

/**
 * Queues for a user's first device what came while there was none, is unread and not old, or keeps it for the digest that is chosen by
 * now. Needs the user's row locked.
 */
export async function queueAwaitedPushes(
  tx: SqlExecutor,
  { userId, deviceId }: { userId: string; deviceId: string },
  nowMs: number,
): Promise<void> {
  const rows = await tx.query<AwaitedRow>(TAKE, [userId, new Date(nowMs - AWAITED_MAX_MS)]);
  const channels = new Set<Channel>(['push']);
  const awaited = rows.map((row) => ({
    notification: { id: row.id, userId, kind: kindOf(toSubject(row)), createdAtMs: nowMs },
    settings: toSettings(row),
  }));
  const chosen = awaited.flatMap(({ notification, settings }) =>
    chooseDeliveries(notification, { settings, devices: [deviceId] }, channels),
  );
  await queueDeliveries(tx, chosen, nowMs);
  await keepForDigests(
    tx,
    awaited.flatMap(({ notification, settings }) => waitingFor(notification, settings, channels)),
  );
}

/** A removed device's messages wait as they waited there. */
const HAND_OVER = `
  INSERT INTO deliveries (channel, kind, notification_id, user_id, digest_kind, period, changes, device_id, state, queued_at,
    next_attempt_at, last_error)
  SELECT channel, kind, notification_id, delivery.user_id, digest_kind, period, changes, other.id, state, queued_at,
    next_attempt_at, delivery.last_error
  FROM deliveries AS delivery JOIN push_devices AS own ON own.id = device_id
    JOIN push_devices AS other ON other.user_id = own.user_id AND other.id <> own.id
    LEFT JOIN (SELECT id FROM notifications
      WHERE id IN (SELECT notification_id FROM deliveries WHERE device_id = $1::uuid AND state = 'queued')
      ORDER BY id FOR KEY SHARE) AS found ON found.id = notification_id
  WHERE device_id = $1::uuid AND state = 'queued' AND (notification_id IS NULL OR found.id IS NOT NULL)
  ON CONFLICT DO NOTHING`;

/** Whether the device is the only one of its user. */
const IS_LAST = `NOT EXISTS (
  SELECT FROM push_devices AS other JOIN push_devices AS own ON own.user_id = other.user_id AND own.id <> other.id
  WHERE own.id = $1::uuid)`;

const AWAIT_ANOTHER = `
  UPDATE notifications SET awaits_device_since = queued_at FROM deliveries
  WHERE ${IS_LAST} AND notification_id = notifications.id AND device_id = $1::uuid AND state = 'queued'`;

/** What was in a digest that the device did not get waits for the next one, whose schedule continues. */
const KEEP_DIGESTED = `
  WITH unsent AS (
    SELECT user_id, digest_kind AS kind, unnest(changes) AS id FROM deliveries
    WHERE device_id = $1::uuid AND state = 'queued' AND ${IS_LAST}
  ), scheduled AS (
    INSERT INTO digest_schedules (user_id, channel, kind, next_at)
    SELECT DISTINCT user_id, 'push', kind, $2::timestamptz FROM unsent
    ON CONFLICT (user_id, channel, kind) DO UPDATE SET next_at = digest_schedules.next_at
  )
  INSERT INTO digest_changes (user_id, channel, kind, notification_id)
  SELECT user_id, 'push', kind, id FROM unsent JOIN (
    SELECT id FROM notifications WHERE id IN (SELECT id FROM unsent) FOR KEY SHARE) AS found USING (id)
  ON CONFLICT DO NOTHING`;

/**
 * Removes a device. What it has not got goes to the user's other devices that have no message of it; without one it waits for the next.
 * Needs the user's row locked.
 */
export async function removeDevice(tx: SqlExecutor, id: string, nowMs: number): Promise<void> {
  await tx.query(HAND_OVER, [id]);
  await tx.query(AWAIT_ANOTHER, [id]);
  await tx.query(KEEP_DIGESTED, [id, new Date(nowMs)]);
  await tx.query('DELETE FROM push_devices WHERE id = $1', [id]);
}
