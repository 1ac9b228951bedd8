import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startOfMonth, systemClock } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 12) });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a month begins at midnight (UTC) of its first day, also across the end of a year', () => {
  const at = Date.UTC(2026, 10, 30, 23, 59);
  expect(startOfMonth(at)).toBe(Date.UTC(2026, 10, 1));
  expect(startOfMonth(at, 1)).toBe(Date.UTC(2026, 11, 1));
  expect(startOfMonth(at, 2)).toBe(Date.UTC(2027, 0, 1));
});

test('a sleep ends at its time, and leaves nothing behind at its signal', async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  const wokenMs: number[] = [];
  const sleeping = systemClock.sleep(1_000, signal).then(() => wokenMs.push(systemClock.nowMs()));
  await vi.advanceTimersByTimeAsync(1_000);
  await sleeping;
  expect(wokenMs).toEqual([Date.UTC(2026, 10, 23, 12, 0, 1)]);
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
});

test('a sleep that is aborted rejects with the reason at once, and leaves no timer', async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(60_000, controller.signal);
  controller.abort('stopped');
  await expect(sleeping).rejects.toBe('stopped');
  await expect(systemClock.sleep(60_000, controller.signal)).rejects.toBe('stopped');
  expect(vi.getTimerCount()).toBe(0);
});
