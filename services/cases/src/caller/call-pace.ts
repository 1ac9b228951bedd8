import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { CallRule } from './call-rule.ts';
import type { Pace } from './fair-order.ts';

export interface CallPace extends Pace {
  /** Milliseconds until the next paced call is due; 0 when it is now. */
  msUntilDue(): number;
}

/** Paced calls come an interval apart, not all at the end of a window. */
export const intervalMs = ({ calls, windowMs }: Pick<CallRule, 'calls' | 'windowMs'>) => windowMs / calls;

/** Sums of fractions may differ by less. */
const ROUNDING_MS = 1;

/** Returns how much of its time a paced call may make up for: those that grant it may be late, and the rate must not suffer. */
export const catchUpMs = (rule: Pick<CallRule, 'calls' | 'windowMs'>) =>
  Math.max(intervalMs(rule), rule.windowMs / 5);

/** Creates the pace of one process, by the generic cell rate algorithm (ATM Forum TM 4.0). */
export function createCallPace(clock: Clock, rule: Pick<CallRule, 'calls' | 'windowMs'>): CallPace {
  const interval = intervalMs(rule);
  const catchUp = catchUpMs(rule);
  let dueMs = Number.NEGATIVE_INFINITY;

  /** More than an interval ahead after the clock was set back: then due now. */
  function msUntilDue(): number {
    const left = dueMs - clock.nowMs();
    return left > interval + ROUNDING_MS ? 0 : Math.max(0, left);
  }

  return {
    isDue: () => msUntilDue() === 0,
    advance() {
      const now = clock.nowMs();
      dueMs = Math.max(Math.min(dueMs, now), now - catchUp) + interval;
    },
    msUntilDue,
  };
}
