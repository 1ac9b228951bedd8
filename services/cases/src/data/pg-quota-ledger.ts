import { createGatherer } from '@casewatch/service-kit/runtime/gatherer';
import type { Pool } from 'pg';
import type { QuotaLedger } from '../caller/day-quota.ts';

/** Users' counts of earlier days are of no use. */
const FORGET = 'DELETE FROM agency_budget_users WHERE day < $1::date';

/**
 * One statement, so that a call is counted on both sides or on none. A lookup may still wait whose user was deleted
 * since: that count is not stored.
 */
const ADD = {
  name: 'add-calls',
  text: `
    WITH counted AS MATERIALIZED (
      SELECT * FROM unnest($1::date[], $2::uuid[], $3::integer[]) AS counted (day, user_id, calls)
    ), of_day AS (
      INSERT INTO agency_budget_days AS known (day, calls, monitor_calls)
      SELECT day, greatest(0, sum(calls)), greatest(0, sum(calls) FILTER (WHERE user_id IS NULL)) FROM counted GROUP BY day
      ON CONFLICT (day) DO UPDATE SET
        calls = greatest(0, known.calls + (SELECT sum(calls) FROM counted WHERE day = known.day)),
        monitor_calls = greatest(0, known.monitor_calls
          + (SELECT coalesce(sum(calls), 0) FROM counted WHERE day = known.day AND user_id IS NULL)))
    INSERT INTO agency_budget_users AS known (day, user_id, calls)
    SELECT day, user_id, greatest(0, sum(calls)) FROM counted
    WHERE user_id IS NOT NULL AND NOT EXISTS (SELECT FROM deleted_users WHERE deleted_users.user_id = counted.user_id)
    GROUP BY day, user_id
    ON CONFLICT (day, user_id) DO UPDATE SET calls = greatest(0,
      known.calls + (SELECT sum(calls) FROM counted WHERE day = known.day AND user_id = known.user_id))`,
};

interface Counted {
  readonly day: string;
  readonly userId: string | null;
  readonly calls: number;
}

/** Creates the day's calls in the database: they hold across callers and restarts. */
export function createQuotaLedger(pool: Pool): QuotaLedger {
  const count = createGatherer(async (all: readonly Counted[]) => {
    const values = [
      all.map(({ day }) => day),
      all.map(({ userId }) => userId),
      all.map(({ calls }) => calls),
    ];
    await pool.query({ ...ADD, values });
  });
  return {
    async read(day) {
      await pool.query(FORGET, [day]);
      const ofDay = await pool.query<{ calls: number; monitorCalls: number }>(
        'SELECT calls, monitor_calls AS "monitorCalls" FROM agency_budget_days WHERE day = $1',
        [day],
      );
      const ofUsers = await pool.query<{ userId: string; calls: number }>(
        'SELECT user_id AS "userId", calls FROM agency_budget_users WHERE day = $1',
        [day],
      );
      const [used = { calls: 0, monitorCalls: 0 }] = ofDay.rows;
      return { ...used, ofUsers: new Map(ofUsers.rows.map(({ userId, calls }) => [userId, calls])) };
    },
    add: (day, requester, calls) =>
      count({ day, userId: requester.source === 'user' ? requester.userId : null, calls }),
  };
}
