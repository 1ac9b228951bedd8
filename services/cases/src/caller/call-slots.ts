import type { Pace } from './fair-order.ts';

/** How many calls may be in flight, or have been answered within the last `windowMs`, at once. */
export interface CallRule {
  readonly calls: number;
  readonly windowMs: number;
  /** A call without an answer after this time counts as arrived. */
  readonly leaseMs: number;
  /** The share of the calls, 0 to 1, that scheduled checks are guaranteed while they wait. */
  readonly scheduledShare: number;
}

export interface CallPace extends Pace {
  /** Milliseconds until the next paced call is due; 0 when it is now. */
  msUntilDue(): number;
}

/** Paced calls come an interval apart, not all at the end of a window. */
export const intervalMs = ({ calls, windowMs }: Pick<CallRule, 'calls' | 'windowMs'>) => windowMs / calls;

/** Returns how much of its time a paced call may make up for: those that grant it may be late, and the rate must not suffer. */
export const catchUpMs = (rule: Pick<CallRule, 'calls' | 'windowMs'>) =>
  Math.max(intervalMs(rule), rule.windowMs / 5);

/** Creates the pace of one process, by the generic cell rate algorithm (ATM Forum TM 4.0). `time` is never set forward or back. */
export function createCallPace(time: () => number, rule: Pick<CallRule, 'calls' | 'windowMs'>): CallPace {
  const interval = intervalMs(rule);
  const catchUp = catchUpMs(rule);
  let dueMs = Number.NEGATIVE_INFINITY;
  const msUntilDue = () => Math.max(0, dueMs - time());

  return {
    isDue: () => msUntilDue() === 0,
    advance() {
      const now = time();
      dueMs = Math.max(Math.min(dueMs, now), now - catchUp) + interval;
    },
    msUntilDue,
  };
}

/** The permits of the caller, by the id of the call that holds each. */
export interface CallSlots {
  free(): number;
  /** Uses a free slot for a call that is sent soon. */
  use(id: number): void;
  /** The call is sent now. False where it has held its slot long enough to count as sent: then it must not be sent. */
  renew(id: number): boolean;
  /** The call has ended: its slot is free a window later. False where that was known, or the id is not. */
  done(id: number): boolean;
  /** There was no call: its slot is free at once. */
  release(id: number): void;
  /** Calls without an answer. */
  inFlight(): number;
  /** Returns the milliseconds, more than 0, until another slot may be free. */
  msUntilChange(): number;
}

/**
 * Creates as many slots as calls are let in within a window, by the count of who is called, as they arrive. A call arrives at
 * some time between its sending and its answer, and only who is called knows when; so its slot is free again one window
 * after the answer. With answers after L ms, each slot serves a call every L + `windowMs`. `time` is never set forward or back: a clock
 * that is set forward would free slots whose calls have just arrived.
 */
export function createCallSlots(
  time: () => number,
  { calls, windowMs, leaseMs }: Pick<CallRule, 'calls' | 'windowMs' | 'leaseMs'>,
): CallSlots {
  /** Calls without an answer and when they were sent, oldest first. */
  const inFlight = new Map<number, number>();
  /** When the answers of the last window came, oldest first. */
  const answered: number[] = [];

  function answer(id: number, now: number): boolean {
    const isNew = inFlight.delete(id);
    if (isNew) answered.push(now);
    return isNew;
  }

  function refresh(): number {
    const now = time();
    for (const [id, sentMs] of inFlight) {
      if (now - sentMs < leaseMs) break;
      // Counted from now: when this process stood still, what it had begun to send leaves only now.
      answer(id, now);
    }
    while (answered[0] !== undefined && answered[0] + windowMs <= now) answered.shift();
    return now;
  }

  return {
    free() {
      refresh();
      return calls - inFlight.size - answered.length;
    },
    renew(id) {
      const now = refresh();
      // At the end of the line again, which is in the order of times.
      if (!inFlight.delete(id)) return false;
      inFlight.set(id, now);
      return true;
    },
    use: (id) => void inFlight.set(id, time()),
    done: (id) => answer(id, time()),
    release: (id) => void inFlight.delete(id),
    inFlight() {
      refresh();
      return inFlight.size;
    },
    msUntilChange() {
      const now = refresh();
      const [oldestSentMs = now] = inFlight.values();
      return Math.min((answered[0] ?? now) + windowMs, oldestSentMs + leaseMs) - now;
    },
  };
}
