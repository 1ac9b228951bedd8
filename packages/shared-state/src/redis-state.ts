import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createRedisInvalidation } from './invalidation/redis-invalidation.ts';
import { createRedisLimiters } from './limits/redis-limiters.ts';
import { createRedisPubSub } from './pub-sub/redis-pub-sub.ts';
import { openRedis, openRedisSubscriber, untilConnected } from './redis/redis-connection.ts';
import type { SharedState } from './shared-state.ts';

const FIRST_CONNECTION_MS = 2_000;

/** Opens shared state in Redis. Also opens while Redis is unavailable: each part then behaves as in any outage. */
export async function openRedisState(options: {
  /** In the form that `parseRedisUrl` accepts. */
  url: string;
  /** Prefix of every key and channel; installations that share a server need one each. */
  prefix?: string;
  logger: Logger;
}): Promise<SharedState> {
  const { url, prefix = 'casewatch:', logger } = options;
  const redis = openRedis({ url, logger });
  const openSubscriber = () =>
    openRedisSubscriber({ url, logger: logger.child({ connection: 'listening' }) });
  const subscriber = openSubscriber();
  const parts = { redis, prefix, logger };
  const invalidation = createRedisInvalidation({ ...parts, subscriber });
  await Promise.all([redis, subscriber].map((connection) => untilConnected(connection, FIRST_CONNECTION_MS)));
  return {
    limiters: createRedisLimiters(parts),
    invalidation,
    pubSub: createRedisPubSub({ ...parts, openSubscriber }),
    ping: () => redis.ping(),
    async stop() {
      invalidation.stop();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
