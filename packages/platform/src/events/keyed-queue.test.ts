import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createKeyedQueue, type Outcome } from './keyed-queue.ts';

interface Thing {
  key: string;
  size: number;
}

/** A queue whose calls are ended by the test, in any order. */
function queueUnderTest() {
  const calls: { things: readonly Thing[]; end(): void }[] = [];
  const queue = createKeyedQueue<Thing>({
    clock: createManualClock(),
    concurrency: 4,
    batchOf: ({ size }) => ({ kind: `of ${size}`, size }),
    work: (things) =>
      new Promise<Outcome[]>((resolve) => {
        calls.push({ things, end: () => resolve(things.map(() => 'settled')) });
      }),
    onSettled: () => undefined,
    onDropped: () => undefined,
  });
  const push = (count: number, size: number) => {
    for (let n = 0; n < count; n++) queue.push({ key: `${size} ${queue.size()}`, size });
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

test('a batch that is not full gathers while another of its kind is under way, and then goes', async () => {
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

test('a full batch waits for nobody, nor does what is handled one by one', async () => {
  const { calls, push, settle } = queueUnderTest();
  push(3, 10);
  await settle();
  push(12, 10);
  push(1, 1);
  await settle();
  expect(calls.map(({ things }) => things.length)).toEqual([3, 10, 1]);
});
