import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { CallRule } from './call-rule.ts';

/** The permits of the caller, by the id of the call that holds each. */
export interface CallSlots {
  free(): number;
  /** Uses a free slot for a call that is sent soon. */
  use(id: number): void;
  /** The call is sent now. False where it has held its slot for so long that it counts as sent: then it must not be. */
  renew(id: number): boolean;
  /** The call has ended: its slot is free a window later. False where that was known, or the id is not. */
  done(id: number): boolean;
  /** There was no call: its slot is free at once. */
  release(id: number): void;
  /** Calls without an answer. */
  inFlight(): number;
  /** After so many milliseconds, more than 0, another slot may be free. */
  msUntilNews(): number;
}

/**
 * Creates as many slots as calls are let in within a window, by the count of who is called, as they arrive. A call arrives at
 * some time between its sending and its answer, and only who is called knows when; so its slot is free again one window
 * after the answer. With answers after L ms, each slot serves a call every L + `windowMs`.
 */
export function createCallSlots(
  clock: Clock,
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
    const now = clock.nowMs();
    for (const [id, sentMs] of inFlight) {
      // A clock that was set back must not hold the slots until it catches up.
      if (sentMs > now) inFlight.set(id, now);
      else if (now - sentMs < leaseMs) break;
      // Counted from now: when this process stood still, what it had begun to send leaves only now.
      else answer(id, now);
    }
    if ((answered.at(-1) ?? now) > now) answered.fill(now);
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
    use: (id) => void inFlight.set(id, clock.nowMs()),
    done: (id) => answer(id, clock.nowMs()),
    release: (id) => void inFlight.delete(id),
    inFlight() {
      refresh();
      return inFlight.size;
    },
    msUntilNews() {
      const now = refresh();
      const [oldestSentMs = now] = inFlight.values();
      return Math.min((answered[0] ?? now) + windowMs, oldestSentMs + leaseMs) - now;
    },
  };
}
