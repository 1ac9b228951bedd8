import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { KnownPlan } from '../domain/saved-case-store.ts';
import { lockUser } from './lock-user.ts';
import { publishWatches } from './publish-watches.ts';

/**
 * Records the user's plan, unless a later one is known or the user is deleted, pauses or resumes the chosen monitoring with it, and
 * publishes what this changes.
 */
export async function followPlan(
  tx: SqlExecutor,
  bus: EventBus,
  userId: string,
  { tier, version, atMs }: KnownPlan,
): Promise<void> {
  await lockUser(tx, userId);
  const recorded = await tx.query(
    `INSERT INTO plans (user_id, tier, version)
     SELECT $1::uuid, $2, $3::integer
     WHERE NOT EXISTS (SELECT FROM deleted_users WHERE user_id = $1::uuid)
     ON CONFLICT (user_id) DO UPDATE SET tier = excluded.tier, version = excluded.version
     WHERE plans.version < excluded.version
     RETURNING user_id`,
    [userId, tier, version],
  );
  if (recorded.length === 0) return;
  const rows = await tx.query<{ receipt_number: string }>(
    tier === 'pro' ? RESUME : PAUSE,
    tier === 'pro' ? [userId] : [userId, new Date(atMs).toISOString()],
  );
  const changed = rows.map((row) => row.receipt_number);
  await publishWatches(tx, bus, userId, changed);
}

/** Rows are locked in the order in which observations lock them, so that neither waits for the other. */
const PAUSE = `
  WITH own AS MATERIALIZED (
    SELECT id FROM saved_cases
    WHERE user_id = $1::uuid AND monitoring_frequency <> 'none' AND monitoring_paused_at IS NULL
    ORDER BY receipt_number FOR NO KEY UPDATE
  )
  UPDATE saved_cases SET monitoring_paused_at = $2::timestamptz WHERE id IN (SELECT id FROM own)
  RETURNING receipt_number`;

const RESUME = `
  WITH own AS MATERIALIZED (
    SELECT id FROM saved_cases WHERE user_id = $1::uuid AND monitoring_paused_at IS NOT NULL
    ORDER BY receipt_number FOR NO KEY UPDATE
  )
  UPDATE saved_cases SET monitoring_paused_at = NULL WHERE id IN (SELECT id FROM own)
  RETURNING receipt_number`;
