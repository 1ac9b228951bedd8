import type { Pool } from 'pg';
import type { QuotaLedger } from '../agency/day-quota.ts';

const RESERVE = `
  WITH before AS (SELECT calls FROM agency_budget_days WHERE day = $1 FOR UPDATE)
  UPDATE agency_budget_days AS today SET calls = GREATEST(before.calls, LEAST(before.calls + $2, $3))
  FROM before WHERE today.day = $1
  RETURNING today.calls - before.calls AS granted`;

/** The day's calls in the database: they hold for every process, and across restarts. */
export function createQuotaLedger(pool: Pool): QuotaLedger {
  return {
    async reserve(day, calls, limit) {
      await pool.query(
        'INSERT INTO agency_budget_days (day, calls) VALUES ($1, 0) ON CONFLICT (day) DO NOTHING',
        [day],
      );
      const { rows } = await pool.query<{ granted: number }>(RESERVE, [day, calls, limit]);
      return rows[0]?.granted ?? 0;
    },
    async giveBack(day, calls) {
      await pool.query('UPDATE agency_budget_days SET calls = GREATEST(0, calls - $2) WHERE day = $1', [
        day,
        calls,
      ]);
    },
  };
}
