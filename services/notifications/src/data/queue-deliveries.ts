import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { ChosenDelivery } from '../domain/choose-deliveries.ts';
import { LOOK_AGAIN_MS } from '../domain/send-due-deliveries.ts';

/** Adds the deliveries to the delivery logs. */
export async function queueDeliveries(
  tx: SqlExecutor,
  chosen: readonly ChosenDelivery[],
  nowMs: number,
): Promise<void> {
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
