import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { SAME_STOP_MS, stopOnSignals } from './stop-on-signals.ts';

function begin() {
  const events = new EventEmitter();
  const time = { nowMs: 1_000 };
  const stops: PromiseWithResolvers<void>[] = [];
  const codes: number[] = [];
  stopOnSignals(
    () => {
      const stop = Promise.withResolvers<void>();
      stops.push(stop);
      return stop.promise;
    },
    { events, nowMs: () => time.nowMs, exit: (code) => void codes.push(code) },
  );
  return { events, time, stops, codes };
}

test('signals within five seconds are the same stop, however many and of whatever kind', async () => {
  const { events, time, stops, codes } = begin();
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGHUP']) events.emit(signal);
  time.nowMs += SAME_STOP_MS;
  events.emit('SIGTERM');
  expect([stops.length, codes]).toEqual([1, []]);
  stops[0]?.resolve();
  await expect.poll(() => codes).toEqual([0]);
});

test('a signal later than five seconds after the first ends the process at once', () => {
  const { events, time, codes } = begin();
  events.emit('SIGINT');
  time.nowMs += SAME_STOP_MS + 1;
  events.emit('SIGINT');
  expect(codes).toEqual([130]);
});

test('after the terminal has closed no signal ends the process before it has stopped', () => {
  const { events, time, codes } = begin();
  events.emit('SIGHUP');
  time.nowMs += 10 * SAME_STOP_MS;
  for (const signal of ['SIGTERM', 'SIGHUP']) events.emit(signal);
  expect(codes).toEqual([]);
});

test('the end of the parent process stops as a signal does, and is never a second one', () => {
  const { events, time, stops, codes } = begin();
  events.emit('disconnect');
  events.emit('SIGTERM');
  expect([stops.length, codes]).toEqual([1, []]);
  const other = begin();
  other.events.emit('SIGTERM');
  other.time.nowMs += 10 * SAME_STOP_MS;
  other.events.emit('disconnect');
  expect([other.stops.length, other.codes]).toEqual([1, []]);
  expect(time.nowMs).toBe(1_000);
});

test('a stop that fails is reported by the exit code', async () => {
  const { events, stops, codes } = begin();
  events.emit('SIGTERM');
  stops[0]?.reject(new Error('stuck'));
  await expect.poll(() => codes).toEqual([1]);
});
