import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';

export interface WatchLevels {
  readonly watches: number;
  /** Those whose check is owed, failed and claimed ones among them. */
  readonly due: number;
  /** Since when the check is owed that is owed longest; 0 when none is. */
  readonly latenessSeconds: number;
}

/** It reads the index of all watches: once for everybody who asks within this time. */
const KEPT_MS = 10_000;

const LEVELS = `
  SELECT count(*)::int AS watches,
    count(*) FILTER (WHERE owed_since IS NOT NULL OR next_check_at <= $1::timestamptz)::int AS due,
    extract(epoch FROM $1::timestamptz - min(coalesce(owed_since, next_check_at)))::float AS lateness
  FROM watches`;

export function createWatchLevels(pool: Pool, clock: Clock): () => Promise<WatchLevels> {
  let kept: { levels: Promise<WatchLevels>; untilMs: number } | undefined;

  async function read(nowMs: number): Promise<WatchLevels> {
    const { rows } = await pool.query<{ watches: number; due: number; lateness: number | null }>(LEVELS, [
      new Date(nowMs),
    ]);
    const { watches = 0, due = 0, lateness = 0 } = rows[0] ?? {};
    return { watches, due, latenessSeconds: Math.max(0, lateness ?? 0) };
  }

  return () => {
    const nowMs = clock.nowMs();
    if (!kept || nowMs >= kept.untilMs) {
      const levels = read(nowMs);
      kept = { levels, untilMs: nowMs + KEPT_MS };
      levels.catch(() => {
        kept = undefined;
      });
    }
    return kept.levels;
  };
}
