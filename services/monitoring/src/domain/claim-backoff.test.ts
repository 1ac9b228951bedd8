import { expect, test } from 'vitest';
import { createClaimBackoff } from './claim-backoff.ts';

const BATCH = 100;
const paceOf = () => createClaimBackoff({ batch: BATCH, pollMs: 1_000 });
const passed = (claimed: number, heldBack = 0, retryAfterMs?: number) => ({
  claimed,
  heldBack,
  retryAfterMs,
});

test('it begins with a whole batch and continues at once while batches are full', () => {
  const backoff = paceOf();
  expect(backoff.size()).toBe(BATCH);
  expect(backoff.waitAfter(passed(BATCH), BATCH)).toBe(0);
  expect(backoff.waitAfter(passed(BATCH - 1), BATCH)).toBe(1_000);
});

test('it claims little more than what gets through, at once, so that some always wait for the next permit', () => {
  const backoff = paceOf();
  expect(backoff.waitAfter(passed(BATCH, 90, 250), BATCH)).toBe(0);
  expect(backoff.size()).toBe(13);
  expect(backoff.waitAfter(passed(13, 12, 250), 13)).toBe(0);
  expect(backoff.size()).toBe(2);
});

test('when nothing gets through it waits for the given time', () => {
  const backoff = paceOf();
  expect(backoff.waitAfter(passed(BATCH, BATCH, 250), BATCH)).toBe(250);
  expect(backoff.size()).toBe(1);
});

test('it grows back while nothing is held back', () => {
  const backoff = paceOf();
  backoff.waitAfter(passed(BATCH, BATCH, 1_000), BATCH);
  const sizes = Array.from({ length: 8 }, () => {
    const size = backoff.size();
    backoff.waitAfter(passed(size), size);
    return size;
  });
  expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 64, 100]);
});

test('a pass that claims nothing is no reason to claim more', () => {
  const backoff = paceOf();
  backoff.waitAfter(passed(BATCH, BATCH, 1_000), BATCH);
  expect(backoff.waitAfter(passed(0), 1)).toBe(1_000);
  expect(backoff.size()).toBe(1);
});

test('it retries after a minute at the latest, and after a second without a given delay', () => {
  const backoff = paceOf();
  expect(backoff.waitAfter(passed(5, 5, 8 * 3_600_000), 5)).toBe(60_000);
  expect(backoff.waitAfter(passed(5, 5, 0), 5)).toBe(1_000);
});

test('after errors it waits longer and longer, up to a minute, until a pass succeeds', () => {
  const backoff = paceOf();
  const error = { ...passed(5, 5), error: new Error('unavailable') };
  const waits = Array.from({ length: 8 }, () => backoff.waitAfter(error, 5) / 1_000);
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  backoff.waitAfter(passed(5), 5);
  expect(backoff.waitAfterError()).toBe(1_000);
});
