import { type Clock, systemClock } from '@casewatch/service-kit/runtime/clock';

/** A clock that runs, and the database's time with it, ahead of the real ones by as much as it was moved. */
export interface MovedClock extends Clock {
  readonly databaseNowMs: () => number;
  move(ms: number): void;
}

export function createMovedClock(startMs = Date.parse('2026-01-05T12:00:00Z')): MovedClock {
  let aheadMs = startMs - Date.now();
  const nowMs = () => Date.now() + aheadMs;
  return {
    nowMs,
    databaseNowMs: nowMs,
    sleep: systemClock.sleep,
    move(ms) {
      aheadMs += ms;
    },
  };
}
