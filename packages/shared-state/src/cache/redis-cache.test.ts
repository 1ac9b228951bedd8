import { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRedisCache } from './redis-cache.ts';

/** A cache in a Redis that holds the key `taken` and writes down what it is asked. */
function cacheOf() {
  const steps: unknown[][] = [];
  const warnings: string[] = [];
  const server = { isDown: false };
  const command =
    <Reply>(name: string, reply: (args: unknown[]) => Reply) =>
    async (...args: unknown[]): Promise<Reply> => {
      steps.push([name, ...args]);
      if (server.isDown) throw new Error('Connection is closed.');
      return reply(args);
    };
  const isTaken = ([key]: unknown[]) => key === 'test:cache:taken';
  const redis = Object.assign(new Redis({ lazyConnect: true }), {
    get: command('get', (args) => (isTaken(args) ? 'text' : null)),
    set: command('set', (args) => (args.includes('NX') && isTaken(args) ? null : 'OK')),
    exists: command('exists', (args) => (isTaken(args) ? 1 : 0)),
    del: command('del', () => 1),
  });
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) });
  return { cache: createRedisCache({ redis, prefix: 'test:', logger }), steps, server, warnings };
}

test('a text is kept for whole milliseconds, and not at all for less than one', async () => {
  const { cache, steps } = cacheOf();
  await cache.set('a', '1', 0.9);
  expect(steps).toEqual([]);
  await cache.set('a', '1', 1.9);
  expect(await cache.add('b', '2', 1.9)).toBe(true);
  expect(steps).toEqual([
    ['set', 'test:cache:a', '1', 'PX', 1],
    ['set', 'test:cache:b', '2', 'PX', 1, 'NX'],
  ]);
});

test('what is added for less than a millisecond is not kept, and says whether there was none', async () => {
  const { cache, steps } = cacheOf();
  expect([await cache.add('free', '1', 0.9), await cache.add('taken', '1', 0.9)]).toEqual([true, false]);
  expect(steps.map(([name]) => name)).toEqual(['exists', 'exists']);
  expect(await cache.add('taken', '1', 1)).toBe(false);
});

test('while Redis is unavailable nothing is found, everything can be added, and the log says so', async () => {
  const { cache, server, warnings } = cacheOf();
  expect(await cache.get('taken')).toBe('text');
  expect(await cache.get('free')).toBeUndefined();
  server.isDown = true;
  expect([await cache.get('taken'), await cache.add('taken', '1', 1_000)]).toEqual([undefined, true]);
  await cache.set('a', '1', 1_000);
  await cache.delete('a');
  expect(warnings).toEqual(['cache: Redis unavailable, every lookup misses']);
});
