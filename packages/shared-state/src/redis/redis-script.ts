import { hash } from 'node:crypto';
import type { RedisCommands } from './redis-connection.ts';

/** Runs atomically on the server; resolves to the numbers it returns. @throws when Redis is unavailable */
export type RedisScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<number[]>;

/** Creates a Lua script, sent in full only to a server that has not cached it. */
export function createRedisScript(redis: RedisCommands, lua: string): RedisScript {
  const sha = hash('sha1', lua);
  return async (keys, args) => {
    const reply = await redis.evalsha(sha, keys.length, ...keys, ...args).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(lua, keys.length, ...keys, ...args);
    });
    return (Array.isArray(reply) ? reply : [reply]).map(Number);
  };
}
