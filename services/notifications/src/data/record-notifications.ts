import type { NotificationKind } from '@casewatch/contracts/notification-choices';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { type Channel, chooseDeliveries } from '../domain/choose-deliveries.ts';
import type { Notifying } from '../domain/notify-users.ts';
import { kindOf } from '../domain/user-settings.ts';
import { keepForDigests, waitingFor } from './digest-changes.ts';
import { queueDeliveries } from './queue-deliveries.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';

/**
 * One statement for any number of notifications. Recipients are locked in the order of their ids, so that two batches
 * never wait for each other in a circle; a deleted recipient is not locked, not numbered and gets nothing. A notification about
 * the plan or a date is ordered after the newest change that its user has by then.
 */
const RECORD = `
  WITH fresh AS (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY nth) AS place, count(*) OVER (PARTITION BY user_id) AS places
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[],
        $9::bigint[], $10::jsonb[], $11::uuid[], $12::text[], $13::text[], $14::text[], $15::text[])
      WITH ORDINALITY
      AS new_row (id, user_id, receipt_number, old_status, new_status, milestone, reason, effective_at, change_order, price_change,
        date_id, date_kind, day, date_label, kind, nth)
    WHERE NOT EXISTS (SELECT FROM notifications AS known WHERE known.id = new_row.id)
  ), numbered AS (
    INSERT INTO recipients (user_id, last_seq, newest_change)
    SELECT user_id, count(*), coalesce(max(change_order), 0) FROM fresh GROUP BY user_id ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq + excluded.last_seq,
      newest_change = greatest(recipients.newest_change, excluded.newest_change)
      WHERE recipients.deleted_at IS NULL
    RETURNING user_id, last_seq, newest_change
  ), notified AS (
    INSERT INTO notifications (
      id, user_id, seq, receipt_number, old_status, new_status, milestone, reason, effective_at, change_order, price_change, created_at,
      date_id, date_kind, day, date_label, in_bell, read, awaits_device_since)
    SELECT id, user_id, last_seq - places + place, receipt_number, old_status, new_status, milestone, reason,
      effective_at, coalesce(change_order, newest_change), price_change, $16,
      date_id, date_kind, day, date_label, bell <> 'never', bell = 'never',
      CASE WHEN $17 AND NOT EXISTS (SELECT FROM push_devices WHERE push_devices.user_id = fresh.user_id) THEN $16::timestamptz END
    FROM fresh JOIN numbered USING (user_id) LEFT JOIN preferences USING (user_id)
      CROSS JOIN LATERAL coalesce(settings #>> ARRAY['bell', kind], 'immediately') AS bell
    ON CONFLICT (id) DO NOTHING
    RETURNING id, user_id
  )
  SELECT id, user_id, kind, settings,
    ARRAY(SELECT push_devices.id FROM push_devices WHERE push_devices.user_id = notified.user_id ORDER BY 1) AS devices
  FROM notified JOIN fresh USING (id, user_id) JOIN numbered USING (user_id) LEFT JOIN preferences USING (user_id)`;

function kindOfRow(row: Notifying): NotificationKind {
  if ('milestone' in row) return kindOf({ kind: 'plan' });
  return kindOf('dateId' in row ? { kind: 'date' } : { kind: 'status', ...row });
}

interface RecordedRow extends SettingsRow {
  id: string;
  user_id: string;
  kind: NotificationKind;
  devices: string[];
}

/**
 * Notifies each user, once per event and in the order given, with the deliveries that they chose; not those who were
 * deleted. Resolves to the users who have something new.
 */
export async function recordNotifications(
  tx: SqlExecutor,
  rows: readonly Notifying[],
  nowMs: number,
  channels: ReadonlySet<Channel> = new Set(),
): Promise<string[]> {
  const columns = rows.map((one) => {
    if ('milestone' in one) {
      const priceChange = one.priceChange ? JSON.stringify(one.priceChange) : null;
      return [null, null, null, one.milestone, one.reason ?? null, one.effectiveAt, null, priceChange];
    }
    if ('dateId' in one) {
      const { receiptNumber, dateId, dateKind, day, label } = one;
      return [receiptNumber, null, null, null, null, null, null, null, dateId, dateKind, day, label];
    }
    const { receiptNumber, oldStatus, newStatus, callNumber } = one;
    return [receiptNumber, oldStatus || null, newStatus, null, null, null, callNumber, null];
  });
  const recorded = await tx.query<RecordedRow>(RECORD, [
    rows.map(({ eventId }) => eventId),
    rows.map(({ userId }) => userId),
    ...Array.from({ length: 12 }, (_, column) => columns.map((row) => row[column] ?? null)),
    rows.map(kindOfRow),
    new Date(nowMs),
    channels.has('push'),
  ]);
  const choices = recorded.map(({ id, user_id: userId, kind, devices, ...choice }) => ({
    notification: { id, userId, kind, createdAtMs: nowMs },
    recipient: { settings: toSettings(choice), devices },
  }));
  const chosen = choices.flatMap(({ notification, recipient }) =>
    chooseDeliveries(notification, recipient, channels),
  );
  await queueDeliveries(tx, chosen, nowMs);
  const kept = choices.flatMap(({ notification, recipient: { settings } }) =>
    waitingFor(notification, settings, channels),
  );
  await keepForDigests(tx, kept);
  return [...new Set(recorded.map((row) => row.user_id))];
}
