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

test('a connection that can’t subscribe is opened again, and the log says so', async () => {
  const { server, steps, connect, warnings, heard, subscription } = subscribed();
  server.subscribe = () => Promise.reject(new Error('loading'));
  await connect();
  expect(steps).toEqual(['subscribe news', 'disconnect true']);
  expect(warnings).toEqual(['test: subscription failed, reconnecting']);
  expect([subscription.isSubscribed(), heard]).toEqual([false, []]);
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
