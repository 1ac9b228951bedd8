import { Redis } from 'ioredis';
import type { Logger } from '../runtime/logger.ts';

/** A server that is silent for so long while it owes an answer is away: the connection is made anew. */
const SILENCE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

export interface RedisOptions {
  /** `redis://` or `rediss://`. */
  url: string;
  logger: Logger;
}

/**
 * A connection that comes back by itself. A command fails at once while the server is away, and within about a second
 * when it stops answering; none is kept for later or sent twice, because what it was meant for is over by then.
 */
export function openRedis({ url, logger }: RedisOptions): Redis {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    commandTimeout: SILENCE_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(times, 10)),
  });
  let away = false;
  redis.on('error', (error) => {
    if (away) return;
    away = true;
    logger.warn({ err: error }, 'Redis is away');
  });
  redis.on('close', () => {
    if (away) return;
    away = true;
    logger.warn('Redis is away');
  });
  redis.on('ready', () => {
    if (away) logger.info('Redis is back');
    away = false;
  });
  return redis;
}

/** Waits for the first connection, for at most `ms`: a process starts without Redis as it goes on without it. */
export async function untilConnected(redis: Redis, ms: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return new Promise((resolve) => {
    const onReady = () => end(true);
    const timer = setTimeout(() => end(false), ms);
    redis.once('ready', onReady);
    function end(connected: boolean): void {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(connected);
    }
  });
}
