import { createAwayLog } from '@casewatch/service-kit/runtime/away-log';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { RedisCommands } from '../redis/redis-connection.ts';
import type { Invalidation, InvalidationListener } from './invalidation.ts';

/** A connection that only listens does not notice by itself that nobody is at its other end. */
const HEARTBEAT_MS = 2_000;

const staleSchema = z.object({ sessionKey: z.string().optional(), userId: z.string().optional() });

export interface RedisInvalidation extends Invalidation {
  stop(): void;
}

/** Over Redis' publish and subscribe: `subscriber` is a connection for this alone, in which nothing else can be said. */
export function createRedisInvalidation(options: {
  redis: RedisCommands;
  subscriber: Redis;
  prefix: string;
  logger: Logger;
}): RedisInvalidation {
  const { redis, subscriber, prefix, logger } = options;
  const channel = `${prefix}stale-sessions`;
  const away = createAwayLog(
    logger,
    'other processes may remember a session until their time for it is over',
  );
  const listeners: InvalidationListener[] = [];
  let hearing = false;

  function miss(): void {
    hearing = false;
    for (const listener of listeners) listener.onGap();
  }

  async function subscribe(): Promise<void> {
    try {
      await subscriber.subscribe(channel);
      hearing = true;
      for (const listener of listeners) listener.onGap();
    } catch (error) {
      // A connection that can't subscribe is of no use: a new one tries again.
      logger.warn({ err: error }, 'session news can not be heard');
      subscriber.disconnect(true);
    }
  }

  subscriber.on('ready', () => void subscribe());
  subscriber.on('close', miss);
  subscriber.on('message', (_channel: string, message: string) => {
    const what = staleSchema.safeParse(jsonOrNull(message));
    for (const listener of listeners) {
      if (what.success) listener.onStale(what.data);
      else listener.onGap();
    }
  });
  if (subscriber.status === 'ready') void subscribe();
  const heartbeat = setInterval(() => {
    // An answer that does not come closes the connection, which is what counts.
    if (hearing) subscriber.ping().catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    tell(what) {
      redis.publish(channel, JSON.stringify(what)).catch(away);
    },
    listen(listener) {
      listeners.push(listener);
    },
    hears: () => hearing,
    stop() {
      clearInterval(heartbeat);
      hearing = false;
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
