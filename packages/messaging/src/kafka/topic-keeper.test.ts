import { createManualClock } from '@casewatch/testing/manual-clock';
import { type Admin, type ITopicConfig, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTopicKeeper, type TopicOptions } from './topic-keeper.ts';

const LED = [{ partitionErrorCode: 0, partitionId: 0, leader: 1, replicas: [1], isr: [1] }];
const UNLED = [{ ...LED[0], partitionErrorCode: 5, partitionId: 0, leader: -1, replicas: [1], isr: [] }];
const withType = (type: string) => Object.assign(new Error(type), { type });

/** A topic keeper at a broker that has `existing`, and reports the partitions that `partitionsOf` returns. */
function start(existing: string[] = [], options: Partial<TopicOptions> = {}) {
  const clock = createManualClock();
  const warned: Record<string, unknown>[] = [];
  const made: ITopicConfig[][] = [];
  const waited: (boolean | undefined)[] = [];
  const broker = {
    lists: 0,
    looks: 0,
    partitionsOf: (): typeof LED => LED,
  };
  const admin: Admin = Object.assign(
    new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).admin(),
    {
      listTopics: async () => {
        broker.lists += 1;
        return existing;
      },
      createTopics: async ({ topics, waitForLeaders }: Parameters<Admin['createTopics']>[0]) => {
        made.push(topics);
        waited.push(waitForLeaders);
        return true;
      },
      fetchTopicMetadata: async ({ topics = [] }: { topics?: string[] } = {}) => {
        broker.looks += 1;
        return { topics: topics.map((name) => ({ name, partitions: broker.partitionsOf() })) };
      },
    },
  );
  const keeper = createTopicKeeper({
    admin: { use: (work) => work(admin), disconnect: async () => undefined },
    clock,
    logger: pino({ level: 'warn' }, { write: (line) => warned.push(JSON.parse(line)) }),
    partitions: 1,
    replicationFactor: -1,
    retentionMs: 7_000,
    ...options,
  });
  return { clock, broker, keeper, made, waited, warned };
}

test('topics that are missing are made, the others stay as they are', async () => {
  const { keeper, made, waited } = start(['there'], {
    minInSyncReplicas: 2,
    replicationFactor: 3,
    partitions: 6,
  });
  await keeper.ensure(['there', 'missing']);
  expect(made).toEqual([
    [
      {
        topic: 'missing',
        numPartitions: 6,
        replicationFactor: 3,
        configEntries: [
          { name: 'cleanup.policy', value: 'delete' },
          { name: 'retention.ms', value: '7000' },
          { name: 'min.insync.replicas', value: '2' },
        ],
      },
    ],
  ]);
  expect(waited).toEqual([false]);
});

test('nothing is made where all topics are there, and a topic is looked up once until it is to be forgotten', async () => {
  const { broker, keeper, made } = start(['a', 'b']);
  await keeper.ensure(['a']);
  await keeper.ensure(['a', 'b']);
  await keeper.ensure(['b', 'a']);
  expect([broker.lists, broker.looks]).toEqual([2, 2]);
  keeper.forget(['a']);
  await keeper.ensure(['b']);
  expect(broker.lists).toBe(2);
  await keeper.ensure(['a']);
  expect([broker.lists, made]).toEqual([3, []]);
});

test.each([
  ['has no partitions yet', () => []],
  ['has no leader yet', () => UNLED],
  ['has a partition without a leader', () => [...LED, ...UNLED]],
  [
    'is not known yet',
    () => {
      throw withType('UNKNOWN_TOPIC_OR_PARTITION');
    },
  ],
  [
    'is about to have a leader',
    () => {
      throw withType('LEADER_NOT_AVAILABLE');
    },
  ],
])('a topic that %s is looked at again every 100 ms until it is led', async (_what, partitionsOf) => {
  const { clock, broker, keeper } = start();
  broker.partitionsOf = partitionsOf;
  let isReady = false;
  const ensured = keeper.ensure(['a']).then(() => {
    isReady = true;
  });
  await clock.advance(0);
  expect(broker.looks).toBe(1);
  await clock.advance(99);
  expect(broker.looks).toBe(1);
  await clock.advance(1);
  expect([broker.looks, isReady]).toEqual([2, false]);
  broker.partitionsOf = () => [
    ...LED,
    { ...LED[0], partitionErrorCode: 0, partitionId: 1, leader: 0, replicas: [0], isr: [0] },
  ];
  await clock.advance(100);
  await ensured;
  expect(broker.looks).toBe(3);
});

test('a topic without a leader for ten seconds is an error, and the next try looks again', async () => {
  const { clock, broker, keeper } = start();
  broker.partitionsOf = () => UNLED;
  const failing = keeper.ensure(['a', 'b']).catch((error: Error) => error.message);
  await clock.advance(0);
  await clock.advance(9_900);
  expect(await failing).toBe('no leader for a, b');
  expect(broker.looks).toBe(100);
  broker.partitionsOf = () => LED;
  await keeper.ensure(['a', 'b']);
  expect(broker.looks).toBe(101);
});

test('any other error is reported at once', async () => {
  const { broker, keeper } = start();
  broker.partitionsOf = () => {
    throw withType('TOPIC_AUTHORIZATION_FAILED');
  };
  await expect(keeper.ensure(['a'])).rejects.toThrow('TOPIC_AUTHORIZATION_FAILED');
});

test('a topic with fewer partitions than a new one would get is counted and named, until it has them', async () => {
  const { broker, keeper, warned } = start(['small'], { partitions: 2 });
  await keeper.ensure(['small']);
  expect(keeper.withFewPartitions()).toBe(1);
  expect(warned).toMatchObject([{ topic: 'small', partitions: 1, configured: 2 }]);
  broker.partitionsOf = () => [...LED, ...LED];
  keeper.forget(['small']);
  await keeper.ensure(['small']);
  expect([keeper.withFewPartitions(), warned.length]).toEqual([0, 1]);
});
