import { randomBytes } from 'node:crypto';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { ConfigResourceTypes } from 'kafkajs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKafkaAdmin, type KafkaAdmin } from '../../src/kafka/kafka-admin.ts';
import { createKafkaClient } from '../../src/kafka/kafka-client.ts';
import { createTopicKeeper } from '../../src/kafka/topic-keeper.ts';

let admin: KafkaAdmin;
beforeAll(async () => {
  const connection = { brokers: await testKafkaBrokers(), clientId: 'casewatch-test' };
  admin = createKafkaAdmin(createKafkaClient(connection, pino({ level: 'silent' })));
}, 180_000);
afterAll(() => admin.disconnect());

/** The settings of a new topic, the brokers' defaults among them. */
async function settingsOf(minInSyncReplicas: number | undefined): Promise<Map<string, string>> {
  const topic = `test-${randomBytes(6).toString('hex')}`;
  const logger = pino({ level: 'silent' });
  const common = {
    admin,
    clock: systemClock,
    logger,
    partitions: 1,
    replicationFactor: 1,
    retentionMs: 60_000,
  };
  await createTopicKeeper({ ...common, minInSyncReplicas }).ensure([topic]);
  const { resources } = await admin.use((on) =>
    on.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
    }),
  );
  const entries = resources.flatMap(({ configEntries }) => configEntries);
  return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
}

test('a topic is made with the number of copies that must have an event, where that is set', async () => {
  expect((await settingsOf(2)).get('min.insync.replicas')).toBe('2');
});

test('where it is not set, the brokers decide', async () => {
  const settings = await settingsOf(undefined);
  expect(settings.get('retention.ms')).toBe('60000');
  expect(settings.get('min.insync.replicas')).toBe('1');
});
