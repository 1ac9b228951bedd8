import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

const BATCH = 100;
const paceOf = () => createPace({ batch: BATCH, pollMs: 1_000 });
const passed = (claimed: number, heldBack = 0, retryAfterMs?: number) => ({
  claimed,
  heldBack,
  retryAfterMs,
});

test('it begins with a whole batch and goes on at once while batches are full', () => {
  const pace = paceOf();
  expect(pace.size()).toBe(BATCH);
  expect(pace.waitAfter(passed(BATCH), BATCH)).toBe(0);
  expect(pace.waitAfter(passed(BATCH - 1), BATCH)).toBe(1_000);
});

test('it claims little more than what gets through', () => {
  const pace = paceOf();
  expect(pace.waitAfter(passed(BATCH, 90, 250), BATCH)).toBe(250);
  expect(pace.size()).toBe(13);
  expect(pace.waitAfter(passed(13, 1, 250), 13)).toBe(250);
  pace.waitAfter(passed(13, 13, 1_000), 13);
  expect(pace.size()).toBe(1);
});

test('it grows back while nothing is held back', () => {
  const pace = paceOf();
  pace.waitAfter(passed(BATCH, BATCH, 1_000), BATCH);
  const sizes = Array.from({ length: 8 }, () => {
    const size = pace.size();
    pace.waitAfter(passed(size), size);
    return size;
  });
  expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 64, 100]);
});

test('a pass that claims nothing is no reason to claim more', () => {
  const pace = paceOf();
  pace.waitAfter(passed(BATCH, BATCH, 1_000), BATCH);
  expect(pace.waitAfter(passed(0), 1)).toBe(1_000);
  expect(pace.size()).toBe(1);
});

test('it asks again after a minute at the latest, and after a second when nobody says when', () => {
  const pace = paceOf();
  expect(pace.waitAfter(passed(5, 5, 8 * 3_600_000), 5)).toBe(60_000);
  expect(pace.waitAfter(passed(5, 5, 0), 5)).toBe(1_000);
});

test('after errors it waits longer and longer, up to a minute, until a pass succeeds', () => {
  const pace = paceOf();
  const error = { ...passed(5, 5), error: new Error('away') };
  const waits = Array.from({ length: 8 }, () => pace.waitAfter(error, 5) / 1_000);
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  pace.waitAfter(passed(5), 5);
  expect(pace.waitAfterError()).toBe(1_000);
});
