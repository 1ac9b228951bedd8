import type { Pool } from 'pg';
import type { WatchedCase, WatchReader } from '../domain/list-watches.ts';

const WATCHES_OF = `
  SELECT receipt_number AS "receiptNumber", watchers.period_days AS "periodDays", last_checked_at AS "lastCheckedAt",
    next_check_at AS "nextCheckAt", owed_since AS "owedSince", attempts, denials, last_failure AS "lastFailure"
  FROM watchers JOIN watches USING (receipt_number)
  WHERE user_id = $1 AND watchers.period_days IS NOT NULL AND ($2::text[] IS NULL OR receipt_number = ANY ($2::text[]))
  ORDER BY receipt_number`;

const QUEUE_FAILURE = `
  SELECT last_failure AS "lastFailure" FROM watches WHERE owed_since IS NULL AND next_check_at <= $1
  ORDER BY next_check_at LIMIT 1`;

type Row = Omit<WatchedCase, 'lastCheckedAtMs' | 'nextCheckAtMs' | 'owedSinceMs'> & {
  lastCheckedAt: Date | null;
  nextCheckAt: Date;
  owedSince: Date | null;
};

/** Reads a user's watches. */
export function createWatchReader(pool: Pool, nowMs: () => Promise<number>): WatchReader {
  return {
    nowMs,
    async watchesOf(userId, chosen) {
      const { rows } = await pool.query<Row>(WATCHES_OF, [userId, chosen ?? null]);
      return rows.map(({ lastCheckedAt, nextCheckAt, owedSince, ...row }) => ({
        ...row,
        lastCheckedAtMs: lastCheckedAt?.getTime() ?? null,
        nextCheckAtMs: nextCheckAt.getTime(),
        owedSinceMs: owedSince?.getTime() ?? null,
      }));
    },
    async queueFailure(nowMs) {
      const { rows } = await pool.query<Pick<Row, 'lastFailure'>>(QUEUE_FAILURE, [new Date(nowMs)]);
      return rows[0]?.lastFailure ?? null;
    },
  };
}

/** Returns when the next check is due, or a failed one is tried again (ISO 8601); null where there is none. Each part has an index. */
export async function readNextDueAt(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `SELECT least(
       (SELECT min(next_check_at) FROM watches WHERE owed_since IS NULL),
       (SELECT min(next_check_at) FROM watches WHERE owed_since IS NOT NULL AND denials = 0),
       (SELECT min(next_check_at) FROM watches WHERE owed_since IS NOT NULL AND denials > 0)
     ) AS at`,
  );
  return rows[0]?.at?.toISOString() ?? null;
}
