import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRecentCache } from './recent-cache.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a value is kept for its time, and removed after twice that, also when nothing else is cached', () => {
  const cache = createRecentCache<number>({ max: 10, keepMs: 1_000 });
  cache.set('a', 1);
  vi.advanceTimersByTime(999);
  cache.set('b', 2);
  vi.advanceTimersByTime(1_000);
  expect([cache.get('b'), [...cache.entries()].length]).toEqual([2, 2]);
  vi.advanceTimersByTime(1);
  expect([...cache.entries()]).toEqual([]);
  cache.set('c', 3);
  vi.advanceTimersByTime(2_000);
  expect([...cache.entries()]).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a value that was set again is the new one', () => {
  const cache = createRecentCache<number>({ max: 10, keepMs: 1_000 });
  cache.set('a', 1);
  vi.advanceTimersByTime(1_000);
  cache.set('a', 2);
  expect(cache.get('a')).toBe(2);
  expect(new Map(cache.entries())).toEqual(new Map([['a', 2]]));
});

test('there are never more values than allowed, and the newest half is among them', () => {
  const cache = createRecentCache<number>({ max: 10, keepMs: 1_000 });
  for (let n = 0; n < 104; n++) {
    cache.set(String(n), n);
    expect([...cache.entries()].length).toBeLessThanOrEqual(10);
  }
  for (let n = 99; n < 104; n++) expect(cache.get(String(n))).toBe(n);
  expect(vi.getTimerCount()).toBe(1);
});

test('what is deleted or cleared is not found, however old it is', () => {
  const cache = createRecentCache<number>({ max: 10, keepMs: 1_000 });
  cache.set('a', 1);
  vi.advanceTimersByTime(1_000);
  cache.set('a', 2);
  cache.set('b', 3);
  cache.delete('a');
  expect(cache.get('a')).toBeUndefined();
  cache.clear();
  expect([...cache.entries()]).toEqual([]);
});

test('no timer of a cache keeps its process from ending', () => {
  // A spy would be taken off once more when the file has ended, and leave the fake timer to the next file.
  const timers = vi.fn(globalThis.setTimeout);
  vi.stubGlobal('setTimeout', timers);
  const cache = createRecentCache<number>({ max: 10, keepMs: 1_000 });
  cache.set('a', 1);
  vi.advanceTimersByTime(1_000);
  vi.unstubAllGlobals();
  const kept = timers.mock.results.map(({ value }) => value.hasRef());
  expect(kept).toEqual([false, false]);
});
