import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** A clock that only the simulation moves. */
export interface SimulatedClock extends Clock {
  /** When the next sleeper wakes; infinite while none sleeps. */
  nextWakeMs(): number;
  /** Moves to a time and wakes whatever has slept until then; true when something woke. */
  moveTo(ms: number): boolean;
}

interface Sleeper {
  readonly atMs: number;
  wake(): void;
}

/** Few sleep at a time: a list in order of time is enough. */
export function createSimulatedClock(startMs: number): SimulatedClock {
  let now = startMs;
  let sleepers: Sleeper[] = [];
  return {
    nowMs: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { atMs: now + ms, wake: resolve };
        const place = sleepers.findIndex(({ atMs }) => atMs > sleeper.atMs);
        sleepers.splice(place === -1 ? sleepers.length : place, 0, sleeper);
        const forget = () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal?.reason);
        };
        if (signal?.aborted) forget();
        else signal?.addEventListener('abort', forget, { once: true });
      }),
    nextWakeMs: () => sleepers[0]?.atMs ?? Number.POSITIVE_INFINITY,
    moveTo(ms) {
      now = ms;
      let woke = false;
      for (let first = sleepers[0]; first && first.atMs <= now; first = sleepers[0]) {
        sleepers.shift();
        first.wake();
        woke = true;
      }
      return woke;
    },
  };
}

/** Lets what was woken run until it waits again: it waits for nothing but the simulation. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
