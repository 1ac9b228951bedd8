import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createThrottledWarning } from '@casewatch/service-kit/runtime/outage-log';
import type { Redis } from 'ioredis';
import type { RedisCommands } from '../redis/redis-connection.ts';
import type { PubSub } from './pub-sub.ts';
import { subscribeToChannel } from './redis-channel.ts';

/** Creates publish and subscribe of Redis. Each subscription opens a connection of its own, and closes it when it stops. */
export function createRedisPubSub(options: {
  redis: RedisCommands;
  openSubscriber(): Redis;
  prefix: string;
  logger: Logger;
}): PubSub {
  const { redis, openSubscriber, prefix, logger } = options;
  const warn = createThrottledWarning(
    logger,
    'pub/sub: Redis unavailable, subscribers catch up when they are connected again',
  );
  return {
    publish(channel, message) {
      redis.publish(prefix + channel, message).catch(warn);
    },
    subscribe(channel, listener) {
      const subscriber = openSubscriber();
      const subscription = subscribeToChannel({
        subscriber,
        channel: prefix + channel,
        name: 'pub/sub',
        logger,
        listener,
      });
      return {
        isSubscribed: subscription.isSubscribed,
        stop() {
          subscription.stop();
          subscriber.disconnect();
        },
      };
    },
  };
}
