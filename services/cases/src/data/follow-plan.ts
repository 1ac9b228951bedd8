import type { Tier } from '@casewatch/contracts/limits';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Watched } from '../domain/saved-case-store.ts';
import { lockUser } from './lock-user.ts';
import { frequencyOf } from './saved-case-rows.ts';

/**
 * Records the user's plan, unless a later one is known or the user is deleted, and pauses or resumes the chosen
 * monitoring with it. Resolves to how often each case that this changes is to be checked now.
 */
export async function followPlan(
  tx: SqlExecutor,
  userId: string,
  { tier, atMs }: { tier: Tier; atMs: number },
): Promise<Watched[]> {
  await lockUser(tx, userId);
  const at = new Date(atMs).toISOString();
  const recorded = await tx.query(
    `INSERT INTO plans (user_id, tier, changed_at)
     SELECT $1::uuid, $2, $3::timestamptz
     WHERE NOT EXISTS (SELECT FROM deleted_users WHERE user_id = $1::uuid)
     ON CONFLICT (user_id) DO UPDATE SET tier = excluded.tier, changed_at = excluded.changed_at
     WHERE plans.changed_at <= excluded.changed_at
     RETURNING user_id`,
    [userId, tier, at],
  );
  if (recorded.length === 0) return [];
  const rows = await tx.query<{ receipt_number: string; monitoring_frequency: string }>(
    tier === 'pro' ? RESUME : PAUSE,
    tier === 'pro' ? [userId] : [userId, at],
  );
  return rows.map(({ receipt_number: receiptNumber, monitoring_frequency }) => ({
    receiptNumber,
    frequency: tier === 'pro' ? frequencyOf(monitoring_frequency) : ('none' as const),
  }));
}

/** Rows are locked in the order in which observations lock them, so that neither waits for the other. */
const PAUSE = `
  WITH own AS MATERIALIZED (
    SELECT id FROM saved_cases
    WHERE user_id = $1::uuid AND monitoring_frequency <> 'none' AND monitoring_paused_at IS NULL
    ORDER BY receipt_number FOR NO KEY UPDATE
  )
  UPDATE saved_cases SET monitoring_paused_at = $2::timestamptz WHERE id IN (SELECT id FROM own)
  RETURNING receipt_number, monitoring_frequency`;

const RESUME = `
  WITH own AS MATERIALIZED (
    SELECT id FROM saved_cases WHERE user_id = $1::uuid AND monitoring_paused_at IS NOT NULL
    ORDER BY receipt_number FOR NO KEY UPDATE
  )
  UPDATE saved_cases SET monitoring_paused_at = NULL WHERE id IN (SELECT id FROM own)
  RETURNING receipt_number, CASE WHEN archived_at IS NULL THEN monitoring_frequency ELSE 'none' END AS monitoring_frequency`;
