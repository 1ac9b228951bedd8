import { expect, test } from 'vitest';
import { fetchWaitMs } from './fetch-wait.ts';

const SESSION_MS = 6_000;

test('a member that gets messages fetches often, so that offsets are committed soon', () => {
  expect(fetchWaitMs(0, SESSION_MS)).toBe(100);
  expect(fetchWaitMs(1_999, SESSION_MS)).toBe(100);
});

test('one that has had none for two seconds leaves its fetch with the broker for longer', () => {
  expect(fetchWaitMs(2_000, SESSION_MS)).toBe(500);
  expect(fetchWaitMs(3_600_000, 60_000)).toBe(500);
});

test('a short session is not missed for want of heartbeats between fetches', () => {
  expect(fetchWaitMs(60_000, 3_000)).toBe(250);
  expect(fetchWaitMs(60_000, 1_000)).toBe(100);
});
