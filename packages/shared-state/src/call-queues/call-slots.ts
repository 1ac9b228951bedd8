import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { CallRule } from './call-queue.ts';

/** The permits of one process, by the id of the ticket that holds each. */
export interface CallSlots {
  free(): number;
  /** Uses a free slot for a call that is sent now. */
  use(id: number): void;
  /** The call has ended: its slot is free a window later. An unknown id does nothing. */
  done(id: number): void;
  /** There was no call: its slot is free at once. */
  release(id: number): void;
  /** Milliseconds, at least, until a slot is free; 0 when there is one now. */
  msUntilFree(): number;
  /** After so many milliseconds, more than 0, `msUntilFree` may have become less than it was to be expected. */
  msUntilNews(): number;
}

/**
 * As many slots as calls are let in within a window, by the count of who is called, as they arrive. A call arrives at
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

  function answer(id: number, now: number): void {
    if (inFlight.delete(id)) answered.push(now);
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
    use: (id) => void inFlight.set(id, clock.nowMs()),
    done: (id) => answer(id, clock.nowMs()),
    release: (id) => void inFlight.delete(id),
    msUntilFree() {
      const now = refresh();
      if (inFlight.size + answered.length < calls) return 0;
      // A call that is in flight may be answered right now, so its slot is free a window from now at the earliest.
      return (answered[0] ?? now) + windowMs - now;
    },
    msUntilNews() {
      const now = refresh();
      const [oldestSentMs = now] = inFlight.values();
      return Math.min((answered[0] ?? now) + windowMs, oldestSentMs + leaseMs) - now;
    },
  };
}
