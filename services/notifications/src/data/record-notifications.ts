import type { PlanEndReason, PlanMilestone } from '@casewatch/contracts/limits';
import type { NotificationKind } from '@casewatch/contracts/notification-choices';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { type Channel, type ChosenDelivery, chooseDeliveries } from '../domain/choose-deliveries.ts';
import { LOOK_AGAIN_MS } from '../domain/send-due-deliveries.ts';
import { kindOf } from '../domain/user-settings.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';

interface StatusNews {
  eventId: string;
  userId: string;
  receiptNumber: string;
  oldStatus?: string | undefined;
  newStatus: string;
}
interface PlanNews {
  eventId: string;
  userId: string;
  milestone: PlanMilestone;
  reason?: PlanEndReason | undefined;
  effectiveAt: string;
}

/**
 * One statement for any number of notifications. Recipients are locked in the order of their ids, so that two batches
 * never wait for each other in a circle; a deleted recipient is not locked, not numbered and gets nothing.
 */
const RECORD = `
  WITH fresh AS (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY nth) AS place, count(*) OVER (PARTITION BY user_id) AS places
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[],
        $10::text[])
      WITH ORDINALITY
      AS news (id, user_id, receipt_number, old_status, new_status, milestone, reason, effective_at, kind, nth)
    WHERE NOT EXISTS (SELECT FROM notifications AS known WHERE known.id = news.id)
  ), numbered AS (
    INSERT INTO recipients (user_id, last_seq)
    SELECT user_id, count(*) FROM fresh GROUP BY user_id ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq + excluded.last_seq
      WHERE recipients.deleted_at IS NULL
    RETURNING user_id, last_seq, email
  ), notified AS (
    INSERT INTO notifications (
      id, user_id, seq, receipt_number, old_status, new_status, milestone, reason, effective_at, created_at, in_bell,
      read)
    SELECT id, user_id, last_seq - places + place, receipt_number, old_status, new_status, milestone, reason,
      effective_at, $9, bell <> 'never', bell = 'never'
    FROM fresh JOIN numbered USING (user_id) LEFT JOIN preferences USING (user_id)
      CROSS JOIN LATERAL coalesce(settings #>> ARRAY['bell', kind], 'immediately') AS bell
    ON CONFLICT (id) DO NOTHING
    RETURNING id, user_id
  )
  SELECT id, user_id, kind, email, settings, push_timings,
    ARRAY(SELECT push_devices.id FROM push_devices WHERE push_devices.user_id = notified.user_id ORDER BY 1) AS devices
  FROM notified JOIN fresh USING (id, user_id) JOIN numbered USING (user_id) LEFT JOIN preferences USING (user_id)`;

interface RecordedRow extends SettingsRow {
  id: string;
  user_id: string;
  kind: NotificationKind;
  devices: string[];
}

/**
 * An e-mail without a due time is skipped, for the reason. One that waits counts as queued from when it is due, and is
 * looked at within the hour: its wait can end earlier.
 */
const QUEUE_MAILS = `
  INSERT INTO deliveries (notification_id, channel, state, queued_at, next_attempt_at, last_error)
  SELECT id, 'email', CASE WHEN due_at IS NULL THEN 'skipped' ELSE 'queued' END, coalesce(due_at, $5), look_at, reason
  FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::text[]) AS chosen (id, due_at, look_at, reason)`;

/** A device that is removed meanwhile gets nothing. */
const QUEUE_PUSHES = `
  INSERT INTO push_deliveries (notification_id, device_id, state, queued_at, next_attempt_at, last_error)
  SELECT chosen.id, device_id, CASE WHEN due_at IS NULL THEN 'skipped' ELSE 'queued' END, coalesce(due_at, $6), look_at,
    reason
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::text[])
    AS chosen (id, device_id, due_at, look_at, reason)
  JOIN (SELECT id FROM push_devices WHERE id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE) AS device
    ON device.id = device_id`;

/**
 * Notifies each user, once per event and in the order given, with the deliveries that they chose; not those who were
 * deleted. Resolves to the users who have something new.
 */
export async function recordNotifications(
  tx: SqlExecutor,
  news: readonly (StatusNews | PlanNews)[],
  nowMs: number,
  channels: ReadonlySet<Channel> = new Set(),
): Promise<string[]> {
  const columns = news.map((one) => {
    if ('milestone' in one) return [null, null, null, one.milestone, one.reason ?? null, one.effectiveAt];
    return [one.receiptNumber, one.oldStatus || null, one.newStatus, null, null, null];
  });
  const recorded = await tx.query<RecordedRow>(RECORD, [
    news.map(({ eventId }) => eventId),
    news.map(({ userId }) => userId),
    ...[0, 1, 2, 3, 4, 5].map((column) => columns.map((row) => row[column])),
    new Date(nowMs),
    news.map((one) => kindOf('milestone' in one ? { kind: 'plan' } : { kind: 'status', ...one })),
  ]);
  const chosen = recorded.flatMap(({ id, user_id: userId, kind, devices, ...choice }) => {
    const recipient = { settings: toSettings(choice), devices };
    return chooseDeliveries({ id, userId, kind, createdAtMs: nowMs }, recipient, channels);
  });
  await queue(tx, chosen, nowMs);
  return [...new Set(recorded.map((row) => row.user_id))];
}

async function queue(tx: SqlExecutor, chosen: readonly ChosenDelivery[], nowMs: number): Promise<void> {
  const ids = (deliveries: readonly ChosenDelivery[]) =>
    deliveries.map(({ notificationId }) => notificationId);
  const columns = (deliveries: readonly ChosenDelivery[]) => [
    deliveries.map(({ dueMs }) => (dueMs === undefined ? null : new Date(dueMs))),
    deliveries.map(({ dueMs }) =>
      dueMs === undefined ? null : new Date(Math.min(dueMs, nowMs + LOOK_AGAIN_MS)),
    ),
    deliveries.map(({ reason }) => reason ?? null),
    new Date(nowMs),
  ];
  const mails = chosen.filter(({ channel }) => channel === 'email');
  if (mails.length > 0) await tx.query(QUEUE_MAILS, [ids(mails), ...columns(mails)]);
  const pushes = chosen.filter(({ channel }) => channel === 'push');
  if (pushes.length === 0) return;
  await tx.query(QUEUE_PUSHES, [ids(pushes), pushes.map(({ deviceId }) => deviceId), ...columns(pushes)]);
}
