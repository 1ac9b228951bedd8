import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** A clock that stands still until it is moved, and the database's time with it; sleepers wake, in order, as it passes them. */
export interface ManualClock extends Clock {
  readonly databaseNowMs: () => number;
  advance(ms: number): Promise<void>;
  /** Jumps ahead, as after a suspend or a correction: sleepers that are due by then wake once, at the new time. */
  jump(ms: number): Promise<void>;
}

export function createManualClock(startMs = Date.parse('2026-01-05T12:00:00Z')): ManualClock {
  let now = startMs;
  let sleepers: { atMs: number; wake: () => void }[] = [];
  return {
    nowMs: () => now,
    databaseNowMs: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { atMs: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener(
          'abort',
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            reject(signal.reason);
          },
          { once: true },
        );
      }),
    advance: async (ms) => {
      const target = now + ms;
      for (;;) {
        const next = sleepers.filter((s) => s.atMs <= target).sort((a, b) => a.atMs - b.atMs)[0];
        if (!next) break;
        sleepers = sleepers.filter((other) => other !== next);
        now = next.atMs;
        next.wake();
        await settle();
      }
      now = target;
      await settle();
    },
    jump: async (ms) => {
      now += ms;
      // Timers know nothing of a clock that is set back.
      for (const sleeper of sleepers) sleeper.atMs += Math.min(0, ms);
      const due = sleepers.filter(({ atMs }) => atMs <= now);
      sleepers = sleepers.filter((other) => !due.includes(other));
      for (const { wake } of due) wake();
      await settle();
    },
  };
}

/** Lets what a woken sleeper started run until it waits again. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
