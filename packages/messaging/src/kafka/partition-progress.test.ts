import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartitionProgress } from './partition-progress.ts';

test('an offset can be committed only when everything before it is settled', () => {
  const progress = createPartitionProgress();
  const settle = [10n, 11n, 14n].map((offset) => progress.begin(offset));
  settle[1]?.();
  expect(progress.committable()).toBeUndefined();
  settle[0]?.();
  expect(progress.committable()).toBe(12n);
  progress.noteCommitted(12n);
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
