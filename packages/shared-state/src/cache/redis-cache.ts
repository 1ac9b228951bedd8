import { createAwayLog } from '@casewatch/service-kit/runtime/away-log';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { RedisCommands } from '../redis/redis-connection.ts';
import type { Cache } from './cache.ts';

/** One cache for every process. While Redis is away nothing is found and nothing is kept. */
export function createRedisCache(options: { redis: RedisCommands; prefix: string; logger: Logger }): Cache {
  const { redis, prefix } = options;
  const away = createAwayLog(options.logger, 'the cache is away: nothing is found in it');
  const keyOf = (key: string) => `${prefix}cache:${key}`;
  return {
    async get(key) {
      try {
        return (await redis.get(keyOf(key))) ?? undefined;
      } catch (error) {
        away(error);
        return undefined;
      }
    },
    async set(key, value, ttlMs) {
      const wholeMs = Math.floor(ttlMs);
      if (wholeMs < 1) return;
      await redis.set(keyOf(key), value, 'PX', wholeMs).catch(away);
    },
    async add(key, value, ttlMs) {
      const wholeMs = Math.floor(ttlMs);
      try {
        if (wholeMs < 1) return (await redis.exists(keyOf(key))) === 0;
        return (await redis.set(keyOf(key), value, 'PX', wholeMs, 'NX')) === 'OK';
      } catch (error) {
        away(error);
        return true;
      }
    },
    async delete(key) {
      await redis.del(keyOf(key)).catch(away);
    },
  };
}
