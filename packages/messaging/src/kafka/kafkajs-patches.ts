import brokerPoolClass, { type BrokerCallback, type BrokerPool } from 'kafkajs/src/cluster/brokerPool.js';
import requestQueueClass, { type RequestQueue } from 'kafkajs/src/network/requestQueue/index.js';
import { refusalOf } from './kafka-refusal.ts';

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

/**
 * Makes kafkajs report authorization errors. kafkajs 2.2.4 asks one broker after the other for a group's coordinator and
 * discards their errors, so that a missing permission looks like a missing coordinator. Safe to call more than once.
 */
export function reportBrokerRefusals(): void {
  const { prototype } = brokerPoolClass;
  const ask = prototype.withBroker;
  if (ask.name === askAndReport.name) return;
  async function askAndReport(this: BrokerPool, callback: BrokerCallback): Promise<unknown> {
    let refused: unknown;
    const answer = await ask.call(this, (on) =>
      callback(on).catch((error: unknown) => {
        if (refusalOf(error)) refused = error;
        throw error;
      }),
    );
    if (answer === null && refused) throw refused;
    return answer;
  }
  prototype.withBroker = askAndReport;
}
