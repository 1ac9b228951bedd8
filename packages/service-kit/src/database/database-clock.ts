import type { Clock } from '../runtime/clock.ts';
import { steadyTime } from '../runtime/steady-time.ts';
import { databaseTimeMs } from './database-time.ts';
import type { SqlExecutor } from './sql-executor.ts';

/** Returns the database's time, which all processes share, extrapolated from the last reading; before that, the time of its process. */
export interface DatabaseClock extends Clock {
  /** Reads the time; to be called before what is due is decided. */
  read(): Promise<number>;
}

export function createDatabaseClock(db: SqlExecutor, clock: Clock): DatabaseClock {
  const time = steadyTime(clock);
  let aheadMs = 0;
  const nowMs = () => time() + aheadMs;
  return {
    ...clock,
    nowMs,
    async read() {
      const readMs = await databaseTimeMs(db, clock);
      aheadMs = readMs - time();
      return readMs;
    },
  };
}
