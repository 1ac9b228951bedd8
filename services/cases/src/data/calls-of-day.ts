import type { Pool } from 'pg';

/** The calls of a day (`yyyy-MM-dd`, GMT) that are made or reserved. */
export async function callsOfDay(pool: Pool, day: string): Promise<number> {
  const { rows } = await pool.query<{ calls: number }>(
    'SELECT calls FROM agency_budget_days WHERE day = $1',
    [day],
  );
  return Number(rows[0]?.calls ?? 0);
}
