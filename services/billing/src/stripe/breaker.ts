import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** So many failures without a success in between, and the other side is left alone. */
const FAILURES_IN_A_ROW = 5;

export interface Breaker {
  /** False while the other side is left alone. After the rest a single failure begins another. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
}

/** Keeps callers from waiting for what is known to be away. */
export function createBreaker(clock: Clock, restMs: number): Breaker {
  let failures = 0;
  let restsUntilMs = 0;

  return {
    admits() {
      if (failures < FAILURES_IN_A_ROW) return true;
      if (clock.nowMs() < restsUntilMs) return false;
      failures = FAILURES_IN_A_ROW - 1;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures >= FAILURES_IN_A_ROW) restsUntilMs = clock.nowMs() + restMs;
    },
  };
}
