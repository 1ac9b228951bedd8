import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { KeyedQueue, type Outcome } from './keyed-queue.ts';

interface Thing {
  key: string;
  size: number;
  limit?: number;
}

/** A queue whose calls are ended by the test, in any order. */
function queueUnderTest() {
  const calls: { things: readonly Thing[]; end(): void }[] = [];
  const queue = new KeyedQueue<Thing>({
    clock: createManualClock(),
    concurrency: 4,
    batchOf: ({ size, limit }) => ({ kind: `of ${size}`, size, ...(limit === undefined ? {} : { limit }) }),
    work: (things) =>
      new Promise<Outcome[]>((resolve) => {
        calls.push({ things, end: () => resolve(things.map(() => 'settled')) });
      }),
    onSettled: () => undefined,
    onDropped: () => undefined,
  });
  const push = (count: number, size: number, more: Pick<Thing, 'limit'> = {}) => {
    for (let n = 0; n < count; n++) queue.push({ key: `${size} ${queue.size}`, size, ...more });
  };
  const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { calls, push, settle };
}

test('what comes in one go is one batch', async () => {
  const { calls, push, settle } = queueUnderTest();
  push(7, 10);
  await settle();
  expect(calls.map(({ things }) => things.length)).toEqual([7]);
});

test('a batch that is not full gathers while another of its kind is in progress, and is then worked on', async () => {
  const { calls, push, settle } = queueUnderTest();
  push(3, 10);
  await settle();
  push(4, 10);
  await settle();
  push(2, 10);
  await settle();
  expect(calls.map(({ things }) => things.length)).toEqual([3]);
  calls[0]?.end();
  await settle();
  expect(calls.map(({ things }) => things.length)).toEqual([3, 6]);
});

test('a full batch does not wait, nor does what is handled one by one', async () => {
  const { calls, push, settle } = queueUnderTest();
  push(3, 10);
  await settle();
  push(12, 10);
  push(1, 1);
  await settle();
  expect(calls.map(({ things }) => things.length)).toEqual([3, 10, 1]);
});

test('calls of a kind with a limit leave room for others, and begin as the ones before end', async () => {
  const { calls, push, settle } = queueUnderTest();
  push(5, 1, { limit: 3 });
  await settle();
  expect(calls).toHaveLength(3);
  push(1, 2);
  await settle();
  expect(calls.map(({ things }) => things[0]?.size)).toEqual([1, 1, 1, 2]);
  calls[0]?.end();
  await settle();
  expect(calls.map(({ things }) => things[0]?.size)).toEqual([1, 1, 1, 2, 1]);
});

interface Named {
  key: string;
  n: number;
  size?: number;
}

/** A queue of numbered items whose calls the test ends with outcomes of its choice. */
function orderUnderTest(concurrency = 2) {
  const clock = createManualClock();
  const calls: { items: string[]; end(...outcomes: Outcome[]): Promise<void> }[] = [];
  const settled: string[] = [];
  const dropped: string[] = [];
  const nameOf = ({ key, n }: Named) => `${key}${n}`;
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const queue = new KeyedQueue<Named>({
    clock,
    concurrency,
    batchOf: ({ size = 1 }) => ({ kind: `of ${size}`, size }),
    work: (items) =>
      new Promise((resolve) => {
        const end = async (...outcomes: Outcome[]) => {
          resolve(outcomes);
          await turn();
        };
        calls.push({ items: items.map(nameOf), end });
      }),
    onSettled: (item) => settled.push(nameOf(item)),
    onDropped: (item) => dropped.push(nameOf(item)),
  });
  const push = async (...items: Named[]) => {
    for (const item of items) queue.push(item);
    await turn();
  };
  return {
    queue,
    clock,
    calls,
    settled,
    dropped,
    push,
    worked: () => calls.map(({ items }) => items.join(' ')),
  };
}
const run = (key: string, count: number, size?: number): Named[] =>
  Array.from({ length: count }, (_, n) => ({ key, n, ...(size === undefined ? {} : { size }) }));

test('items of a key are worked on one after the other, and several keys concurrently, as many as are allowed', async () => {
  const { queue, calls, settled, push, worked } = orderUnderTest(2);
  await push(...run('a', 2), ...run('b', 1), ...run('c', 1));
  expect(worked()).toEqual(['a0', 'b0']);
  expect(queue.size).toBe(4);
  await calls[0]?.end('settled');
  expect(settled).toEqual(['a0']);
  expect(queue.size).toBe(3);
  expect(worked()).toEqual(['a0', 'b0', 'c0']);
  await calls[2]?.end('settled');
  await calls[1]?.end('settled');
  await calls[3]?.end('settled');
  expect(worked()).toEqual(['a0', 'b0', 'c0', 'a1']);
  expect([settled, queue.size]).toEqual([['a0', 'c0', 'b0', 'a1'], 0]);
  await push({ key: 'a', n: 2 });
  expect(worked().at(-1)).toBe('a2');
});

test('an item that must be tried again comes before the rest of its key, after its pause, and holds no slot', async () => {
  const { queue, clock, calls, settled, push, worked } = orderUnderTest(1);
  await push(...run('a', 2), ...run('b', 1));
  await calls[0]?.end({ retryInMs: 1_000 });
  expect(worked()).toEqual(['a0', 'b0']);
  await calls[1]?.end('settled');
  await clock.advance(999);
  expect(worked()).toEqual(['a0', 'b0']);
  await clock.advance(1);
  expect(worked()).toEqual(['a0', 'b0', 'a0']);
  await calls[2]?.end('settled');
  await calls[3]?.end({ retryInMs: 0 });
  expect(worked()).toEqual(['a0', 'b0', 'a0', 'a1', 'a1']);
  expect(queue.size).toBe(1);
  await calls[4]?.end('settled');
  expect([settled, queue.size]).toEqual([['b0', 'a0', 'a1'], 0]);
});

test('of a batch what failed is tried again in order, after the longest of its pauses; the rest is settled', async () => {
  const { clock, calls, settled, push, worked } = orderUnderTest(1);
  await push(...run('a', 4, 10));
  expect(worked()).toEqual(['a0 a1 a2 a3']);
  await calls[0]?.end('settled', { retryInMs: 300 }, { retryInMs: 100 });
  expect(settled).toEqual(['a0', 'a3']);
  await clock.advance(299);
  expect(calls).toHaveLength(1);
  await clock.advance(1);
  expect(worked()).toEqual(['a0 a1 a2 a3', 'a1 a2']);
});

test('a batch holds no more than it takes, and one kind only, without passing an item of the same key', async () => {
  const { calls, push, worked } = orderUnderTest(1);
  await push({ key: 'a', n: 0, size: 3 }, { key: 'a', n: 1, size: 2 }, { key: 'a', n: 2, size: 3 });
  await push({ key: 'b', n: 0, size: 3 }, ...run('c', 4, 3));
  expect(worked()).toEqual(['a0']);
  await calls[0]?.end('settled');
  expect(worked()).toEqual(['a0', 'b0 c0 c1']);
  await calls[1]?.end('settled', 'settled', 'settled');
  expect(worked()).toEqual(['a0', 'b0 c0 c1', 'a1']);
});

test('a stop finishes what is in progress, drops the rest, and takes nothing more', async () => {
  const { queue, clock, calls, settled, dropped, push, worked } = orderUnderTest(1);
  await push(...run('a', 2), ...run('b', 1));
  await calls[0]?.end({ retryInMs: 1_000 });
  const stopping = queue.stop();
  let stopped = false;
  void stopping.then(() => {
    stopped = true;
  });
  await push({ key: 'c', n: 0 });
  expect([dropped, stopped]).toEqual([['c0'], false]);
  await calls[1]?.end('settled');
  await stopping;
  await clock.advance(1_000);
  expect([settled, dropped, worked(), queue.size]).toEqual([['b0'], ['c0', 'a0', 'a1'], ['a0', 'b0'], 0]);
});
