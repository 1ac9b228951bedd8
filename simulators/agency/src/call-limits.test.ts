import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createOneSecondWindow } from './call-limits.ts';

it('counts exactly the events of the last second, at whatever times they come', () => {
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.constant(1_000)), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(gaps, (waits) => {
      const window = createOneSecondWindow();
      const times: number[] = [];
      let now = 0;
      for (const wait of waits) {
        now += wait;
        times.push(now);
        const expected = times.filter((time) => time > now - 1_000).length;
        expect(window.add(now)).toBe(expected);
        expect(window.count(now)).toBe(expected);
      }
    }),
  );
});

it('forgets what lies a second back, without a new event', () => {
  const window = createOneSecondWindow();
  window.add(5_000);
  expect(window.count(5_999)).toBe(1);
  expect(window.count(6_000)).toBe(0);
});

it('takes a clock that steps back as standing still', () => {
  const window = createOneSecondWindow();
  window.add(5_000);
  expect(window.add(1_000)).toBe(2);
  expect(window.count(5_999)).toBe(2);
});
