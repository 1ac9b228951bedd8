import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createCallPace } from './call-pace.ts';
import { type CallDispatcher, type CallQueues, type CallRule, createCallQueue } from './call-queue.ts';
import { createCallSlots } from './call-slots.ts';
import { createFairQueue } from './fair-queue.ts';

/** For a process that shares nothing with others. */
export function createMemoryCallQueues(clock: Clock): CallQueues {
  return (rule) => createCallQueue({ rule, dispatcher: memoryDispatcher(clock, rule), clock });
}

function memoryDispatcher(clock: Clock, rule: CallRule): CallDispatcher {
  const slots = createCallSlots(clock, rule);
  const pace = createCallPace(clock, rule);
  const queue = createFairQueue({ share: rule.scheduledShare, lead: rule.scheduledShare * rule.calls });
  let pausedAtMs = 0;
  let pausedMs = 0;

  /** A clock that was set back ends the pause a pause after that. */
  function msPaused(now: number): number {
    if (now < pausedAtMs) pausedAtMs = now;
    return Math.max(0, pausedAtMs + pausedMs - now);
  }

  return {
    async dispatch({ entered, left }) {
      for (const ticket of entered) queue.enter(ticket);
      for (const id of left) queue.leave(id);
      const paused = msPaused(clock.nowMs());
      const granted: number[] = [];
      while (paused === 0 && slots.free() > 0) {
        const id = queue.next(pace);
        if (id === undefined) break;
        slots.use(id);
        granted.push(id);
      }
      const waitMs = Math.max(paused, slots.msUntilFree());
      const permitMs = Math.min(paused > 0 ? paused : slots.msUntilNews(), waitMs);
      // With a permit free, what still waits is paced.
      const againMs = Math.max(1, waitMs > 0 ? permitMs : pace.msUntilDue());
      return { granted, waitMs, againMs, depth: queue.depth() };
    },
    done: slots.done,
    release: slots.release,
    pause(ms) {
      const now = clock.nowMs();
      if (ms <= msPaused(now)) return;
      pausedAtMs = now;
      pausedMs = ms;
    },
  };
}
