import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** At most one hint in this time has an effect. */
const HINT_EVERY_MS = 25;
const AFTER_HINT_MS = 2;
const AFTER_EVENTS_MS = 25;
const DEFAULT_MAXIMUM_MS = 100;
/** Relays that begin together do not poll together. */
const JITTER = 0.2;

/**
 * Creates the delay until a relay's next poll: 25 ms after events, then doubled up to the maximum, and 2 ms after a hint. A hint from a Prisma
 * transaction comes before its commit: a poll that comes too early is followed by others, after 2, 4, 8 ms and so on.
 */
export function createPollDelay(
  clock: Clock,
  {
    maximumMs = DEFAULT_MAXIMUM_MS,
    random = Math.random,
  }: { maximumMs?: number | undefined; random?: () => number } = {},
) {
  let delayMs = AFTER_EVENTS_MS;
  let atMs = clock.nowMs();
  let hintedMs = Number.NEGATIVE_INFINITY;

  /** 0 when it is longer than any delay: then the clock was set back. */
  function remainingMs(): number {
    const ms = atMs - clock.nowMs();
    return ms > maximumMs * (1 + JITTER) ? 0 : Math.max(0, ms);
  }

  return {
    remainingMs,
    isOver: () => remainingMs() === 0,

    /** Returns whether the hint has an effect: there was none shortly before. */
    hint(): boolean {
      const sinceMs = clock.nowMs() - hintedMs;
      if (sinceMs >= 0 && sinceMs < HINT_EVERY_MS) return false;
      hintedMs = clock.nowMs();
      delayMs = AFTER_HINT_MS;
      atMs = Math.min(atMs, hintedMs + delayMs);
      return true;
    },

    /** Records how many events a poll found. */
    found(events: number): void {
      if (events > 0) delayMs = AFTER_EVENTS_MS;
      const jitter = 1 - JITTER + 2 * JITTER * random();
      atMs = clock.nowMs() + delayMs * jitter;
      delayMs = Math.min(2 * delayMs, maximumMs);
    },
  };
}
