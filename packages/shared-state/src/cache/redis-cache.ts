import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createThrottledWarning } from '@casewatch/service-kit/runtime/outage-log';
import type { RedisCommands } from '../redis/redis-connection.ts';
import type { Cache } from './cache.ts';

/** Creates one cache for all processes. While Redis is unavailable, nothing is found and nothing is stored. */
export function createRedisCache(options: { redis: RedisCommands; prefix: string; logger: Logger }): Cache {
  const { redis, prefix } = options;
  const warn = createThrottledWarning(options.logger, 'cache: Redis unavailable, every lookup misses');
  const keyOf = (key: string) => `${prefix}cache:${key}`;
  return {
    async get(key) {
      try {
        return (await redis.get(keyOf(key))) ?? undefined;
      } catch (error) {
        warn(error);
        return undefined;
      }
    },
    async set(key, value, ttlMs) {
      const wholeMs = Math.floor(ttlMs);
      if (wholeMs < 1) return;
      await redis.set(keyOf(key), value, 'PX', wholeMs).catch(warn);
    },
    async add(key, value, ttlMs) {
      const wholeMs = Math.floor(ttlMs);
      try {
        if (wholeMs < 1) return (await redis.exists(keyOf(key))) === 0;
        return (await redis.set(keyOf(key), value, 'PX', wholeMs, 'NX')) === 'OK';
      } catch (error) {
        warn(error);
        return true;
      }
    },
    async delete(key) {
      await redis.del(keyOf(key)).catch(warn);
    },
  };
}
