import { beforeEach, expect, test } from 'vitest';
import type { Cache } from '../src/cache/cache.ts';

/** What every cache promises. `pass` moves its time. */
export function describeCache(open: () => Cache, pass: (ms: number) => Promise<void>): void {
  let cache: Cache;
  beforeEach(() => {
    cache = open();
  });

  test('a text is found until its time is over', async () => {
    await cache.set('a', 'Zoë ✓', 60_000);
    await pass(30_000);
    expect(await cache.get('a')).toBe('Zoë ✓');
    expect(await cache.get('b')).toBeUndefined();
    await pass(30_000);
    expect(await cache.get('a')).toBeUndefined();
  });

  test('a later text takes the place and the time of an earlier one', async () => {
    await cache.set('a', '1', 10_000);
    await cache.set('a', '2', 60_000);
    await pass(30_000);
    expect(await cache.get('a')).toBe('2');
  });

  test('an empty text is a text', async () => {
    await cache.set('a', '', 10_000);
    expect(await cache.get('a')).toBe('');
  });

  test('what is deleted is not found', async () => {
    await cache.set('a', '1', 10_000);
    await cache.delete('a');
    await cache.delete('b');
    expect(await cache.get('a')).toBeUndefined();
  });

  test('of many that add the same key at once one succeeds, until the key expires', async () => {
    const added = await Promise.all(Array.from({ length: 10 }, (_, nth) => cache.add('a', `${nth}`, 60_000)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await cache.get('a')).toBe(`${added.indexOf(true)}`);
    await pass(60_000);
    expect(await cache.add('a', 'again', 60_000)).toBe(true);
    await cache.delete('a');
    expect(await cache.add('a', 'and again', 60_000)).toBe(true);
    expect(await cache.add('b', '', 60_000)).toBe(true);
    expect(await cache.add('b', '', 0)).toBe(false);
  });

  test('what has no time is not kept', async () => {
    await cache.set('a', '1', 0);
    expect(await cache.get('a')).toBeUndefined();
  });
}
