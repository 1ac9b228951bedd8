import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import type { Budget } from './budget.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** When the agency says that our day's quota is spent, one call every now and then finds out when it is not. */
const QUOTA_PAUSE_MS = 300_000;
const DAY_MS = 86_400_000;

/**
 * Pauses the budget when the agency answers 429, which carries no Retry-After: a second at first, twice as long each
 * time it happens again, until an answer is no 429. Of calls that were in flight together only the first one counts.
 */
export function createPauses(budget: Pick<Budget, 'pause'>, clock: Clock) {
  let inARow = 0;
  let pausedAtMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = pausedAtMs;
  /** The end of any pause, also of one because the quota is spent. */
  let heldUntilMs = pausedAtMs;
  let quotaSpent: { atMs: number; untilMs: number } | undefined;

  /** Takes note that the agency answered a call, sent at `sentMs`, with no 429. */
  function over(sentMs: number): void {
    if (sentMs > pausedAtMs) inARow = 0;
    if (quotaSpent && sentMs > quotaSpent.atMs) quotaSpent = undefined;
  }

  /** Why the budget is paused, where the agency said that our day's quota is spent and has answered no call since. */
  function quotaFailure(): AgencyFailure | undefined {
    const now = clock.nowMs();
    if (!quotaSpent || now < quotaSpent.atMs || now >= quotaSpent.untilMs) return undefined;
    return { kind: 'quota-spent', retryAfterMs: quotaSpent.untilMs - now };
  }

  function pause(ms: number): void {
    budget.pause(ms);
    heldUntilMs = Math.max(heldUntilMs, clock.nowMs() + ms);
  }

  return {
    over,
    quotaFailure,
    /** Whether the budget is paused by what this process was answered. */
    isOn: () => clock.nowMs() < heldUntilMs,
    /** Takes note of a call's failure, and says when to come back where that follows from a pause. */
    heed(failure: AgencyFailure, sentMs: number): AgencyFailure {
      const now = clock.nowMs();
      if (failure.kind === 'quota-spent') {
        const untilMidnightMs = DAY_MS - (now % DAY_MS);
        pause(Math.min(QUOTA_PAUSE_MS, untilMidnightMs));
        quotaSpent = { atMs: now, untilMs: now + untilMidnightMs };
        return { ...failure, retryAfterMs: untilMidnightMs };
      }
      if (failure.kind !== 'rate-limited') {
        over(sentMs);
        return failure;
      }
      if (sentMs > pausedAtMs) {
        const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** inARow);
        inARow += 1;
        pausedAtMs = now;
        pausedUntilMs = now + pauseMs;
        pause(pauseMs);
      }
      return { ...failure, retryAfterMs: Math.max(0, pausedUntilMs - now) };
    },
  };
}
