import { randomUUID } from 'node:crypto';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { startTestRedisCluster } from '@casewatch/dev-stack/redis/redis-cluster';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRedisLimiters } from '../../src/limits/redis-limiters.ts';
import type { RedisCommands } from '../../src/redis/redis-connection.ts';
import { describeLimiters } from '../limiter-contract.ts';
import { keysOf } from './redis-keys.ts';

describe.each([
  ['a server', startTestRedis],
  ['a cluster', startTestRedisCluster],
])('limits in Redis: %s', (_, start) => {
  const logger = pino({ level: 'silent' });
  let server: { readonly url: string; stop(): Promise<void> };
  let redis: RedisCommands;
  let prefix: string;
  beforeAll(async () => {
    server = await start();
    redis = await connectedRedis(server.url);
  });
  beforeEach(() => {
    prefix = `casewatch-test-${randomUUID()}:`;
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  const limiters = () => createRedisLimiters({ redis, prefix, logger });

  describeLimiters(limiters, async (seconds) => {
    // Its windows are the lives of its keys.
    for (const key of await keysOf(redis, prefix)) {
      await redis.pexpire(key, (await redis.pttl(key)) - seconds * 1000);
    }
  });

  test('hold for all processes together', async () => {
    const rule = { name: 'shared', points: 2, perSeconds: 60 };
    const other = await connectedRedis(server.url);
    const here = limiters()(rule);
    const there = createRedisLimiters({ redis: other, prefix, logger })(rule);
    await here.take('a');
    await there.take('a');
    expect(await here.take('a')).toBe(60);
    await there.reset('a');
    expect(await here.take('a')).toBeUndefined();
    other.disconnect();
  });

  test('know a whole point again after the last one was given back, in the current window', async () => {
    const limiter = limiters()({ name: 'test', points: 1, perSeconds: 60 });
    await limiter.take('a');
    await redis.pexpire(`${prefix}limits:test:a`, 30_000);
    await limiter.giveBack('a');
    await limiter.take('a');
    expect(await limiter.take('a')).toBe(30);
  });
});
