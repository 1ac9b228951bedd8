import { createManualClock } from '@casewatch/testing/manual-clock';
import {
  type Consumer,
  type ConsumerConfig,
  type ConsumerRunConfig,
  type EachBatchPayload,
  Kafka,
  logLevel,
} from 'kafkajs';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { GroupConsumer } from '../group-consumer.ts';
import { startKafkaGroup } from './kafka-group.ts';

type Offsets = Parameters<EachBatchPayload['commitOffsetsIfNecessary']>[0];

/** A client whose consumers reach no broker: the test joins the group and hands the batches over. */
class ClientWithoutBroker extends Kafka {
  eachBatch: ConsumerRunConfig['eachBatch'];
  leave: () => Promise<void> = async () => undefined;
  join: (assignment: Record<string, number[]>) => void = () => undefined;

  constructor() {
    super({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  }

  override consumer(config: ConsumerConfig): Consumer {
    const consumer = super.consumer(config);
    return Object.assign(consumer, {
      connect: async () => undefined,
      subscribe: async () => undefined,
      on: (name: string, listener: (event: unknown) => void) => {
        if (name === consumer.events.GROUP_JOIN)
          this.join = (memberAssignment) => listener({ payload: { memberAssignment } });
      },
      run: async ({ eachBatch }: ConsumerRunConfig = {}) => {
        this.eachBatch = eachBatch;
      },
      disconnect: () => this.leave(),
    });
  }
}

let stop: () => Promise<void> = async () => undefined;
afterEach(async () => {
  vi.useRealTimers();
  await stop();
});

async function start({ window = 100 } = {}) {
  const kafka = new ClientWithoutBroker();
  const clock = createManualClock();
  const warnings: string[] = [];
  const dispatched: string[] = [];
  const open = new Map<string, PromiseWithResolvers<void>>();
  const handlers = { finish: async (): Promise<void> => undefined };
  const consumer: GroupConsumer = {
    group: 'cases',
    topics: ['user-logged-in', 'user-deleted'],
    dispatch: ({ topic, key }) => {
      dispatched.push(`${topic} ${key}`);
      const settling = Promise.withResolvers<void>();
      open.set(key, settling);
      return settling.promise;
    },
    redrive: async () => undefined,
    state: () => ({ group: 'cases', waiting: 0, lastProgressMs: 0, lastPauseMs: undefined, deadLettered: 0 }),
    stop: async () => {
      await handlers.finish();
      for (const { reject } of open.values()) reject(new Error('stopped'));
    },
  };
  const group = startKafkaGroup({
    kafka,
    groupId: 'test.cases',
    consumer,
    topics: { ensure: async () => undefined, forget: () => undefined },
    topicOf: (event) => `test.${event}`,
    eventOfTopic: (topic) => topic.slice('test.'.length),
    clock,
    logger: pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) }),
    window,
    sessionTimeoutMs: 6_000,
    refusedPatienceMs: 60_000,
    onFatal: (error) => expect.unreachable(error.message),
  });
  stop = group.stop;
  await expect.poll(() => kafka.eachBatch).toBeDefined();

  const commits: Offsets[] = [];
  /** The batches, by their number, whose functions the commits used. */
  const committers: number[] = [];
  let batches = 0;
  const broker = { commit: async (): Promise<void> => undefined };
  const steps: string[] = [];
  /** Hands over messages, whose keys are `partition/offset`; notes what the group says of the batch. */
  async function receive(partition: number, offsets: number[], topic = 'test.user-logged-in'): Promise<void> {
    const name = `${partition}`;
    batches += 1;
    const batch = batches;
    await kafka.eachBatch?.({
      batch: {
        topic,
        partition,
        highWatermark: '1000',
        messages: offsets.map((offset) => ({
          key: Buffer.from(`${partition}/${offset}`),
          value: Buffer.from('{}'),
          timestamp: '0',
          attributes: 0,
          offset: String(offset),
          headers: {},
        })),
        isEmpty: () => offsets.length === 0,
        firstOffset: () => String(offsets[0]),
        lastOffset: () => String(offsets.at(-1)),
        offsetLag: () => '0',
        offsetLagLow: () => '0',
      },
      resolveOffset: (offset) => void steps.push(`${name} read to ${offset}`),
      heartbeat: async () => undefined,
      pause: () => {
        steps.push(`${name} paused`);
        return () => void steps.push(`${name} resumed`);
      },
      commitOffsetsIfNecessary: async (committed) => {
        commits.push(committed);
        committers.push(batch);
        await broker.commit();
      },
      uncommittedOffsets: () => ({ topics: [] }),
      isRunning: () => true,
      isStale: () => false,
    });
  }
  async function settle(...keys: string[]): Promise<void> {
    for (const key of keys) open.get(key)?.resolve();
    await clock.advance(0);
  }
  const committed = () =>
    commits.map((each) =>
      (each?.topics ?? []).flatMap(({ topic, partitions }) =>
        partitions.map(({ partition, offset }) => `${topic} ${partition}: ${offset}`),
      ),
    );
  return {
    kafka,
    clock,
    group,
    receive,
    settle,
    committed,
    commits,
    steps,
    dispatched,
    handlers,
    committers,
    broker,
    warnings,
  };
}

test('messages are dispatched in their order as events of their topics, without waiting for them', async () => {
  const { group, receive, dispatched, steps } = await start();
  expect([group.groupId, group.topics]).toEqual(['test.cases', ['test.user-logged-in', 'test.user-deleted']]);
  await receive(0, [5, 6]);
  await receive(0, [9], 'test.user-deleted');
  await receive(0, []);
  expect(dispatched).toEqual(['user-logged-in 0/5', 'user-logged-in 0/6', 'user-deleted 0/9']);
  expect(steps).toEqual(['0 read to 6', '0 read to 9']);
});

test('a partition with a full window is read no further until half of it is handled', async () => {
  const { receive, settle, dispatched, steps } = await start({ window: 4 });
  await receive(0, [0, 1, 2]);
  await receive(0, [3, 4, 5]);
  await receive(1, [0]);
  expect(dispatched).toHaveLength(5);
  expect(steps).toEqual(['0 read to 2', '0 read to 3', '0 paused', '1 read to 0']);
  steps.length = 0;
  await settle('0/3');
  expect(steps).toEqual([]);
  await settle('0/0');
  expect(steps).toEqual(['0 resumed']);
  await settle('0/1');
  expect(steps).toEqual(['0 resumed']);
  await receive(0, [4, 5, 6, 7]);
  expect(steps).toEqual(['0 resumed', '0 read to 6', '0 paused']);
  await receive(0, [7]);
  expect(dispatched).toHaveLength(8);
});

test('what is handled is committed at once, then every 100 ms, for all partitions together', async () => {
  const { clock, receive, settle, committed, committers } = await start();
  await receive(0, [5, 6, 7]);
  await receive(1, [0]);
  await receive(0, [3], 'test.user-deleted');
  await settle('0/6');
  await clock.advance(100);
  expect(committed()).toEqual([]);
  await settle('0/5');
  expect(committed()).toEqual([['test.user-logged-in 0: 7']]);
  await settle('1/0', '0/3');
  await clock.advance(99);
  expect(committed()).toHaveLength(1);
  await clock.advance(1);
  expect(committed().slice(1)).toEqual([['test.user-logged-in 1: 1', 'test.user-deleted 0: 4']]);
  await settle('0/7');
  await clock.advance(10_000);
  expect(committed().slice(2)).toEqual([['test.user-logged-in 0: 8']]);
  await receive(0, [8]);
  await settle('0/8');
  // By the last batch of a partition: it is of the group as it is now.
  expect([committed().at(-1), committers.at(-1)]).toEqual([['test.user-logged-in 0: 9'], 4]);
});

test('offsets that can’t be committed are committed half a second later', async () => {
  const { clock, receive, settle, committed, broker } = await start();
  broker.commit = () => Promise.reject(new Error('the coordinator has moved'));
  await receive(0, [5]);
  await settle('0/5');
  expect(committed()).toEqual([['test.user-logged-in 0: 6']]);
  broker.commit = async () => undefined;
  await clock.advance(499);
  expect(committed()).toHaveLength(1);
  await clock.advance(1);
  expect(committed().slice(1)).toEqual([['test.user-logged-in 0: 6']]);
  await clock.advance(10_000);
  expect(committed()).toHaveLength(2);
});

test('with a new assignment what was in flight no longer counts: it is delivered again', async () => {
  const { kafka, group, clock, receive, settle, committed, steps } = await start({ window: 2 });
  expect(group.assigned()).toBeUndefined();
  kafka.join({ 'test.user-logged-in': [0, 1] });
  expect(group.assigned()).toEqual(new Map([['test.user-logged-in', [0, 1]]]));
  await receive(0, [0, 1]);
  await receive(1, [0]);
  expect(steps).toContain('0 paused');
  steps.length = 0;
  kafka.join({ 'test.user-logged-in': [0] });
  expect([group.assigned(), steps]).toEqual([new Map([['test.user-logged-in', [0]]]), ['0 resumed']]);
  await settle('0/0', '0/1', '1/0');
  await clock.advance(1_000);
  expect(committed()).toEqual([]);
  await receive(0, [0]);
  await settle('0/0');
  expect(committed()).toEqual([['test.user-logged-in 0: 1']]);
});

test('a group that stops lets its handlers end, commits what they have done, leaves, and takes no more', async () => {
  const { kafka, group, clock, receive, settle, committed, dispatched, handlers, warnings } = await start();
  await receive(0, [0, 1, 2]);
  await settle('0/0');
  handlers.finish = () => settle('0/1');
  let committedBefore: unknown;
  kafka.leave = async () => {
    committedBefore = committed().at(-1);
  };
  await group.stop();
  await receive(0, [3]);
  expect(committedBefore).toEqual(['test.user-logged-in 0: 2']);
  expect(dispatched).toHaveLength(3);
  await clock.advance(1_000);
  expect(committed()).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test('a group that can’t leave within three seconds of its last handler is left as it is, with a warning', async () => {
  const { kafka, group, handlers, warnings } = await start();
  const finished = Promise.withResolvers<void>();
  handlers.finish = () => finished.promise;
  const left = Promise.withResolvers<void>();
  kafka.leave = () => left.promise;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isStopped = false;
  const stopping = group.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  finished.resolve();
  await vi.advanceTimersByTimeAsync(2_999);
  expect([isStopped, warnings]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  expect(warnings).toEqual([
    'kafka group: leaving timed out, partitions are released when the session expires',
  ]);
  left.resolve();
});
