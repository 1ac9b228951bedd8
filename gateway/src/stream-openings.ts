import type { ServerResponse } from 'node:http';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';

/** A client that retries too early is rejected again, so that it gets in no earlier than this. */
const SHORTEST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

export type StreamOpenings = ReturnType<typeof createStreamOpenings>;

/** Bounds the streams that are opened in a second, before anything is looked up for them. */
export function createStreamOpenings(clock: Clock, perSecond: number, random: () => number = Math.random) {
  const time = steadyTime(clock);
  let tokens = perSecond;
  let countedMs = time();
  /** When the last rejected client is expected to retry. */
  let queueEndMs = 0;

  return {
    /** Returns whether a stream may be opened now; it then counts. */
    admit(): boolean {
      const nowMs = time();
      tokens = Math.min(perSecond, tokens + ((nowMs - countedMs) / 1_000) * perSecond);
      countedMs = nowMs;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },

    /**
     * Answers 200 with an event stream that ends at once and says when to come back: an EventSource never reconnects after
     * another status. Those that are rejected retry one after another, at the rate at which streams are opened.
     */
    reject(res: ServerResponse): void {
      const nowMs = time();
      queueEndMs = Math.max(queueEndMs, nowMs + SHORTEST_RETRY_MS) + 1_000 / perSecond;
      const retryMs = Math.min(queueEndMs - nowMs, MAX_RETRY_MS) + SHORTEST_RETRY_MS * random();
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' });
      res.end(`retry: ${Math.round(retryMs)}\n\n`);
    },
  };
}
