import { randomUUID } from 'node:crypto';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { startTestRedisCluster } from '@casewatch/dev-stack/redis/redis-cluster';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createRedisCache } from '../../src/cache/redis-cache.ts';
import type { RedisCommands } from '../../src/redis/redis-connection.ts';
import { describeCache } from '../cache-contract.ts';
import { keysOf } from './redis-keys.ts';

describe.each([
  ['a server', startTestRedis],
  ['a cluster', startTestRedisCluster],
])('the cache in Redis: %s', (_, start) => {
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
  describeCache(
    () => createRedisCache({ redis, prefix, logger }),
    async (ms) => {
      for (const key of await keysOf(redis, prefix)) await redis.pexpire(key, (await redis.pttl(key)) - ms);
    },
  );
});
