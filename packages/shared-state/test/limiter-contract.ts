import { beforeEach, expect, test } from 'vitest';
import type { Limiter, LimiterFactory } from '../src/limits/limiter.ts';

/** What every limiter promises. `pass` moves the time of the windows. */
export function describeLimiters(
  limiters: () => LimiterFactory,
  pass: (seconds: number) => Promise<void>,
): void {
  let limiter: Limiter;
  beforeEach(() => {
    limiter = limiters()({ name: 'test', points: 2, perSeconds: 60 });
  });

  test('points are taken until there are none; then it says how long to wait', async () => {
    expect(await limiter.take('a')).toBeUndefined();
    expect(await limiter.take('a')).toBeUndefined();
    await pass(20);
    expect(await limiter.take('a')).toBe(40);
    expect(await limiter.take('b')).toBeUndefined();
  });

  test('of points taken side by side no more are given than there are', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => limiter.take('a')));
    expect(answers.filter((wait) => wait === undefined)).toHaveLength(2);
  });

  test('rules with other names count apart, those of one name together', async () => {
    await limiter.take('a');
    await limiter.take('a');
    expect(await limiter.peek('a')).toBe(60);
    expect(await limiters()({ name: 'other', points: 2, perSeconds: 60 }).take('a')).toBeUndefined();
  });

  test('a new window has all its points, also when the store has not dropped the old one yet', async () => {
    for (let tries = 0; tries < 3; tries++) await limiter.take('a');
    expect(await limiter.peek('a')).toBe(60);
    await pass(60);
    expect(await limiter.peek('a')).toBeUndefined();
    expect(await limiter.take('a')).toBeUndefined();
  });

  test('a look takes nothing', async () => {
    await limiter.take('a');
    for (let looks = 0; looks < 3; looks++) expect(await limiter.peek('a')).toBeUndefined();
    expect(await limiter.take('a')).toBeUndefined();
  });

  test('a reset forgets what was taken', async () => {
    for (let tries = 0; tries < 3; tries++) await limiter.take('a');
    await limiter.reset('a');
    expect(await limiter.take('a')).toBeUndefined();
  });

  test('a point given back can be taken again, and never more than were taken', async () => {
    await limiter.giveBack('a');
    await limiter.take('a');
    await limiter.giveBack('a');
    await limiter.giveBack('a');
    expect(await limiter.take('a')).toBeUndefined();
    expect(await limiter.take('a')).toBeUndefined();
    expect(await limiter.take('a')).toBe(60);
  });

  test('a point given back after its window gives the next one no extra point', async () => {
    await limiter.take('a');
    await pass(60);
    await limiter.giveBack('a');
    await limiter.take('a');
    await limiter.take('a');
    expect(await limiter.take('a')).toBe(60);
  });

  test('a refused try takes nothing: when a point comes back, it can be taken', async () => {
    for (let tries = 0; tries < 9; tries++) await limiter.take('a');
    await limiter.giveBack('a');
    expect(await limiter.take('a')).toBeUndefined();
    expect(await limiter.take('a')).toBe(60);
  });

  test('attempts in flight hold their points, and are not yet a reason to refuse', async () => {
    expect(await limiter.reserve('a')).toBeUndefined();
    expect(await limiter.reserve('a')).toBeUndefined();
    expect(await limiter.reserve('a')).toBe('pending');
    expect(await limiter.peek('a')).toBeUndefined();
    await limiter.release('a');
    expect(await limiter.reserve('a')).toBeUndefined();
    await limiter.confirm('a');
    expect(await limiter.reserve('a')).toBe('pending');
    await limiter.confirm('a');
    expect(await limiter.reserve('a')).toBe(60);
    expect(await limiter.peek('a')).toBe(60);
  });

  test('an attempt that is taking the last point is not yet a reason to refuse either', async () => {
    await limiter.take('a');
    const reserved = limiter.reserve('a');
    const looks: Promise<number | undefined>[] = [];
    for (let steps = 0; steps < 5; steps++) {
      looks.push(limiter.peek('a'));
      await Promise.resolve();
    }
    expect(await Promise.all([reserved, ...looks])).toEqual(Array(6).fill(undefined));
  });

  test('of points reserved side by side no more are given than there are', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => limiter.reserve('a')));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(2);
    expect(answers.filter((answer) => answer === 'pending')).toHaveLength(18);
  });

  test('a reset forgets failures, not attempts in flight', async () => {
    await limiter.take('a');
    await limiter.reserve('a');
    await limiter.reset('a');
    expect(await limiter.reserve('a')).toBeUndefined();
    expect(await limiter.reserve('a')).toBe('pending');
    await limiter.confirm('a');
    await limiter.confirm('a');
    expect(await limiter.reserve('a')).toBe(60);
  });
}
