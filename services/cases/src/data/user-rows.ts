import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { KnownPlan, UserRows } from '../domain/saved-case-store.ts';
import { publishWatches } from './publish-watches.ts';

/** Creates what events about users change. */
export const createUserRows = (bus: EventBus): UserRows => ({
  followPlan: (tx, userId, plan) => followPlan(tx, bus, userId, plan),
  eraseUser,
});

/** Locks the user: until the transaction ends no other one changes the data of this user. */
export async function lockUser(tx: SqlExecutor, userId: string): Promise<void> {
  await tx.query('SELECT 1 AS locked FROM pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `cases ${userId}`,
  ]);
}

/**
 * Removes the user's saved cases, those that could be restored, and counts of calls, and leaves a tombstone, so that a request or an event that comes late stores nothing
 * for this user again. Observations stay: they belong to receipt numbers, not to users.
 */
async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await lockUser(tx, userId);
  await tx.query(
    `INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING`,
    [userId, new Date(nowMs).toISOString()],
  );
  // In the order in which observations lock them, so that neither waits for the other.
  await tx.query(
    `WITH own AS MATERIALIZED (
       SELECT id FROM saved_cases WHERE user_id = $1::uuid ORDER BY receipt_number FOR UPDATE
     )
     DELETE FROM saved_cases WHERE id IN (SELECT id FROM own)`,
    [userId],
  );
  await tx.query('DELETE FROM removed_cases WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM watch_lists WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM plans WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM agency_queue WHERE user_id = $1::uuid', [userId]);
  await tx.query('DELETE FROM agency_budget_users WHERE user_id = $1::uuid', [userId]);
}

/**
 * Records the user's plan, unless a later one is known or the user is deleted, pauses or resumes the chosen monitoring with it, and
 * publishes what this changes.
 */
async function followPlan(
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
