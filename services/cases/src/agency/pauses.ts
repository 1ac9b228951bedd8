import type { Clock } from '@casewatch/platform/runtime/clock';
import type { AgencyFailure } from './agency-failure.ts';
import type { Budget } from './budget.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** When the agency says that our day's quota is spent, one call every now and then finds out when it is not. */
const QUOTA_PAUSE_MS = 300_000;
const DAY_MS = 86_400_000;

/**
 * Pauses the budget when the agency answers 429, which carries no Retry-After: a second at first, twice as long each
 * time it happens again, until an answer is no 429.
 */
export function createPauses(budget: Budget, clock: Clock) {
  let inARow = 0;
  return {
    /** Takes note of a failure, and says when to come back where that follows from a pause. */
    heed(failure: AgencyFailure): AgencyFailure {
      if (failure.kind === 'quota-spent') {
        const untilMidnightMs = DAY_MS - (clock.nowMs() % DAY_MS);
        budget.pause(Math.min(QUOTA_PAUSE_MS, untilMidnightMs));
        return { ...failure, retryAfterMs: untilMidnightMs };
      }
      if (failure.kind !== 'rate-limited') {
        inARow = 0;
        return failure;
      }
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** inARow);
      inARow += 1;
      budget.pause(pauseMs);
      return { ...failure, retryAfterMs: pauseMs };
    },
    /** Takes note that the agency answered. */
    over<T>(result: T): T {
      inARow = 0;
      return result;
    },
  };
}
