import type { PlanEndReason, PlanMilestone } from '@casewatch/contracts/limits';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

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
 * never wait for each other in a circle; a deleted recipient is not locked, not numbered and gets nothing. Where there
 * are e-mails ($10), each new notification has its row in the delivery log. Where the recipient has stopped e-mails about
 * cases, it is skipped; an e-mail about the plan is part of the contract and is sent.
 */
const RECORD = `
  WITH fresh AS (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY nth) AS place, count(*) OVER (PARTITION BY user_id) AS places
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
      WITH ORDINALITY
      AS news (id, user_id, receipt_number, old_status, new_status, milestone, reason, effective_at, nth)
    WHERE NOT EXISTS (SELECT FROM notifications AS known WHERE known.id = news.id)
  ), numbered AS (
    INSERT INTO recipients (user_id, last_seq)
    SELECT user_id, count(*) FROM fresh GROUP BY user_id ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq + excluded.last_seq
      WHERE recipients.deleted_at IS NULL
    RETURNING user_id, last_seq, email
  ), notified AS (
    INSERT INTO notifications (
      id, user_id, seq, receipt_number, old_status, new_status, milestone, reason, effective_at, created_at)
    SELECT id, user_id, last_seq - places + place, receipt_number, old_status, new_status, milestone, reason,
      effective_at, $9
    FROM fresh JOIN numbered USING (user_id)
    ON CONFLICT (id) DO NOTHING
    RETURNING id, user_id, milestone
  ), logged AS (
    INSERT INTO deliveries (notification_id, channel, state, queued_at, next_attempt_at, last_error)
    SELECT id, 'email', CASE WHEN wanted THEN 'queued' ELSE 'skipped' END, $9,
      CASE WHEN wanted THEN $9::timestamptz END, CASE WHEN wanted THEN NULL ELSE 'opted-out' END
    FROM (SELECT id, email OR milestone IS NOT NULL AS wanted FROM notified JOIN numbered USING (user_id)) AS mail
    WHERE $10::boolean
  )
  SELECT DISTINCT user_id FROM notified`;

/**
 * Notifies each user, once per event and in the order given; not those who were deleted. `byEmail`:
 * queues an e-mail as well. Resolves to the users who have something new.
 */
export async function recordNotifications(
  tx: SqlExecutor,
  news: readonly (StatusNews | PlanNews)[],
  nowMs: number,
  { byEmail = false } = {},
): Promise<string[]> {
  const columns = news.map((one) => {
    if ('milestone' in one) return [null, null, null, one.milestone, one.reason ?? null, one.effectiveAt];
    return [one.receiptNumber, one.oldStatus || null, one.newStatus, null, null, null];
  });
  const rows = await tx.query<{ user_id: string }>(RECORD, [
    news.map(({ eventId }) => eventId),
    news.map(({ userId }) => userId),
    ...[0, 1, 2, 3, 4, 5].map((column) => columns.map((row) => row[column])),
    new Date(nowMs),
    byEmail,
  ]);
  return rows.map((row) => row.user_id);
}
