import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { type Cache, createMemoryCache } from './cache.ts';
import type { CallWindows } from './call-window.ts';
import { createMemoryInvalidation, type Invalidation } from './invalidation.ts';
import { type LimiterFactory, memoryLimiters } from './limiter.ts';
import { createRedisCache } from './redis-cache.ts';
import { createRedisCallWindows } from './redis-call-windows.ts';
import { openRedis, untilConnected } from './redis-connection.ts';
import { createRedisInvalidation } from './redis-invalidation.ts';
import { createRedisLimiters } from './redis-limiters.ts';

/** What the replicas of a service know together. Whoever uses it does not know where it is kept. */
export interface SharedState {
  readonly limiters: LimiterFactory;
  readonly cache: Cache;
  readonly invalidation: Invalidation;
  /** Undefined where there is only one process: it counts its calls itself. */
  readonly callWindows: CallWindows | undefined;
  stop(): Promise<void>;
}

const FIRST_CONNECTION_MS = 2_000;

/** For a process that shares nothing with others. */
export function createMemoryState(clock: Clock): SharedState {
  return {
    limiters: memoryLimiters,
    cache: createMemoryCache(clock),
    invalidation: createMemoryInvalidation(),
    callWindows: undefined,
    stop: async () => undefined,
  };
}

/** Kept in Redis. Opens also while it is away: each part then does what it does whenever that happens. */
export async function openRedisState(options: {
  url: string;
  /** Begins every key and channel; products that share a server need one each. */
  prefix?: string;
  logger: Logger;
}): Promise<SharedState> {
  const { url, prefix = 'casewatch:', logger } = options;
  const redis = openRedis({ url, logger });
  const subscriber = openRedis({ url, logger: logger.child({ connection: 'listening' }) });
  const parts = { redis, prefix, logger };
  const invalidation = createRedisInvalidation({ ...parts, subscriber });
  await Promise.all([redis, subscriber].map((connection) => untilConnected(connection, FIRST_CONNECTION_MS)));
  return {
    limiters: createRedisLimiters(parts),
    cache: createRedisCache(parts),
    invalidation,
    callWindows: createRedisCallWindows(parts),
    async stop() {
      invalidation.stop();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
