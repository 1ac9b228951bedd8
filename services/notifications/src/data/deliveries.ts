import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import type { DeliveryClaim, DeliveryLog, DueMail } from '../domain/delivery-log.ts';
import { type SubjectRow, toSubject } from './subject-row.ts';

interface ClaimedRow extends SubjectRow {
  notification_id: string;
  user_id: string;
  created_at: Date;
  queued_at: Date;
  attempts: number;
  wanted: boolean;
}

/** E-mails in the table `deliveries`; every method is one statement, a transaction of its own. */
export function createDeliveryLog(sql: SqlExecutor): DeliveryLog {
  const settle = async (
    statement: string,
    claim: DeliveryClaim,
    ids: readonly string[],
    values: unknown[],
  ) => {
    if (ids.length > 0) await sql.query(statement, [ids, new Date(claim.leaseUntilMs), ...values]);
  };
  return {
    async claim({ nowMs, leaseMs, limit }) {
      const leaseUntilMs = nowMs + leaseMs;
      const times = [new Date(nowMs), new Date(leaseUntilMs)];
      const rows = await sql.query<ClaimedRow>(CLAIM_MAILS, [...times, limit]);
      return { leaseUntilMs, mails: rows.map(toMail) };
    },
    markSent: (claim, id, nowMs) => settle(MARK_SENT, claim, [id], [new Date(nowMs)]),
    giveUp: (claim, ids, reason) => settle(CLOSE, claim, ids, ['failed', reason]),
    skip: (claim, ids, reason) => settle(CLOSE, claim, ids, ['skipped', reason]),
    defer: (claim, id, { nextMs, reason }) => settle(DEFER, claim, [id], [new Date(nextMs), reason]),
    release: (claim, ids, nowMs) => settle(RELEASE, claim, ids, [new Date(nowMs)]),
  };
}

/**
 * $1 now, $2 the end of the lease, $3 how many. Moving `next_attempt_at` forward is the claim; who comes at the same
 * time skips the locked rows. The array keeps the planner from reading the whole table for the update.
 */
export const CLAIM_MAILS = `
  WITH mine AS MATERIALIZED (
    SELECT notification_id FROM deliveries
    WHERE state = 'queued' AND next_attempt_at <= $1::timestamptz
    ORDER BY next_attempt_at LIMIT $3::int
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE deliveries SET next_attempt_at = $2::timestamptz, attempts = attempts + 1
    WHERE notification_id = ANY (ARRAY(SELECT notification_id FROM mine)) AND channel = 'email'
    RETURNING notification_id, queued_at, attempts
  )
  SELECT claimed.*, user_id, receipt_number, old_status, new_status, milestone, reason, effective_at, created_at,
    recipients.email OR milestone IS NOT NULL AS wanted
  FROM claimed JOIN notifications ON id = notification_id JOIN recipients USING (user_id)
  ORDER BY queued_at, seq`;

/** $1 whose e-mails, $2 the end of the lease, which no other claim on the same row has. */
const settling = (set: string) => `
  UPDATE deliveries SET ${set}
  WHERE notification_id = ANY ($1::uuid[]) AND channel = 'email' AND state = 'queued'
    AND next_attempt_at = $2::timestamptz`;

const MARK_SENT = settling(`state = 'sent', sent_at = $3, next_attempt_at = NULL, last_error = NULL`);
const CLOSE = settling('state = $3, last_error = $4, next_attempt_at = NULL');
const DEFER = settling('next_attempt_at = $3, last_error = $4');
/** As if they had not been claimed. */
const RELEASE = settling('next_attempt_at = $3, attempts = attempts - 1');

function toMail(row: ClaimedRow): DueMail {
  return {
    notificationId: row.notification_id,
    userId: row.user_id,
    subject: toSubject(row),
    createdAt: row.created_at,
    queuedAtMs: row.queued_at.getTime(),
    attempts: row.attempts,
    wanted: row.wanted,
  };
}

export interface MailLevels {
  /** E-mails that wait, counted to 10,000. */
  readonly queued: number;
  /** How long the oldest of them has waited; 0 when none does. */
  readonly oldestSeconds: number;
}

export const MAIL_LEVELS = `
  SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'queued' LIMIT 10000) AS waiting) AS queued,
         (SELECT min(queued_at) FROM deliveries WHERE state = 'queued') AS oldest`;

export async function readMailLevels(pool: Pool, clock: Clock): Promise<MailLevels> {
  const { rows } = await pool.query<{ queued: number; oldest: Date | null }>(MAIL_LEVELS);
  const [{ queued, oldest } = { queued: 0, oldest: null }] = rows;
  const waitedMs = oldest === null ? 0 : clock.nowMs() - oldest.getTime();
  return { queued, oldestSeconds: Math.max(0, waitedMs) / 1_000 };
}
