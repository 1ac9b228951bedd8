import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { Pool } from 'pg';

export interface WatchLevels {
  /** Counted to 10,000; beyond that as many as the table's statistics say. */
  readonly watches: number;
  /** Those whose check is owed, failed and claimed ones among them, but not those that the agency denies; counted to 10,000 of each kind. */
  readonly due: number;
  /** Since when the check is owed that is owed longest; 0 when none is. */
  readonly latenessSeconds: number;
}

/** Concurrent callers within this time share one read. */
const KEPT_MS = 10_000;

/** Reads the heads of three indexes, so that it costs the same for any number of watches. */
export const LEVELS = `
  SELECT greatest(
      (SELECT count(*) FROM (SELECT FROM watches LIMIT 10000) AS counted),
      (SELECT reltuples FROM pg_class WHERE oid = 'watches'::regclass AND reltuples > 10000))::int AS watches,
    ((SELECT count(*) FROM (SELECT FROM watches
        WHERE owed_since IS NULL AND next_check_at <= $1::timestamptz LIMIT 10000) AS due)
      + (SELECT count(*) FROM (SELECT FROM watches WHERE owed_since IS NOT NULL AND denials = 0 LIMIT 10000) AS owed))::int AS due,
    extract(epoch FROM $1::timestamptz - least(
      (SELECT min(next_check_at) FROM watches WHERE owed_since IS NULL),
      (SELECT min(owed_since) FROM watches WHERE owed_since IS NOT NULL AND denials = 0)))::float AS lateness`;

export function createWatchLevels(pool: Pool, clock: Clock): () => Promise<WatchLevels> {
  const time = steadyTime(clock);
  let kept: { levels: Promise<WatchLevels>; untilMs: number } | undefined;

  async function read(): Promise<WatchLevels> {
    const now = new Date(await databaseTimeMs(poolExecutor(pool), clock));
    const { rows } = await pool.query<{ watches: number; due: number; lateness: number | null }>(LEVELS, [
      now,
    ]);
    const { watches = 0, due = 0, lateness = 0 } = rows[0] ?? {};
    return { watches, due, latenessSeconds: Math.max(0, lateness ?? 0) };
  }

  return () => {
    const nowMs = time();
    if (!kept || nowMs >= kept.untilMs) {
      const levels = read();
      kept = { levels, untilMs: nowMs + KEPT_MS };
      levels.catch(() => {
        kept = undefined;
      });
    }
    return kept.levels;
  };
}
