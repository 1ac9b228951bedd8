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
import { expect } from 'vitest';
import type { GroupConsumer } from '../src/group-consumer.ts';
import { startKafkaGroup } from '../src/kafka/kafka-group.ts';

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

/** A member of a group whose broker and handlers are the test. */
export async function startGroupWithoutBroker({ window = 100 } = {}) {
  const kafka = new ClientWithoutBroker();
  const clock = createManualClock();
  const warnings: string[] = [];
  const dispatched: string[] = [];
  const open = new Set<{ readonly key: string; resolve(): void; reject(reason: Error): void }>();
  const handlers = { finish: async (): Promise<void> => undefined };
  const consumer: GroupConsumer = {
    group: 'cases',
    topics: ['user-logged-in', 'user-deleted'],
    dispatch: ({ topic, key }) => {
      dispatched.push(`${topic} ${key}`);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      open.add({ key, resolve, reject });
      return promise;
    },
    redrive: async () => undefined,
    state: () => ({ waiting: 0, sincePauseMs: undefined, deadLettered: 0 }),
    stop: async () => {
      await handlers.finish();
      for (const { reject } of open) reject(new Error('stopped'));
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
  await expect.poll(() => kafka.eachBatch, { interval: 1 }).toBeDefined();

  const commits: Offsets[] = [];
  /** The batches, by their number, whose functions the commits used. */
  const committers: number[] = [];
  let batches = 0;
  const broker = { commit: async (_offsets: Offsets): Promise<void> => undefined };
  const steps: string[] = [];
  /**
   * Delivers messages, whose keys are `partition/offset`, and records what the group says of the batch. Resolves to the offset up to
   * which it was read.
   */
  async function receive(
    partition: number,
    offsets: number[],
    topic = 'test.user-logged-in',
  ): Promise<number | undefined> {
    const name = `${partition}`;
    let read: number | undefined;
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
      resolveOffset: (offset) => {
        read = Number(offset);
        steps.push(`${name} read to ${offset}`);
      },
      heartbeat: async () => undefined,
      pause: () => {
        steps.push(`${name} paused`);
        return () => void steps.push(`${name} resumed`);
      },
      commitOffsetsIfNecessary: async (committed) => {
        commits.push(committed);
        committers.push(batch);
        await broker.commit(committed);
      },
      uncommittedOffsets: () => ({ topics: [] }),
      isRunning: () => true,
      isStale: () => false,
    });
    return read;
  }
  async function settle(...keys: string[]): Promise<void> {
    for (const delivery of open) {
      if (!keys.includes(delivery.key)) continue;
      open.delete(delivery);
      delivery.resolve();
    }
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
    open,
    handlers,
    committers,
    broker,
    warnings,
  };
}
