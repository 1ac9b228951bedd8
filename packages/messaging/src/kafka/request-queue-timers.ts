import requestQueueClass, { type RequestQueue } from 'kafkajs/src/network/requestQueue/index.js';

/**
 * Keeps kafkajs from polling empty queues. kafkajs 2.2.4 schedules its next poll of an empty queue in the past (its issues
 * 1751 and 1768): a timer every millisecond per connection, and a TimeoutNegativeWarning on newer Node versions. An
 * empty queue needs no poll: adding a request schedules one. Safe to call more than once.
 */
export function silenceNegativeTimers(): void {
  const { prototype } = requestQueueClass;
  const plan = prototype.scheduleCheckPendingRequests;
  if (plan.name === planOnlyWhenPending.name) return;
  function planOnlyWhenPending(this: RequestQueue): void {
    if (this.pending.length > 0) plan.call(this);
  }
  prototype.scheduleCheckPendingRequests = planOnlyWhenPending;
}
