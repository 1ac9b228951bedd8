import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Lease } from './budget.ts';

/**
 * A second, and one millisecond for times that are cut to whole milliseconds, here and at the agency: calls this far
 * apart by our clock are a whole second apart by any.
 */
const WINDOW_MS = 1_001;
/** A call still without an answer is taken to have arrived by now; else a hanging agency would hold the budget up. */
const LONGEST_UNDER_WAY_MS = 2_000;

export interface CallSlots {
  /** Uses a free slot for a call that is sent now. */
  use(): Lease;
  /** Milliseconds, at least, until a call with `ahead` others before it finds a free slot; 0 when there is one now. */
  msUntilFree(ahead: number): number;
  /** After so many milliseconds, more than 0, `msUntilFree` may have become less than it was to be expected. */
  msUntilNews(): number;
}

/**
 * As many slots as the agency lets calls in within a second, by its own count as they arrive. A call arrives at some
 * time between its sending and its answer, and nobody but the agency knows when; so its slot is free again one second
 * after the answer. With answers after L ms, each slot serves a call every L + 1,001 ms.
 */
export function createCallSlots(clock: Clock, callsPerSecond: number): CallSlots {
  /** Calls without an answer and when they were sent, oldest first. */
  const underWay = new Map<Lease, number>();
  /** When the answers of the last second came, oldest first. */
  const answered: number[] = [];

  function answer(lease: Lease, now: number): void {
    if (underWay.delete(lease)) answered.push(now);
  }

  function lookAt(now: number): void {
    for (const [lease, sentMs] of underWay) {
      if (now - sentMs < LONGEST_UNDER_WAY_MS) break;
      // Counted from now: when this process stood still, what it had begun to send leaves only now.
      answer(lease, now);
    }
    // A clock that was set back must not hold the slots until it catches up.
    if ((answered.at(-1) ?? now) > now) answered.fill(now);
    while (answered[0] !== undefined && answered[0] + WINDOW_MS <= now) answered.shift();
  }

  return {
    use() {
      const lease: Lease = { done: () => answer(lease, clock.nowMs()) };
      underWay.set(lease, clock.nowMs());
      return lease;
    },
    msUntilFree(ahead) {
      const now = clock.nowMs();
      lookAt(now);
      const free = callsPerSecond - underWay.size - answered.length;
      const nth = ahead % callsPerSecond;
      // A call that is under way may be answered right now, so its slot is free a second from now at the earliest.
      const slotMs = nth < free ? 0 : (answered[nth - free] ?? now) + WINDOW_MS - now;
      return slotMs + Math.floor(ahead / callsPerSecond) * WINDOW_MS;
    },
    msUntilNews() {
      const now = clock.nowMs();
      lookAt(now);
      const [oldestSentMs = now] = underWay.values();
      return Math.min((answered[0] ?? now) + WINDOW_MS, oldestSentMs + LONGEST_UNDER_WAY_MS) - now;
    },
  };
}
