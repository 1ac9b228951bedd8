import { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { LimitRule } from './limiter.ts';
import { createRedisLimiters } from './redis-limiters.ts';

/** A limit in a Redis that answers `reply` to every script, or fails. */
function limitOf(options: Partial<LimitRule> = {}) {
  const warnings: unknown[] = [];
  const state = { reply: -1 as number | Error };
  const redis = Object.assign(new Redis({ lazyConnect: true }), {
    evalsha: async () => {
      if (state.reply instanceof Error) throw state.reply;
      return state.reply;
    },
  });
  const limiters = createRedisLimiters({
    redis,
    prefix: 'test:',
    logger: pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) }),
  });
  return { state, warnings, limiter: limiters({ name: 'sign-in', points: 1, perSeconds: 60, ...options }) };
}
const UNAVAILABLE = new Error('Connection is closed.');

test.each([
  [-1, undefined],
  [0, 1],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [60_000, 60],
])('a wait of %i ms is one of %s whole seconds', async (reply, seconds) => {
  const { state, limiter } = limitOf();
  state.reply = reply;
  expect(await limiter.take('a')).toBe(seconds);
  expect(await limiter.reserve('a')).toBe(seconds);
  expect(await limiter.peek('a')).toBe(seconds);
});

test('a limit that counts locally during an outage keeps all its promises in this process', async () => {
  const { state, warnings, limiter } = limitOf({ whenUnavailable: 'count-locally' });
  state.reply = UNAVAILABLE;
  expect(await limiter.take('a')).toBeUndefined();
  expect(await limiter.take('a')).toBe(60);
  expect(await limiter.peek('a')).toBe(60);
  await limiter.giveBack('a');
  expect(await limiter.reserve('a')).toBeUndefined();
  expect(await limiter.reserve('a')).toBe('pending');
  await limiter.release('a');
  expect(await limiter.reserve('a')).toBeUndefined();
  await limiter.confirm('a');
  expect(await limiter.reserve('a')).toBe(60);
  await limiter.reset('a');
  expect(await limiter.take('a')).toBeUndefined();
  expect(warnings).toMatchObject([{ msg: 'rate limit: Redis unavailable, counting in this process' }]);
});
