import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createThrottledWarning } from '@casewatch/service-kit/runtime/outage-log';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { subscribeToChannel } from '../pub-sub/redis-channel.ts';
import type { RedisCommands } from '../redis/redis-connection.ts';
import type { Invalidation, InvalidationListener } from './invalidation.ts';

const staleSchema = z.object({ sessionKey: z.string().optional(), userId: z.string().optional() });

export interface RedisInvalidation extends Invalidation {
  stop(): void;
}

/** Creates session invalidation over Redis' publish and subscribe; `subscriber` is a connection used for nothing else. */
export function createRedisInvalidation(options: {
  redis: RedisCommands;
  subscriber: Redis;
  prefix: string;
  logger: Logger;
}): RedisInvalidation {
  const { redis, subscriber, prefix, logger } = options;
  const channel = `${prefix}stale-sessions`;
  const warn = createThrottledWarning(
    logger,
    'session invalidation: Redis unavailable, other processes use a stale session until it expires from their cache',
  );
  const listeners: InvalidationListener[] = [];
  const subscription = subscribeToChannel({
    subscriber,
    channel,
    name: 'session invalidation',
    logger,
    listener: {
      onMessage: (message) => {
        const what = staleSchema.safeParse(jsonOrNull(message));
        for (const listener of listeners) {
          if (what.success) listener.onStale(what.data);
          else listener.onGap();
        }
      },
      onGap: () => {
        for (const listener of listeners) listener.onGap();
      },
    },
  });

  return {
    publish(what) {
      redis.publish(channel, JSON.stringify(what)).catch(warn);
    },
    subscribe(listener) {
      listeners.push(listener);
    },
    isSubscribed: subscription.isSubscribed,
    stop: subscription.stop,
  };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
