import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

export interface StatusChange {
  eventId: string;
  userId: string;
  receiptNumber: string;
  oldStatus?: string | undefined;
  newStatus: string;
}

/**
 * One statement for any number of changes. Recipients are locked in the order of their ids, so that two batches
 * never wait for each other in a circle; a deleted recipient is not locked, not numbered and gets nothing. Where there
 * are e-mails ($7), each new notification has its row in the delivery log, skipped for who wants none.
 */
const RECORD = `
  WITH fresh AS (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY nth) AS place, count(*) OVER (PARTITION BY user_id) AS places
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
      AS change (id, user_id, receipt_number, old_status, new_status, nth)
    WHERE NOT EXISTS (SELECT FROM notifications AS known WHERE known.id = change.id)
  ), numbered AS (
    INSERT INTO recipients (user_id, last_seq)
    SELECT user_id, count(*) FROM fresh GROUP BY user_id ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq + excluded.last_seq
      WHERE recipients.deleted_at IS NULL
    RETURNING user_id, last_seq, email
  ), notified AS (
    INSERT INTO notifications (id, user_id, seq, receipt_number, old_status, new_status, created_at)
    SELECT id, user_id, last_seq - places + place, receipt_number, old_status, new_status, $6
    FROM fresh JOIN numbered USING (user_id)
    ON CONFLICT (id) DO NOTHING
    RETURNING id, user_id
  ), logged AS (
    INSERT INTO deliveries (notification_id, channel, state, queued_at, next_attempt_at, last_error)
    SELECT id, 'email', CASE WHEN email THEN 'queued' ELSE 'skipped' END, $6,
      CASE WHEN email THEN $6::timestamptz END, CASE WHEN email THEN NULL ELSE 'opted-out' END
    FROM notified JOIN numbered USING (user_id) WHERE $7::boolean
  )
  SELECT DISTINCT user_id FROM notified`;

/**
 * Notifies the person of each change, once per event and in the order given; not those who were deleted. `byEmail`:
 * queues an e-mail as well. Resolves to the users who have something new.
 */
export async function recordStatusChanges(
  tx: SqlExecutor,
  changes: readonly StatusChange[],
  nowMs: number,
  { byEmail = false } = {},
): Promise<string[]> {
  const rows = await tx.query<{ user_id: string }>(RECORD, [
    changes.map(({ eventId }) => eventId),
    changes.map(({ userId }) => userId),
    changes.map(({ receiptNumber }) => receiptNumber),
    changes.map(({ oldStatus }) => oldStatus || null),
    changes.map(({ newStatus }) => newStatus),
    new Date(nowMs),
    byEmail,
  ]);
  return rows.map((row) => row.user_id);
}
