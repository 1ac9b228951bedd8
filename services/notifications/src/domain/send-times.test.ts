import { expect, test } from 'vitest';
import { retryDelayMs } from './send-times.ts';

test('tries come ever later, at most an hour apart', () => {
  const middle = (attempts: number) => retryDelayMs(attempts, 'deferred', () => 0.5);
  expect([1, 2, 3, 4].map(middle)).toEqual([30_000, 60_000, 120_000, 240_000]);
  expect([8, 100, 1e9].map(middle)).toEqual([3_600_000, 3_600_000, 3_600_000]);
});

test('while the server is unavailable they are at most five minutes apart', () => {
  expect(retryDelayMs(100, 'unavailable', () => 0.5)).toBe(300_000);
});

test('they spread by a quarter to both sides, so that not all come at once', () => {
  expect(retryDelayMs(1, 'deferred', () => 0)).toBe(22_500);
  expect(retryDelayMs(1, 'deferred', () => 1)).toBe(37_500);
});
