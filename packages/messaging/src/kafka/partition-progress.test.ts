import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartitionProgress } from './partition-progress.ts';

test('an offset can be committed only when everything before it is settled', () => {
  const progress = createPartitionProgress();
  const settle = [10n, 11n, 14n].map((offset) => progress.begin(offset));
  settle[1]?.();
  expect(progress.committable()).toBeUndefined();
  settle[0]?.();
  expect(progress.committable()).toBe(14n);
  progress.noteCommitted(14n);
  expect(progress.committable()).toBeUndefined();
  settle[2]?.();
  expect([progress.committable(), progress.inFlight()]).toEqual([15n, 0]);
});

test('whatever order messages are settled in, nothing unsettled is ever passed', () => {
  const orders = fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 31 });
  fc.assert(
    fc.property(orders, (order) => {
      const progress = createPartitionProgress();
      const settle = Array.from({ length: 31 }, (_, offset) => progress.begin(BigInt(offset)));
      const settled = new Set<number>();
      for (const offset of order) {
        settle[offset]?.();
        settled.add(offset);
        let firstOpen = 0;
        while (settled.has(firstOpen)) firstOpen++;
        expect(Number(progress.committable() ?? 0)).toBe(firstOpen);
      }
    }),
  );
});

test('a message of an earlier generation holds back the offset, and one of this generation moves it', () => {
  const progress = createPartitionProgress();
  const [earlier, later] = [progress.begin(50n), progress.begin(51n)];
  later();
  progress.rejoined();
  // Of an offset that the generation before has committed just now.
  progress.noteCommitted(50n);
  expect([progress.committable(), progress.inFlight()]).toEqual([undefined, 1]);
  progress.begin(52n)();
  expect(progress.committable()).toBeUndefined();
  earlier();
  expect(progress.committable()).toBe(53n);
});

test('a generation commits nothing below where it began or what it has committed', () => {
  const progress = createPartitionProgress();
  progress.begin(60n)();
  progress.noteCommitted(61n);
  progress.begin(40n)();
  expect(progress.committable()).toBeUndefined();
  progress.begin(61n)();
  expect(progress.committable()).toBe(62n);
  progress.rejoined();
  const stale = progress.begin(40n);
  progress.begin(41n)();
  expect(progress.committable()).toBeUndefined();
  stale();
  expect(progress.committable()).toBe(42n);
});
