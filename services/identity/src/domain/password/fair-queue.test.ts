import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** A queue whose work ends on demand, and what has begun so far. */
function startQueue(limits: { atOnce: number; waiting: number }) {
  const queue = createFairQueue({ ...limits, overloaded: () => new Error('overloaded') });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const outcomes: Promise<string>[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      running.push(() => resolve(name));
    });
  return {
    begun,
    send: (source: string, name: string, hadTurn = false) => {
      const outcome = queue.run(source, work(name), hadTurn).catch((error: Error) => error.message);
      outcomes.push(outcome);
      return outcome;
    },
    async finishAll() {
      while (running.length > 0) {
        running.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return Promise.all(outcomes);
    },
  };
}

test('sources take turns, however many each has sent', async () => {
  const queue = startQueue({ atOnce: 1, waiting: 10 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) queue.send(name[0] ?? '', name);
  await queue.finishAll();
  expect(queue.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a source that fills the queue is refused, and displaced by others', async () => {
  const queue = startQueue({ atOnce: 1, waiting: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) queue.send(name[0] ?? '', name);
  const outcomes = await queue.finishAll();
  expect(outcomes).toEqual(['a1', 'a2', 'overloaded', 'overloaded', 'overloaded', 'b1', 'overloaded', 'c1']);
});

test('a newcomer takes no place from a source that would then have fewer waiting than its own', async () => {
  const single = startQueue({ atOnce: 1, waiting: 1 });
  for (const name of ['a1', 'b1', 'c1']) single.send(name[0] ?? '', name);
  expect(await single.finishAll()).toEqual(['a1', 'b1', 'overloaded']);
  const several = startQueue({ atOnce: 1, waiting: 3 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) several.send(name[0] ?? '', name);
  expect(await several.finishAll()).toEqual(['a1', 'a2', 'a3', 'b1', 'overloaded']);
});

test('of sources that have equally many waiting, the one whose turn is next gives way', async () => {
  const queue = startQueue({ atOnce: 1, waiting: 4 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.send(name[0] ?? '', name);
  expect(await queue.finishAll()).toEqual(['a1', 'a2', 'overloaded', 'b1', 'b2', 'c1']);
});

test('what comes back goes first, and is never refused', async () => {
  const queue = startQueue({ atOnce: 1, waiting: 1 });
  queue.send('a', 'a1');
  queue.send('b', 'b1');
  queue.send('a', 'again', true);
  expect(await queue.finishAll()).toEqual(['a1', 'b1', 'again']);
  expect(queue.begun).toEqual(['a1', 'again', 'b1']);
});

test('everything is run once or refused once, and no more at a time than allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 8 }),
      async (sources, atOnce, waiting) => {
        const queue = startQueue({ atOnce, waiting });
        sources.forEach((source, nth) => void queue.send(source, `${source}${nth}`));
        expect(queue.begun).toHaveLength(Math.min(atOnce, sources.length));
        const outcomes = await queue.finishAll();
        const done = outcomes.filter((outcome) => outcome !== 'overloaded');
        expect(done).toHaveLength(Math.min(sources.length, atOnce + waiting));
        expect([...queue.begun].sort()).toEqual([...done].sort());
      },
    ),
    { numRuns: 100 },
  );
});
