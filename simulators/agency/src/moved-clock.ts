import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** A clock that runs as another one does, ahead of it by what it was moved. */
export interface MovedClock extends Clock {
  advance(ms: number): void;
  /** How far ahead it is. */
  aheadMs(): number;
  reset(): void;
}

/** `sleep` lasts as long as on the clock below: moving this one wakes nobody. */
export function createMovedClock(base: Clock): MovedClock {
  let ahead = 0;
  return {
    nowMs: () => base.nowMs() + ahead,
    sleep: (ms, signal) => base.sleep(ms, signal),
    advance: (ms) => {
      ahead += ms;
    },
    aheadMs: () => ahead,
    reset: () => {
      ahead = 0;
    },
  };
}
