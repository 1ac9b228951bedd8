import { expect, test } from 'vitest';
import { mostPutOff, nextCheckMs, nextTryMs, retrySeconds } from './check-times.ts';

const DAY_MS = 86_400_000;

test('a check is due a period later, earlier by up to a twentieth', () => {
  const due = (periodDays: number, spot: number, scale = 1) =>
    nextCheckMs(1_000, { periodDays, spot }, scale) - 1_000;
  expect(due(1, 0)).toBe(DAY_MS);
  expect(due(7, 1)).toBeCloseTo(0.95 * 7 * DAY_MS);
  expect(due(1, 0, 0.0001)).toBeCloseTo(8_640);
});

test('a failed check is tried again after a minute, then twice as long each time, up to an hour', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 1_000].map((attempts) => (nextTryMs(5, attempts) - 5) / 60_000);
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('short periods shorten the tries, to a second at least at first and ten at last', () => {
  expect(retrySeconds(0.5)).toEqual({ first: 30, longest: 1_800 });
  expect(retrySeconds(0.0001)).toEqual({ first: 1, longest: 10 });
});

test('half of a claim at most are watches that were put off, and one at least', () => {
  expect([1, 2, 3, 100].map(mostPutOff)).toEqual([1, 1, 1, 50]);
});
