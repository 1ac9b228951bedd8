import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryLimiters } from './limiter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const create = () => memoryLimiters({ name: 'test', points: 2, perSeconds: 60 });

test('points are taken until there are none; then it says how long to wait', async () => {
  const limiter = create();
  expect(await limiter.take('a')).toBeUndefined();
  expect(await limiter.take('a')).toBeUndefined();
  pass(20);
  expect(await limiter.take('a')).toBe(40);
  expect(await limiter.take('b')).toBeUndefined();
});

test('a new window has all its points, also when the store has not dropped the old one yet', async () => {
  const limiter = create();
  for (let tries = 0; tries < 3; tries++) await limiter.take('a');
  expect(await limiter.peek('a')).toBe(60);
  pass(60);
  expect(await limiter.peek('a')).toBeUndefined();
  expect(await limiter.take('a')).toBeUndefined();
});

test('a reset forgets what was taken', async () => {
  const limiter = create();
  for (let tries = 0; tries < 3; tries++) await limiter.take('a');
  await limiter.reset('a');
  expect(await limiter.take('a')).toBeUndefined();
});

test('a point given back can be taken again, and never more than were taken', async () => {
  const limiter = create();
  await limiter.giveBack('a');
  await limiter.take('a');
  await limiter.giveBack('a');
  await limiter.giveBack('a');
  expect(await limiter.take('a')).toBeUndefined();
  expect(await limiter.take('a')).toBeUndefined();
  expect(await limiter.take('a')).toBe(60);
});

test('a point given back after its window gives the next one no extra point', async () => {
  const limiter = create();
  await limiter.take('a');
  pass(60);
  await limiter.giveBack('a');
  await limiter.take('a');
  await limiter.take('a');
  expect(await limiter.take('a')).toBe(60);
});
