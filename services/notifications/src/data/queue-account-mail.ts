import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

const KEPT_MS = 30 * 24 * 3_600_000;

/** Adds the e-mail to the delivery log, unless it is there, and removes a few that were settled long ago. */
export async function queueAccountMail(tx: SqlExecutor, mailId: string, nowMs: number): Promise<void> {
  await tx.query(
    `WITH settled AS (
       SELECT id FROM account_deliveries WHERE queued_at < $3::timestamptz AND state <> 'queued'
       ORDER BY queued_at LIMIT 10 FOR UPDATE SKIP LOCKED
     ), removed AS (
       DELETE FROM account_deliveries WHERE id IN (SELECT id FROM settled)
     )
     INSERT INTO account_deliveries (id, state, queued_at, next_attempt_at)
     VALUES ($1::uuid, 'queued', $2, $2) ON CONFLICT (id) DO NOTHING`,
    [mailId, new Date(nowMs), new Date(nowMs - KEPT_MS)],
  );
}
