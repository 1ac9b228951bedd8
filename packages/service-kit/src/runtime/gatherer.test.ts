import { expect, test } from 'vitest';
import { createGatherer } from './gatherer.ts';

function gathererOf() {
  const writes: { items: readonly string[]; done: PromiseWithResolvers<void> }[] = [];
  const add = createGatherer<string>((items) => {
    const done = Promise.withResolvers<void>();
    writes.push({ items, done });
    return done.promise;
  });
  return { add, writes, written: () => writes.map(({ items }) => items) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('what comes at the same time is written at once, what comes during a write with the next one', async () => {
  const { add, writes, written } = gathererOf();
  const first = [add('a'), add('b')];
  await settled();
  const second = [add('c'), add('d')];
  await settled();
  expect(written()).toEqual([['a', 'b']]);
  writes[0]?.done.resolve();
  await Promise.all(first);
  await settled();
  expect(written()).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  writes[1]?.done.resolve();
  await Promise.all(second);
});

test('a write that fails rejects its own items, and the next ones are written', async () => {
  const { add, writes, written } = gathererOf();
  const first = add('a');
  await settled();
  const second = add('b');
  writes[0]?.done.reject(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  await settled();
  writes[1]?.done.resolve();
  await second;
  expect(written()).toEqual([['a'], ['b']]);
});
