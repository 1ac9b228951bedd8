import type { Clock } from './clock.ts';

/**
 * Returns a time, in milliseconds, that measures how long something takes: that of the clock, except that it stands still where the clock is
 * set back and continues from there.
 */
export function steadyTime(clock: Pick<Clock, 'nowMs'>): () => number {
  let lastMs = clock.nowMs();
  let setBackMs = 0;
  return () => {
    const nowMs = clock.nowMs();
    setBackMs += Math.max(0, lastMs - nowMs);
    lastMs = nowMs;
    return nowMs + setBackMs;
  };
}
