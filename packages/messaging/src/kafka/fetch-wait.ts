import consumerGroupClass, { type ConsumerGroup } from 'kafkajs/src/consumer/consumerGroup.js';

/**
 * How long a broker holds a fetch of a member that gets messages. Offsets are committed on the same connection, which
 * the broker serves in order.
 */
export const BUSY_FETCH_WAIT_MS = 100;
/** Of a member that gets none: a message ends it at once, a stop waits for its end. */
const IDLE_FETCH_WAIT_MS = 1_000;
const IDLE_AFTER_MS = 2_000;
/** A heartbeat is sent between two fetches. */
const FETCHES_PER_SESSION = 6;

/** Returns how long a broker may hold the next fetch of a member by the time since its last message. */
export function fetchWaitMs(sinceMessageMs: number, sessionTimeoutMs: number): number {
  if (sinceMessageMs < IDLE_AFTER_MS) return BUSY_FETCH_WAIT_MS;
  return Math.max(BUSY_FETCH_WAIT_MS, Math.min(IDLE_FETCH_WAIT_MS, sessionTimeoutMs / FETCHES_PER_SESSION));
}

/**
 * Makes members of kafkajs fetch less often while they get no messages: most of what an idle process and its broker do is
 * answer fetches. kafkajs 2.2.4 has one wait for the whole life of a consumer. Safe to call more than once.
 */
export function fetchLessWhenIdle(): void {
  const { prototype } = consumerGroupClass;
  const { fetch } = prototype;
  if (fetch.name === fetchAndAdapt.name) return;
  const messageMs = new WeakMap<ConsumerGroup, number>();
  async function fetchAndAdapt(this: ConsumerGroup, nodeId: string) {
    const batches = await fetch.call(this, nodeId);
    const nowMs = performance.now();
    const sinceMs = messageMs.get(this);
    const isBusy = sinceMs === undefined || batches.some((batch) => !batch.isEmpty());
    if (isBusy) messageMs.set(this, nowMs);
    this.maxWaitTime = fetchWaitMs(isBusy ? 0 : nowMs - sinceMs, this.sessionTimeout);
    return batches;
  }
  prototype.fetch = fetchAndAdapt;
}
