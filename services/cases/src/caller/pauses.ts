import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { AgencyFailure } from '../domain/agency-failure.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** When the agency says that our day's quota is spent, one call every now and then finds out when it is not. */
const QUOTA_PAUSE_MS = 300_000;

/** What the next caller has to know of the pauses of this one. */
export interface PauseState {
  /** Until calls may be made again. */
  readonly leftMs: number;
  /** How many answers in a row were "too many requests". */
  readonly inARow: number;
  /** Until the agency's day ends, where it answered that the quota of this one is spent. */
  readonly quotaSpentMs: number;
}

export type Pauses = ReturnType<typeof createPauses>;

/**
 * Pauses calls when the agency answers 429, which carries no Retry-After: a second at first, twice as long each time it
 * happens again, until an answer is no 429. Of calls that were in flight together only the first one counts. `store` gets what
 * has changed, for the next caller.
 */
export function createPauses(
  clock: Clock,
  /** Until the agency's day ends. */
  msToMidnight: () => number,
  store: (state: PauseState) => void,
  before: PauseState = { leftMs: 0, inARow: 0, quotaSpentMs: 0 },
) {
  const time = steadyTime(clock);
  const startMs = time();
  let { inARow } = before;
  /** The number of the request that was sent last; where the clock is set back, times would not show what came after a pause. */
  let sent = 0;
  let pausedAfter = 0;
  /** A pause of either kind. */
  let heldUntilMs = startMs + before.leftMs;
  let quotaSpent = before.quotaSpentMs > 0 ? { after: 0, untilMs: startMs + before.quotaSpentMs } : undefined;

  const leftMs = () => Math.max(0, heldUntilMs - time());
  const quotaSpentMs = () => Math.max(0, (quotaSpent?.untilMs ?? 0) - time());

  function hold(ms: number): void {
    heldUntilMs = Math.max(heldUntilMs, time() + ms);
  }

  const storeNow = () => store({ leftMs: leftMs(), inARow, quotaSpentMs: quotaSpentMs() });

  return {
    leftMs,
    /** Returns the number of a request that is sent now. */
    send: () => (sent += 1),
    /** Takes note that the agency answered a call with no 429. */
    over(request: number): void {
      const isNew = (inARow > 0 && request > pausedAfter) || (quotaSpent && request > quotaSpent.after);
      if (request > pausedAfter) inARow = 0;
      if (quotaSpent && request > quotaSpent.after) quotaSpent = undefined;
      if (isNew) storeNow();
    },
    /** Why no call is made, where the agency answered that our day's quota is spent and has answered no call since. */
    quotaFailure(): AgencyFailure | undefined {
      const retryAfterMs = quotaSpentMs();
      return retryAfterMs > 0 ? { kind: 'quota-spent', retryAfterMs } : undefined;
    },
    /** Takes note of a 429, and says when to come back. */
    apply(failure: AgencyFailure, request: number): AgencyFailure {
      if (failure.kind === 'quota-spent') {
        const untilMidnightMs = msToMidnight();
        hold(Math.min(QUOTA_PAUSE_MS, untilMidnightMs));
        quotaSpent = { after: sent, untilMs: time() + untilMidnightMs };
        storeNow();
        return { ...failure, retryAfterMs: untilMidnightMs };
      }
      if (request > pausedAfter) {
        hold(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** inARow));
        inARow += 1;
        pausedAfter = sent;
        storeNow();
      }
      return { ...failure, retryAfterMs: leftMs() };
    },
  };
}
