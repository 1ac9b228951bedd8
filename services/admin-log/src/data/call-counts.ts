import type { Pool } from 'pg';
import type { CallCounts, DurationCount, HourCount, OutcomeCount } from '../domain/call-overview.ts';

const DAY_MS = 86_400_000;
/** Of each day: far more than are shown, so that one that is frequent in the time asked for is among them. */
const TOP_OF_A_DAY = 100;

const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** Creates the kept counts, as the overview reads them: some hundred rows, however many calls there are. */
export function createCallCounts(pool: Pool): CallCounts {
  return {
    async hoursSince(sinceMs) {
      const { rows } = await pool.query<HourCount>(
        `SELECT ${milliseconds('bucket')} AS "hourMs", sum(calls)::float8 AS calls,
                coalesce(sum(calls) FILTER (WHERE NOT success), 0)::float8 AS errors
         FROM call_counts WHERE grain = 'hour' AND bucket >= $1 GROUP BY bucket`,
        [new Date(sinceMs)],
      );
      return rows;
    },
    async durationsSince(sinceMs) {
      const { rows } = await pool.query<DurationCount>(
        `SELECT ${milliseconds('hour')} AS "hourMs", duration_ms AS "durationMs", calls::float8 AS calls
         FROM call_durations WHERE hour >= $1`,
        [new Date(sinceMs)],
      );
      return rows;
    },
    async outcomesSince(sinceMs) {
      const { rows } = await pool.query<OutcomeCount>(
        `SELECT ${milliseconds('bucket')} AS "atMs", outcome, lookups::float8 AS lookups, agency_calls::float8 AS "agencyCalls"
         FROM outcome_counts WHERE bucket >= $1`,
        [new Date(sinceMs)],
      );
      return rows;
    },
    async callsSince(sinceMs) {
      const { rows } = await pool.query<{ calls: number }>(
        `SELECT coalesce(sum(agency_calls), 0)::float8 AS calls FROM outcome_counts WHERE bucket >= $1`,
        [new Date(sinceMs)],
      );
      return rows[0]?.calls ?? 0;
    },
    async receiptsSince(sinceMs, limit) {
      const firstDayMs = sinceMs - (sinceMs % DAY_MS);
      const days = [new Date(firstDayMs), new Date(firstDayMs + DAY_MS)];
      const { rows } = await pool.query<{ receiptNumber: string; lookups: number }>(
        `SELECT receipt_number AS "receiptNumber", count(*)::int AS lookups
         FROM (SELECT top.receipt_number FROM unnest($3::timestamptz[]) AS at
               CROSS JOIN LATERAL (SELECT receipt_number FROM receipt_counts WHERE day = at
                                   ORDER BY lookups DESC LIMIT ${TOP_OF_A_DAY}) AS top
               GROUP BY top.receipt_number) AS often
         JOIN calls USING (receipt_number) WHERE created_at >= $1
         GROUP BY receipt_number ORDER BY lookups DESC, receipt_number LIMIT $2`,
        [new Date(sinceMs), limit, days],
      );
      return rows;
    },
  };
}
