import {
  openRedis,
  type RedisCommands,
  untilConnected,
} from '@casewatch/shared-state/redis/redis-connection';
import { pino } from 'pino';

const CONNECTED_WITHIN_MS = 30_000;

/**
 * Opens a connection as the product does and waits until commands reach every node: the product continues without Redis,
 * a test of what is in Redis cannot. @throws after half a minute
 */
export async function connectedRedis(
  url: string,
  logger = pino({ level: 'silent' }),
): Promise<RedisCommands> {
  const redis = openRedis({ url, logger });
  if (await untilConnected(redis, CONNECTED_WITHIN_MS)) return redis;
  redis.disconnect();
  throw new Error(`Redis at ${url} accepted no connection within ${CONNECTED_WITHIN_MS} ms`);
}
