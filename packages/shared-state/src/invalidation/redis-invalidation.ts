import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createThrottledWarning } from '@casewatch/service-kit/runtime/outage-log';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { RedisCommands } from '../redis/redis-connection.ts';
import type { Invalidation, InvalidationListener } from './invalidation.ts';

/** A connection that only receives does not notice by itself that its peer is gone. */
const HEARTBEAT_MS = 2_000;

const staleSchema = z.object({ sessionKey: z.string().optional(), userId: z.string().optional() });

export interface RedisInvalidation extends Invalidation {
  stop(): void;
}

/** Session invalidation over Redis' publish and subscribe; `subscriber` is a connection used for nothing else. */
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
  let subscribed = false;

  function miss(): void {
    subscribed = false;
    for (const listener of listeners) listener.onGap();
  }

  async function openChannel(): Promise<void> {
    try {
      await subscriber.subscribe(channel);
      subscribed = true;
      for (const listener of listeners) listener.onGap();
    } catch (error) {
      // A connection that can't subscribe is useless: reconnect.
      logger.warn({ err: error }, 'session invalidation: subscription failed, reconnecting');
      subscriber.disconnect(true);
    }
  }

  subscriber.on('ready', () => void openChannel());
  subscriber.on('close', miss);
  subscriber.on('message', (_channel: string, message: string) => {
    const what = staleSchema.safeParse(jsonOrNull(message));
    for (const listener of listeners) {
      if (what.success) listener.onStale(what.data);
      else listener.onGap();
    }
  });
  if (subscriber.status === 'ready') void openChannel();
  const heartbeat = setInterval(() => {
    // A missing answer closes the connection, which is then noticed.
    if (subscribed) subscriber.ping().catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    publish(what) {
      redis.publish(channel, JSON.stringify(what)).catch(warn);
    },
    subscribe(listener) {
      listeners.push(listener);
    },
    isSubscribed: () => subscribed,
    stop() {
      clearInterval(heartbeat);
      subscribed = false;
    },
  };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
