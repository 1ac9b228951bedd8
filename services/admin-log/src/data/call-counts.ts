import type { Pool } from 'pg';
import type { CallCounts } from '../domain/call-overview.ts';

/** The kept counts, as the overview reads them: some hundred rows, however many calls there are. */
export function createCallCounts(pool: Pool): CallCounts {
  return {
    async hoursSince(sinceMs) {
      const { rows } = await pool.query<{ bucket: Date; calls: number; errors: number }>(
        `SELECT bucket, sum(calls)::float8 AS calls,
                coalesce(sum(calls) FILTER (WHERE NOT success), 0)::float8 AS errors
         FROM call_counts WHERE grain = 'hour' AND bucket >= $1 GROUP BY bucket`,
        [new Date(sinceMs)],
      );
      return rows.map(({ bucket, ...counts }) => ({ hourMs: bucket.getTime(), ...counts }));
    },
    async durationsSince(sinceMs) {
      const { rows } = await pool.query<{ hour: Date; duration_ms: number; calls: number }>(
        'SELECT hour, duration_ms, calls::float8 AS calls FROM call_durations WHERE hour >= $1',
        [new Date(sinceMs)],
      );
      return rows.map(({ hour, duration_ms, calls }) => ({
        hourMs: hour.getTime(),
        durationMs: duration_ms,
        calls,
      }));
    },
    async callsSince(sinceMs) {
      const { rows } = await pool.query<{ calls: number }>(
        `SELECT coalesce(sum(calls), 0)::float8 AS calls FROM call_counts WHERE grain = 'hour' AND bucket >= $1`,
        [new Date(sinceMs)],
      );
      return rows[0]?.calls ?? 0;
    },
  };
}
