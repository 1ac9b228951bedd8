import { type AgencyQueueNow, WAITING_USERS_MAX } from '@casewatch/contracts/agency-queue';
import { movedTime } from '@casewatch/service-kit/database/database-time';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import { IS_CALLED } from '../caller/caller-session.ts';
import { IS_WAITING } from './agency-queue.ts';

const READ = `
  WITH moment AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
    waiting AS MATERIALIZED (
      SELECT user_id, requester ->> 'name' AS name, joined_at FROM agency_queue WHERE ${IS_WAITING}),
    kinds AS (
      SELECT user_id IS NOT NULL AS people, count(*)::integer AS lookups,
        greatest(0, extract(epoch FROM clock_timestamp() - min(joined_at)) * 1000)::integer AS "oldestMs"
      FROM waiting GROUP BY 1),
    longest AS (
      SELECT user_id AS "userId", max(name) AS "userFirstName", count(*)::integer AS lookups
      FROM waiting WHERE user_id IS NOT NULL GROUP BY 1 ORDER BY lookups DESC, 1 LIMIT ${WAITING_USERS_MAX})
  SELECT CASE WHEN ${IS_CALLED} THEN name END AS name, since,
    CASE WHEN paused_until > now THEN paused_until END AS "pausedUntil",
    CASE WHEN quota_spent_until > now THEN quota_spent_until END AS "quotaSpentUntil",
    coalesce((SELECT calls FROM agency_budget_days WHERE day = (now AT TIME ZONE 'UTC')::date), 0) AS "usedToday",
    (SELECT json_build_object('lookups', lookups, 'oldestMs', "oldestMs") FROM kinds WHERE people) AS people,
    (SELECT json_build_object('lookups', lookups, 'oldestMs', "oldestMs") FROM kinds WHERE NOT people) AS "scheduledChecks",
    coalesce((SELECT json_agg(longest) FROM longest), '[]') AS longest
  FROM moment LEFT JOIN agency_caller ON true`;

interface Row {
  name: string | null;
  since: Date | null;
  pausedUntil: Date | null;
  quotaSpentUntil: Date | null;
  usedToday: number;
  people: AgencyQueueNow['people'] | null;
  scheduledChecks: AgencyQueueNow['people'] | null;
  longest: AgencyQueueNow['longest'];
}

const NOTHING = { lookups: 0, oldestMs: 0 };

/** Reads in one statement who calls the agency and what waits for a turn, of all processes. */
export async function readQueueNow(pool: Pool, clock: Clock, callsPerDay: number): Promise<AgencyQueueNow> {
  const { rows } = await pool.query<Row>(READ, [movedTime(clock)]);
  const [row] = rows;
  if (!row) throw new Error('the queue has no state');
  const { name, since } = row;
  return {
    caller: name === null || since === null ? null : { name, since: since.toISOString() },
    pausedUntil: row.pausedUntil?.toISOString() ?? null,
    quotaSpentUntil: row.quotaSpentUntil?.toISOString() ?? null,
    budget: { callsPerDay, usedToday: row.usedToday },
    people: row.people ?? NOTHING,
    scheduledChecks: row.scheduledChecks ?? NOTHING,
    longest: row.longest,
  };
}
