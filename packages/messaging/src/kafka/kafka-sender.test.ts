import { createManualClock } from '@casewatch/testing/manual-clock';
import { Kafka, logLevel, type Producer, type ProducerBatch, type ProducerConfig } from 'kafkajs';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { EventRecord } from '../event-record.ts';
import { createKafkaSender } from './kafka-sender.ts';

/** A client whose producers reach no broker: they send by `send`. */
class ClientWithoutBroker extends Kafka {
  readonly configs: (ProducerConfig | undefined)[] = [];
  readonly sent: ProducerBatch[] = [];
  disconnects = 0;
  send: () => Promise<void> = async () => undefined;

  constructor() {
    super({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  }

  override producer(config?: ProducerConfig): Producer {
    this.configs.push(config);
    return Object.assign(super.producer(config), {
      connect: async () => undefined,
      sendBatch: async (batch: ProducerBatch) => {
        this.sent.push(batch);
        await this.send();
        return [];
      },
      disconnect: async () => {
        this.disconnects += 1;
      },
    });
  }
}

let stop: () => Promise<void> = async () => undefined;
afterEach(async () => {
  vi.useRealTimers();
  await stop();
});

function start() {
  const kafka = new ClientWithoutBroker();
  const clock = createManualClock();
  const topics: string[] = [];
  const warnings: string[] = [];
  const sender = createKafkaSender({
    kafka,
    topics: {
      ensure: async (names) => void topics.push(`ensure ${names}`),
      forget: (names) => void topics.push(`forget ${names}`),
    },
    topicOf: (event) => `test.${event}`,
    clock,
    logger: pino({ level: 'info' }, { write: (line) => void warnings.push(JSON.parse(line).msg) }),
  });
  stop = sender.stop;
  const outcomes: string[] = [];
  const dispatch = (key: string, payload: unknown = {}, topic = 'user-logged-in') => {
    const event: EventRecord = { id: key, topic, key, payload, headers: {} };
    void sender.dispatch(event).then(
      () => outcomes.push(`${key} sent`),
      (error: Error) => outcomes.push(`${key}: ${error.message}`),
    );
  };
  /** The keys of each batch, by topic. */
  const batches = () =>
    kafka.sent.map(({ topicMessages = [] }) =>
      topicMessages.map(({ topic, messages }) => `${topic}: ${messages.map(({ key }) => key).join(' ')}`),
    );
  return { kafka, clock, sender, topics, warnings, outcomes, dispatch, batches };
}

test('what comes while a batch is being sent goes in one batch after it, in its order, by topic', async () => {
  const { kafka, topics, outcomes, dispatch, batches } = start();
  const first = Promise.withResolvers<void>();
  kafka.send = () => first.promise;
  dispatch('a');
  await expect.poll(batches).toHaveLength(1);
  dispatch('b');
  dispatch('c', {}, 'user-deleted');
  dispatch('d');
  expect(outcomes).toEqual([]);
  first.resolve();
  await expect.poll(() => outcomes).toEqual(['a sent', 'b sent', 'd sent', 'c sent'].sort());
  expect(batches()).toEqual([
    ['test.user-logged-in: a'],
    ['test.user-logged-in: b d', 'test.user-deleted: c'],
  ]);
  expect(topics).toEqual(['ensure test.user-logged-in', 'ensure test.user-logged-in,test.user-deleted']);
});

test('a batch is acknowledged by all in-sync replicas, and comes from a producer that keeps the order', async () => {
  const { kafka, outcomes, dispatch } = start();
  dispatch('a');
  await expect.poll(() => outcomes).toEqual(['a sent']);
  dispatch('b');
  await expect.poll(() => outcomes).toEqual(['a sent', 'b sent']);
  expect(kafka.sent.map(({ acks }) => acks)).toEqual([-1, -1]);
  expect(kafka.configs).toEqual([
    expect.objectContaining({ allowAutoTopicCreation: false, idempotent: true, maxInFlightRequests: 1 }),
  ]);
});

test('a batch has a thousand events at most', async () => {
  const { kafka, outcomes, dispatch } = start();
  for (let n = 0; n < 1_001; n++) dispatch(`key-${n}`);
  await expect.poll(() => outcomes.length).toBe(1_001);
  const sizes = kafka.sent.map(({ topicMessages }) => topicMessages?.[0]?.messages.length);
  expect(sizes).toEqual([1_000, 1]);
});

test('a batch has half a megabyte at most, unless one event is larger', async () => {
  const { outcomes, dispatch, batches } = start();
  // With the quotes of JSON.
  const bytes = (count: number) => 'x'.repeat(count - 2);
  dispatch('a', bytes(250_000));
  dispatch('b', bytes(250_000));
  dispatch('c', bytes(2));
  dispatch('large', bytes(600_000));
  dispatch('d');
  await expect.poll(() => outcomes).toHaveLength(5);
  expect(batches().flat()).toEqual([
    'test.user-logged-in: a b',
    'test.user-logged-in: c',
    'test.user-logged-in: large',
    'test.user-logged-in: d',
  ]);
});

test('what counts are the bytes that a broker gets, not the characters', async () => {
  const { outcomes, dispatch, batches } = start();
  for (const key of ['a', 'b']) dispatch(key, 'ñ'.repeat(200_000));
  await expect.poll(() => outcomes).toHaveLength(2);
  expect(batches()).toHaveLength(2);
});

test('a batch that fails is sent again by a new producer to topics that are looked up again, after ever longer pauses', async () => {
  const { kafka, clock, topics, warnings, outcomes, dispatch, batches } = start();
  kafka.send = () => Promise.reject(new Error('no broker'));
  dispatch('a');
  await expect.poll(() => kafka.disconnects).toBe(1);
  dispatch('b');
  for (const pauseMs of [100, 200, 400, 800, 1_600, 2_000, 2_000]) {
    const { length } = kafka.sent;
    await clock.advance(pauseMs - 1);
    expect(kafka.sent).toHaveLength(length);
    await clock.advance(1);
    expect(kafka.sent).toHaveLength(length + 1);
  }
  expect([outcomes, warnings]).toEqual([
    [],
    ['kafka sender: broker unavailable, events stay in the outboxes'],
  ]);
  kafka.send = async () => undefined;
  await clock.advance(2_000);
  await expect.poll(() => outcomes).toEqual(['a sent', 'b sent']);
  expect(warnings.at(-1)).toBe('kafka sender: broker available, sending events');
  expect(batches().flat()).toEqual([
    ...Array.from({ length: 9 }, () => 'test.user-logged-in: a'),
    'test.user-logged-in: b',
  ]);
  expect(kafka.configs).toHaveLength(9);
  expect(topics.slice(0, 3)).toEqual([
    'ensure test.user-logged-in',
    'forget test.user-logged-in',
    'ensure test.user-logged-in',
  ]);
});

test('a sender that stops ends the batch in flight, refuses the rest, and closes its producer', async () => {
  const { kafka, sender, outcomes, dispatch, batches } = start();
  const first = Promise.withResolvers<void>();
  kafka.send = () => first.promise;
  dispatch('a');
  await expect.poll(batches).toHaveLength(1);
  dispatch('b');
  const stopped = sender.stop();
  dispatch('c');
  first.resolve();
  await stopped;
  dispatch('d');
  await expect.poll(() => outcomes).toHaveLength(4);
  expect(outcomes.toSorted()).toEqual([
    'a sent',
    ...['b', 'c', 'd'].map((key) => `${key}: the sender stopped`),
  ]);
  expect(kafka.disconnects).toBe(1);
});

test('an idle sender stops at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { kafka, sender } = start();
  await sender.stop();
  expect(kafka.configs).toEqual([]);
});

test('a stop waits three seconds for a broker that does not answer, then refuses what it was to have', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { kafka, sender, outcomes, dispatch } = start();
  const answer = Promise.withResolvers<void>();
  kafka.send = () => answer.promise;
  dispatch('a');
  await vi.advanceTimersByTimeAsync(0);
  expect(kafka.sent).toHaveLength(1);
  const stopped = sender.stop();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(outcomes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(outcomes).toEqual(['a: the sender stopped']);
  answer.resolve();
});

test('a stop in a pause between two attempts does not wait for its end', async () => {
  const { kafka, sender, outcomes, dispatch } = start();
  kafka.send = () => Promise.reject(new Error('no broker'));
  dispatch('a');
  await expect.poll(() => kafka.disconnects).toBe(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await sender.stop();
  expect(kafka.sent).toHaveLength(1);
  expect(outcomes).toEqual(['a: the sender stopped']);
});
