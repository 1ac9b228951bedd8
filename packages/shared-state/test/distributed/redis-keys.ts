import { Cluster } from 'ioredis';
import type { RedisCommands } from '../../src/redis/redis-connection.ts';

/** Every key that begins with `prefix`, on whichever node it lies. */
export async function keysOf(redis: RedisCommands, prefix: string): Promise<string[]> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  return (await Promise.all(nodes.map((node) => node.keys(`${prefix}*`)))).flat();
}
