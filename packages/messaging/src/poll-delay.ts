import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** At most one hint in this time has an effect. */
export const HINT_EVERY_MS = 25;
const AFTER_HINT_MS = 2;
const WITHOUT_HINTS = { afterEventsMs: 25, maximumMs: 100 };
/** With hints a poll only finds what no hint announced, and an idle process should cost little. */
const WITH_HINTS = { afterEventsMs: 50, maximumMs: 400 };
/** Relays that begin together do not poll together. */
const JITTER = 0.2;

/**
 * The time until a relay's next poll: 2 ms after a hint, 25 ms after events, then doubled up to 100 ms; where hints are given, 50 ms
 * after events and up to 400 ms. A hint from a Prisma transaction comes before its commit: a poll that comes too early is followed by others, after
 * 2, 4, 8 ms and so on.
 */
export function createPollDelay(clock: Clock, { hints = false, random = Math.random } = {}) {
  const { afterEventsMs, maximumMs } = hints ? WITH_HINTS : WITHOUT_HINTS;
  let delayMs = afterEventsMs;
  let atMs = clock.nowMs();
  let hintedMs = Number.NEGATIVE_INFINITY;

  const remainingMs = () => Math.max(0, atMs - clock.nowMs());

  return {
    remainingMs,
    isOver: () => remainingMs() === 0,

    /** Returns whether the hint has an effect: there was none shortly before. */
    hint(): boolean {
      if (clock.nowMs() - hintedMs < HINT_EVERY_MS) return false;
      hintedMs = clock.nowMs();
      delayMs = AFTER_HINT_MS;
      atMs = Math.min(atMs, hintedMs + delayMs);
      return true;
    },

    /** A poll found so many events. */
    found(events: number): void {
      if (events > 0) delayMs = afterEventsMs;
      const jitter = 1 - JITTER + 2 * JITTER * random();
      atMs = clock.nowMs() + delayMs * jitter;
      delayMs = Math.min(2 * delayMs, maximumMs);
    },
  };
}
