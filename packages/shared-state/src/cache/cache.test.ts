import { createManualClock } from '@casewatch/testing/manual-clock';
import { describe, expect, test } from 'vitest';
import { describeCache } from '../../test/cache-contract.ts';
import { createMemoryCache } from './cache.ts';

describe('the cache in memory', () => {
  const clock = createManualClock();
  describeCache(
    () => createMemoryCache(clock),
    (ms) => clock.advance(ms),
  );

  test('holds so many texts at most, those that were used last', async () => {
    const cache = createMemoryCache(clock, 2);
    for (const key of ['a', 'b']) await cache.set(key, key, 60_000);
    await cache.get('a');
    await cache.set('c', 'c', 60_000);
    const found = await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)));
    expect(found).toEqual(['a', undefined, 'c']);
  });
});
