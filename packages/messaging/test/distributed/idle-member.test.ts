import { randomBytes } from 'node:crypto';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { type Kafka, Partitioners } from 'kafkajs';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createKafkaAdmin } from '../../src/kafka/kafka-admin.ts';
import { createKafkaClient } from '../../src/kafka/kafka-client.ts';
import { keepKafkaMembership } from '../../src/kafka/kafka-membership.ts';
import { createTopicKeeper } from '../../src/kafka/topic-keeper.ts';

const WITHIN = { timeout: 30_000, interval: 20 };

test('a member without messages leaves its fetches with the broker for longer, and gets a message at once', async () => {
  const logger = pino({ level: 'silent' });
  const kafka = createKafkaClient({ brokers: await testKafkaBrokers(), clientId: 'casewatch-test' }, logger);
  const topic = `test-${randomBytes(6).toString('hex')}`;
  const admin = createKafkaAdmin(kafka);
  const fetchesMs: number[] = [];
  const received: string[] = [];
  const stopping = new AbortController();
  const membership = keepKafkaMembership({
    kafka: withFetchesIn(fetchesMs, kafka),
    groupId: topic,
    topicNames: [topic],
    topics: createTopicKeeper({
      admin,
      clock: systemClock,
      logger,
      partitions: 1,
      replicationFactor: 1,
      minInSyncReplicas: undefined,
      retentionMs: 60_000,
    }),
    sessionTimeoutMs: 6_000,
    refusedPatienceMs: 1_000,
    clock: systemClock,
    logger,
    stopping: stopping.signal,
    onJoin: () => undefined,
    async onBatch({ batch, resolveOffset }) {
      for (const { offset, value } of batch.messages) {
        received.push(String(value));
        resolveOffset(offset);
      }
    },
    beforeLeaving: async () => undefined,
    onFatal: (error) => {
      throw error;
    },
  });
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  try {
    await vi.waitFor(() => expect(fetchesMs.at(-1)).toBeGreaterThan(900), WITHIN);
    const before = fetchesMs.length;
    await producer.send({ topic, messages: [{ value: 'moved' }] });
    await vi.waitFor(() => expect(received).toEqual(['moved']), WITHIN);
    // So that offsets are committed soon.
    await vi.waitFor(() => expect(Math.min(...fetchesMs.slice(before + 1))).toBeLessThan(450), WITHIN);
  } finally {
    stopping.abort(new Error('stopped'));
    await membership;
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  }
}, 90_000);

function withFetchesIn(durations: number[], kafka: Kafka): Kafka {
  const { consumer } = kafka;
  kafka.consumer = (config) => {
    const made = consumer.call(kafka, config);
    made.on(made.events.FETCH, ({ payload }) => durations.push(payload.duration));
    return made;
  };
  return kafka;
}
