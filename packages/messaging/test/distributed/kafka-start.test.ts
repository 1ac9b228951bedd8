import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import type { OwnTestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import { Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { perKey, publishRun, quick, recorder, upTo } from '../bus-scenarios.ts';
import { createKafkaHarness, type KafkaHarness, type KafkaMember } from './kafka-harness.ts';

/** Brokers that answer and yet admit no member: the first of three that start, one that has lost its coordinator. */

const OFFSETS_TOPIC = '__consumer_offsets';

let kafka: OwnTestKafka;
let harness: KafkaHarness;
let member: KafkaMember | undefined;
/** How often the client has stopped trying to join. */
let failedJoins: number;
beforeAll(async () => {
  // As of a broker that waits for two others: until then no group has a coordinator.
  kafka = await startOwnTestKafka({ settings: { 'offsets.topic.replication.factor': '3' } });
}, 180_000);
afterAll(() => kafka.stop());
beforeEach(async () => {
  failedJoins = 0;
  harness = await createKafkaHarness(kafka.brokers);
});
afterEach(async () => {
  await member?.stop();
  member = undefined;
  await harness.close();
});

const logger = pino(
  { level: 'debug' },
  {
    write(line: string) {
      const { groupId, err, msg } = JSON.parse(line) as { groupId?: string; err?: unknown; msg: string };
      if (groupId && err && /join/.test(msg)) failedJoins += 1;
    },
  },
);
const startMember = async () => {
  const started = await harness.startMember({ handlers: [recorder('notifications')], policy: quick, logger });
  member = started;
  return started;
};
/** A member has replaced one that failed, and has failed, too. */
async function untilClientGivesUpAgain(): Promise<void> {
  const before = failedJoins;
  await vi.waitFor(() => expect(failedJoins).toBeGreaterThanOrEqual(before + 2), { timeout: 40_000 });
}
const effects = async () => perKey(await harness.database.effects('notifications'));

async function administer<T>(work: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
  const admin = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** What the brokers do by themselves as soon as they are three. */
const giveCoordinators = () =>
  administer((admin) =>
    admin.createTopics({
      topics: [
        {
          topic: OFFSETS_TOPIC,
          numPartitions: 1,
          replicationFactor: 1,
          configEntries: [{ name: 'cleanup.policy', value: 'compact' }],
        },
      ],
    }),
  );
const takeCoordinators = () => administer((admin) => admin.deleteTopics({ topics: [OFFSETS_TOPIC] }));

test('R6: a broker without a group coordinator is waited for, however long; then all is handled', async () => {
  const { bus, idle } = await startMember();
  await publishRun(harness, 'a', 3);
  await untilClientGivesUpAgain();
  expect(await effects()).toEqual({});
  expect(() => bus().requireJoined()).toThrow(/has not been joined yet/);
  expect(bus().healthy()).toBe(true);
  await giveCoordinators();
  await idle();
  expect(await effects()).toEqual({ a: upTo(3) });
  expect(() => bus().requireJoined()).not.toThrow();
}, 60_000);

test('R6: a coordinator that is lost is waited for too, and who has been ready stays it', async () => {
  const { bus, idle } = await startMember();
  await publishRun(harness, 'a', 3);
  await idle();
  await takeCoordinators();
  await publishRun(harness, 'a', 3, 4);
  await untilClientGivesUpAgain();
  expect(() => bus().requireJoined()).not.toThrow();
  expect(bus().healthy()).toBe(true);
  await giveCoordinators();
  await idle();
  expect(await effects()).toEqual({ a: upTo(6) });
}, 60_000);
