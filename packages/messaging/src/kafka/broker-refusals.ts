import brokerPoolClass, { type BrokerCallback, type BrokerPool } from 'kafkajs/src/cluster/brokerPool.js';
import { refusalOf } from './kafka-refusal.ts';

/**
 * kafkajs 2.2.4 asks one broker after the other for a group's coordinator and forgets what each answers: a missing right
 * looks as if there were no coordinator yet. With this a refusal is thrown. Safe to call more than once.
 */
export function tellBrokerRefusals(): void {
  const { prototype } = brokerPoolClass;
  const ask = prototype.withBroker;
  if (ask.name === askAndTell.name) return;
  async function askAndTell(this: BrokerPool, callback: BrokerCallback): Promise<unknown> {
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
  prototype.withBroker = askAndTell;
}
