import type { Clock } from '../runtime/clock.ts';
import type { SqlExecutor } from './sql-executor.ts';

/**
 * Returns the database's time, in milliseconds since the epoch: the only one that all processes share. What is due is decided by it; the
 * clocks of processes may be wrong by any amount.
 */
export async function databaseTimeMs(db: SqlExecutor, clock: Clock): Promise<number> {
  if (clock.databaseNowMs) return clock.databaseNowMs();
  const [row] = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now', [], 'database_time');
  if (!row) throw new Error('the database did not return its time');
  return row.now.getTime();
}

/** Returns the database's time where tests move it; undefined otherwise: statements use their own clock then. */
export function movedTime({ databaseNowMs }: Clock): Date | undefined {
  return databaseNowMs && new Date(databaseNowMs());
}
