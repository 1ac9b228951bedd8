import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createPollDelay } from './poll-delay.ts';

function start({ random = 0.5, ...options }: { random?: number; maximumMs?: number } = {}) {
  const clock = createManualClock();
  return { clock, delay: createPollDelay(clock, { ...options, random: () => random }) };
}

test('the first poll is due at once, the next 25 ms after events, then after twice as long up to 100 ms', () => {
  const { delay } = start();
  expect(delay.isOver()).toBe(true);
  const delays = [3, 0, 0, 0, 1].map((events) => {
    delay.found(events);
    return delay.remainingMs();
  });
  expect(delays).toEqual([25, 50, 100, 100, 25]);
});

test('polls become as rare as the maximum that is given', () => {
  const { delay } = start({ maximumMs: 400 });
  const delays = [1, 0, 0, 0, 0].map((events) => {
    delay.found(events);
    return delay.remainingMs();
  });
  expect(delays).toEqual([25, 50, 100, 200, 400]);
});

test('a poll is due when its delay is over, and stays due until it has found something or nothing', async () => {
  const { clock, delay } = start();
  delay.found(1);
  await clock.advance(24);
  expect(delay.isOver()).toBe(false);
  await clock.advance(1);
  expect(delay.isOver()).toBe(true);
  await clock.advance(100);
  expect(delay.remainingMs()).toBe(0);
});

test('delays differ by a fifth either way, so that relays do not poll together', () => {
  const delays = [0, 1].map((random) => {
    const { delay } = start({ random });
    delay.found(0);
    return delay.remainingMs();
  });
  expect(delays).toEqual([20, 30]);
  const { delay } = start({ random: 1 });
  for (let poll = 0; poll < 3; poll++) delay.found(0);
  expect(delay.remainingMs()).toBe(120);
});

test('after a hint it polls within 2 ms, then after ever longer delays, since the commit may still come', () => {
  const { delay } = start();
  delay.found(0);
  expect(delay.hint()).toBe(true);
  const delays = [delay.remainingMs()];
  for (let poll = 0; poll < 5; poll++) {
    delay.found(0);
    delays.push(delay.remainingMs());
  }
  expect(delays).toEqual([2, 2, 4, 8, 16, 32]);
});

test('of many hints one in 25 ms has an effect, and none puts off a poll that is nearly due', async () => {
  const { clock, delay } = start();
  delay.found(1);
  await clock.advance(24);
  expect([delay.hint(), delay.hint()]).toEqual([true, false]);
  expect(delay.remainingMs()).toBe(1);
  await clock.advance(24);
  delay.found(1);
  expect(delay.hint()).toBe(false);
  expect(delay.remainingMs()).toBe(25);
  await clock.advance(1);
  expect(delay.hint()).toBe(true);
  expect(delay.remainingMs()).toBe(2);
});

test('a clock that is set back delays neither the next poll nor the next hint', async () => {
  const { clock, delay } = start();
  expect(delay.hint()).toBe(true);
  delay.found(0);
  await clock.jump(-3_600_000);
  expect(delay.isOver()).toBe(true);
  delay.found(0);
  expect(delay.isOver()).toBe(false);
  expect(delay.hint()).toBe(true);
});
