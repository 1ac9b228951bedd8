import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { subscribeToChannel } from './redis-channel.ts';
import { createRedisPubSub } from './redis-pub-sub.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection that is not there; the test says what happens to it. */
function connection() {
  const steps: string[] = [];
  const server = {
    subscribe: async (): Promise<void> => undefined,
    publish: async () => 1,
  };
  const redis = Object.assign(new Redis({ lazyConnect: true }), {
    subscribe: async (channel: string) => {
      steps.push(`subscribe ${channel}`);
      return server.subscribe();
    },
    publish: async (channel: string, message: string) => {
      steps.push(`publish ${channel} ${message}`);
      return server.publish();
    },
    ping: async () => {
      steps.push('ping');
      throw new Error('no answer');
    },
    disconnect: (reconnect = false) => void steps.push(`disconnect ${reconnect}`),
  });
  /** The connection is made; resolves when what follows from it has happened. */
  const connect = async () => {
    redis.emit('ready');
    await new Promise((resolve) => setImmediate(resolve));
  };
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) });
  const heard: string[] = [];
  const listener = {
    onMessage: (message: string) => void heard.push(message),
    onGap: () => void heard.push('gap'),
  };
  return { redis, server, steps, connect, warnings, logger, heard, listener };
}

function subscribed() {
  const made = connection();
  const { redis: subscriber, logger, listener } = made;
  const subscription = subscribeToChannel({ subscriber, channel: 'news', name: 'test', logger, listener });
  return { ...made, subscription };
}

test('messages are heard from the subscription on; its begin and each loss of the connection are gaps', async () => {
  const { redis, steps, connect, heard, subscription } = subscribed();
  expect([subscription.isSubscribed(), steps]).toEqual([false, []]);
  await connect();
  redis.emit('message', 'news', 'one');
  expect([subscription.isSubscribed(), heard, steps]).toEqual([true, ['gap', 'one'], ['subscribe news']]);
  redis.emit('close');
  expect([subscription.isSubscribed(), heard]).toEqual([false, ['gap', 'one', 'gap']]);
  await connect();
  expect([subscription.isSubscribed(), heard.length]).toEqual([true, 4]);
  expect(steps).toEqual(['subscribe news', 'subscribe news']);
});

test('a connection that is there already is subscribed at once', async () => {
  const { redis: subscriber, steps, logger, listener } = connection();
  subscriber.status = 'ready';
  const subscription = subscribeToChannel({ subscriber, channel: 'news', name: 'test', logger, listener });
  expect(steps).toEqual(['subscribe news']);
  await expect.poll(() => subscription.isSubscribed()).toBe(true);
});

test('a connection that can’t subscribe is opened again, and the log says so', async () => {
  const { server, steps, connect, warnings, heard, subscription } = subscribed();
  server.subscribe = () => Promise.reject(new Error('loading'));
  await connect();
  expect(steps).toEqual(['subscribe news', 'disconnect true']);
  expect(warnings).toEqual(['test: subscription failed, reconnecting']);
  expect([subscription.isSubscribed(), heard]).toEqual([false, []]);
});

test('every two seconds a subscribed connection has to answer, and no other', async () => {
  // A spy would be taken off once more when the file has ended, and leave the fake timer to the next file.
  const timers = vi.fn(globalThis.setInterval);
  vi.stubGlobal('setInterval', timers);
  const { redis, steps, connect } = subscribed();
  vi.unstubAllGlobals();
  // No reason for the process to keep running.
  expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  vi.advanceTimersByTime(10_000);
  expect(steps).toEqual([]);
  await connect();
  steps.length = 0;
  vi.advanceTimersByTime(1_999);
  // Its timer has run since the start, at which there was nothing to ask.
  vi.advanceTimersByTime(1);
  expect(steps).toEqual(['ping']);
  vi.advanceTimersByTime(2_000);
  expect(steps).toEqual(['ping', 'ping']);
  redis.emit('close');
  vi.advanceTimersByTime(10_000);
  expect(steps).toEqual(['ping', 'ping']);
});

test('after a stop nothing is heard, nor asked, whatever was in progress', async () => {
  const { redis, server, steps, connect, warnings, heard, subscription } = subscribed();
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let asked = 0;
  server.subscribe = () => answers[asked++]?.promise ?? Promise.resolve();
  await connect();
  await connect();
  subscription.stop();
  answers[0]?.resolve();
  answers[1]?.reject(new Error('closed'));
  await new Promise((resolve) => setImmediate(resolve));
  redis.emit('message', 'news', 'late');
  redis.emit('close');
  vi.advanceTimersByTime(10_000);
  expect([heard, warnings, subscription.isSubscribed()]).toEqual([[], [], false]);
  expect(steps).toEqual(['subscribe news', 'subscribe news']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a channel has the installation’s prefix, and a subscription a connection of its own that it closes', async () => {
  const [publisher, subscriber] = [connection(), connection()];
  const pubSub = createRedisPubSub({
    redis: publisher.redis,
    openSubscriber: () => subscriber.redis,
    prefix: 'test:',
    logger: publisher.logger,
  });
  const subscription = pubSub.subscribe('news', subscriber.listener);
  await subscriber.connect();
  expect(subscription.isSubscribed()).toBe(true);
  pubSub.publish('news', 'one');
  expect(publisher.steps).toEqual(['publish test:news one']);
  subscription.stop();
  expect(subscriber.steps).toEqual(['subscribe test:news', 'disconnect false']);
  expect(subscription.isSubscribed()).toBe(false);
  publisher.server.publish = () => Promise.reject(new Error('no connection'));
  pubSub.publish('news', 'two');
  await expect
    .poll(() => publisher.warnings)
    .toEqual(['pub/sub: Redis unavailable, subscribers catch up when they are connected again']);
});
