import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import type { QuotaLedger } from '../agency/day-quota.ts';

/** Users' counts of earlier days are of no use. */
const FORGET = 'DELETE FROM agency_budget_users WHERE day < $1::date';

const LOCK = `
  SELECT calls, monitor_calls AS "monitorCalls" FROM agency_budget_days WHERE day = $1 FOR UPDATE`;

const OF_USER = 'SELECT calls FROM agency_budget_users WHERE day = $1 AND user_id = $2';

const ADD = `
  UPDATE agency_budget_days
  SET calls = GREATEST(0, calls + $2 + $3), monitor_calls = GREATEST(0, monitor_calls + $3) WHERE day = $1`;

/**
 * In one order everywhere, so that two processes never wait for each other. A process may still have calls of a user whose account
 * was deleted meanwhile: they are not stored.
 */
const ADD_TO_USERS = `
  INSERT INTO agency_budget_users AS known (day, user_id, calls)
  SELECT $1, user_id, calls FROM unnest($2::uuid[], $3::integer[]) AS reported (user_id, calls)
  WHERE NOT EXISTS (SELECT FROM deleted_users WHERE deleted_users.user_id = reported.user_id) ORDER BY user_id
  ON CONFLICT (day, user_id) DO UPDATE SET calls = known.calls + EXCLUDED.calls`;

/** The day's calls in the database: they hold for every process, and across restarts. */
export function createQuotaLedger(pool: Pool): QuotaLedger {
  return {
    async update(day, userId, decide) {
      await inTransaction(pool, async (tx) => {
        const added = await tx.query<{ day: string }>(
          'INSERT INTO agency_budget_days (day, calls) VALUES ($1, 0) ON CONFLICT (day) DO NOTHING RETURNING day',
          [day],
        );
        if (added.length > 0) await tx.query(FORGET, [day]);
        const [used = { calls: 0, monitorCalls: 0 }] = await tx.query<{
          calls: number;
          monitorCalls: number;
        }>(LOCK, [day]);
        const [own] = userId ? await tx.query<{ calls: number }>(OF_USER, [day, userId]) : [];
        const { user, monitor, userCalls } = decide({ ...used, userCalls: own?.calls ?? 0 });
        if (user !== 0 || monitor !== 0) await tx.query(ADD, [day, user, monitor]);
        if (userCalls.size > 0)
          await tx.query(ADD_TO_USERS, [day, [...userCalls.keys()], [...userCalls.values()]]);
      });
    },
  };
}
