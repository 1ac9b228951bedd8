import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGatheredReads } from './gathered-reads.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start({ keysPerRead = 3 } = {}) {
  const reads: { keys: readonly string[]; done: PromiseWithResolvers<ReadonlyMap<string, string>> }[] = [];
  const find = createGatheredReads<string>(
    (keys) => {
      const done = Promise.withResolvers<ReadonlyMap<string, string>>();
      reads.push({ keys, done });
      return done.promise;
    },
    { keysPerRead },
  );
  return { find, reads, read: () => reads.map(({ keys }) => keys) };
}

test('keys that are requested together are read together, each of them once', async () => {
  const { find, reads, read } = start();
  const found = Promise.all([find('a'), find('b'), find('a')]);
  await vi.advanceTimersByTimeAsync(0);
  expect(read()).toEqual([['a', 'b']]);
  reads[0]?.done.resolve(new Map([['a', 'A']]));
  expect(await found).toEqual(['A', undefined, 'A']);
});

test('a third read begins when one has ended; a failure is that of its own keys', async () => {
  const { find, reads, read } = start({ keysPerRead: 1 });
  const found = Promise.allSettled([find('a'), find('b'), find('c')]);
  await vi.advanceTimersByTimeAsync(10);
  expect(read()).toEqual([['a'], ['b']]);
  reads[0]?.done.reject(new Error('refused'));
  await vi.advanceTimersByTimeAsync(10);
  expect(read()).toEqual([['a'], ['b'], ['c']]);
  for (const { done } of reads) done.resolve(new Map([['b', 'B']]));
  expect((await found).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('reads that hang hold up the others for a second', async () => {
  const { find, reads, read } = start({ keysPerRead: 1 });
  void Promise.allSettled([find('a'), find('b')]);
  await vi.advanceTimersByTimeAsync(10);
  const found = find('c');
  await vi.advanceTimersByTimeAsync(900);
  expect(read()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(read()).toEqual([['a'], ['b'], ['c']]);
  reads[2]?.done.resolve(new Map([['c', 'C']]));
  expect(await found).toBe('C');
});
