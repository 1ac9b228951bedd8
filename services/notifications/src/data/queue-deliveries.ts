import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { ChosenDelivery } from '../domain/choose-deliveries.ts';
import { LOOK_AGAIN_MS } from '../domain/send-due-deliveries.ts';

/** Adds the deliveries of notifications to the delivery log. */
export async function queueDeliveries(
  tx: SqlExecutor,
  chosen: readonly ChosenDelivery[],
  nowMs: number,
): Promise<void> {
  if (chosen.length === 0) return;
  await tx.query(QUEUE, [
    chosen.map(({ channel }) => channel),
    chosen.map(({ notificationId }) => notificationId),
    chosen.map(({ deviceId }) => deviceId ?? null),
    chosen.map(({ dueMs }) => (dueMs === undefined ? null : new Date(dueMs))),
    chosen.map(({ dueMs }) =>
      dueMs === undefined ? null : new Date(Math.min(dueMs, nowMs + LOOK_AGAIN_MS)),
    ),
    chosen.map(({ reason }) => reason ?? null),
    new Date(nowMs),
  ]);
}

/**
 * A message without a due time is skipped, for the reason. One that waits counts as queued from when it is due, and is
 * looked at within the hour: its wait can end earlier. A device that is removed before then gets nothing.
 */
const QUEUE = `
  INSERT INTO deliveries (channel, kind, notification_id, device_id, state, queued_at, next_attempt_at, last_error)
  SELECT channel, 'notification', notification_id, device_id, CASE WHEN due_at IS NULL THEN 'skipped' ELSE 'queued' END,
    coalesce(due_at, $7), look_at, reason
  FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::text[])
    AS chosen (channel, notification_id, device_id, due_at, look_at, reason)
  LEFT JOIN (SELECT id FROM push_devices WHERE id = ANY ($3::uuid[]) ORDER BY id FOR KEY SHARE) AS device
    ON device.id = device_id
  WHERE device_id IS NULL OR device.id IS NOT NULL`;

const ACCOUNT_MAILS_KEPT_MS = 30 * 24 * 3_600_000;

/** Adds the e-mail to the delivery log, unless it is there, and removes a few that were settled long ago. */
export async function queueAccountMail(tx: SqlExecutor, mailId: string, nowMs: number): Promise<void> {
  await tx.query(
    `WITH settled AS (
       SELECT id FROM deliveries
       WHERE kind = 'account' AND queued_at < $3::timestamptz AND state <> 'queued' AND notification_id IS NULL
       ORDER BY queued_at LIMIT 10 FOR UPDATE SKIP LOCKED
     ), removed AS (
       DELETE FROM deliveries WHERE id IN (SELECT id FROM settled)
     )
     INSERT INTO deliveries (id, channel, kind, state, queued_at, next_attempt_at)
     VALUES ($1::uuid, 'email', 'account', 'queued', $2, $2) ON CONFLICT (id) DO NOTHING`,
    [mailId, new Date(nowMs), new Date(nowMs - ACCOUNT_MAILS_KEPT_MS)],
  );
}
