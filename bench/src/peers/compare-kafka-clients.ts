import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startChild } from '../child.ts';
import type { KafkaFigures } from './kafka-client.ts';
import { loadPlatformaticKafka } from './platformatic/client.ts';
import { spread } from './spread.ts';

const EVENTS = Number(process.env.EVENTS ?? 40_000);
const CLIENTS = ['kafkajs', '@platformatic/kafka'] as const;
const FIGURES = /^(\{.*\})$/m;

/**
 * Sends the product's events through Kafka and reads them back with kafkajs, as the product does, and with @platformatic/kafka behind
 * the same ports, in turn, each time in a new process. Both send in batches of up to a thousand, one at a time, idempotently, to all
 * replicas, and commit what is settled every 20 ms. No goal.
 */
export async function compareKafkaClients(rounds: number): Promise<boolean> {
  await loadPlatformaticKafka();
  const kafka = await startTestKafka();
  const measured = new Map<string, KafkaFigures[]>(CLIENTS.map((client) => [client, []]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const client of round % 2 === 0 ? CLIENTS : CLIENTS.toReversed()) {
        const env = { CLIENT: client, BROKERS: kafka.brokers.join(), EVENTS: String(EVENTS) };
        const child = await startChild('bench/src/peers/kafka-client.ts', env, FIGURES);
        measured.get(client)?.push(JSON.parse(child.found));
        await child.stop();
      }
    }
  } finally {
    await kafka.stop();
  }
  console.log(`\n| ${EVENTS} status changes | sent a second | CPU µs each | read a second | CPU µs each |`);
  console.log('|---|---|---|---|---|');
  for (const [client, all] of measured) {
    const cells = [
      spread(
        all.map(({ sentPerSecond }) => sentPerSecond),
        0,
      ),
      spread(
        all.map(({ sentUs }) => sentUs),
        1,
      ),
      spread(
        all.map(({ readPerSecond }) => readPerSecond),
        0,
      ),
      spread(
        all.map(({ readUs }) => readUs),
        1,
      ),
    ];
    console.log(`| ${client} | ${cells.join(' | ')} |`);
  }
  return true;
}
