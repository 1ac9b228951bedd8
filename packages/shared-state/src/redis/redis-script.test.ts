import { hash } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createRedisScript } from './redis-script.ts';

const LUA = 'return {1, 2}';

/** A server that has cached no script, and answers with `reply`. */
function server(reply: unknown) {
  const steps: unknown[][] = [];
  const state = { error: new Error('NOSCRIPT No matching script. Please use EVAL.') as Error | undefined };
  const redis = Object.assign(new Redis({ lazyConnect: true }), {
    evalsha: async (...args: unknown[]) => {
      steps.push(['evalsha', ...args]);
      if (state.error) throw state.error;
      return reply;
    },
    eval: async (...args: unknown[]) => {
      steps.push(['eval', ...args]);
      state.error = undefined;
      return reply;
    },
  });
  return { redis, steps, state };
}

test('a script is sent in full to a server that has not cached it, and by its digest from then on', async () => {
  const { redis, steps } = server(['1', 2]);
  const script = createRedisScript(redis, LUA);
  expect(await script(['key', 'other'], [3, 'four'])).toEqual([1, 2]);
  expect(await script(['key'], [])).toEqual([1, 2]);
  const sha = hash('sha1', LUA);
  expect(steps).toEqual([
    ['evalsha', sha, 2, 'key', 'other', 3, 'four'],
    ['eval', LUA, 2, 'key', 'other', 3, 'four'],
    ['evalsha', sha, 1, 'key'],
  ]);
});

test('a single number is a list of one', async () => {
  const { redis, state } = server(7);
  state.error = undefined;
  expect(await createRedisScript(redis, LUA)([], [])).toEqual([7]);
});

test('any other failure is the caller’s, and nothing is sent again', async () => {
  const { redis, steps, state } = server(7);
  state.error = new Error('Connection is closed.');
  await expect(createRedisScript(redis, LUA)([], [])).rejects.toThrow('Connection is closed.');
  expect(steps).toHaveLength(1);
});
