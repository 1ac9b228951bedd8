import brokerPoolClass, { type BrokerCallback, type BrokerPool } from 'kafkajs/src/cluster/brokerPool.js';
import { refusalOf } from './kafka-refusal.ts';

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
