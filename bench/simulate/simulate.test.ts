import { expect, test } from 'vitest';
import { createCalendar } from './calendar.ts';
import { simulate } from './simulate.ts';
import { createSimulatedClock } from './simulated-clock.ts';
import { steadyWaitDays } from './steady-wait.ts';

const MINUTE = 60_000;
const HOURS_OF_ALL = { steady: 0.5, outage: 0.5, recovery: 0.5 };

test('the same seed gives the same figures', async () => {
  const days = { steady: 0.25, outage: 0, recovery: 0 };
  const one = { watches: 5_000, callsPerSecond: 5, callsPerDay: 400_000, days, seed: 7 };
  const figures = await simulate(one);
  expect(await simulate(one)).toEqual(figures);
  expect(await simulate({ ...one, seed: 8 })).not.toEqual({ ...figures, seed: 8 });
});

test('while there are calls, no watch is late, and what an outage held up is checked soon after it', async () => {
  const one = { watches: 2_000, callsPerSecond: 10, callsPerDay: 1e9, days: HOURS_OF_ALL, seed: 1 };
  const { lateBefore, lateAfterOutage, recoveredAfterDays, ages } = await simulate(one);
  expect(lateBefore).toBe(0);
  expect(lateAfterOutage).toBeGreaterThan(50);
  expect(recoveredAfterDays).toBe(0.25);
  expect(ages.map(({ most }) => Math.ceil(most))).toEqual([1, 7, 30]);
});

test('R9: where checks need more calls than there are, at least 98 % of the calls of each second are made', async () => {
  const days = { steady: 0.25, outage: 0, recovery: 0 };
  const one = { watches: 400_000, callsPerSecond: 2, callsPerDay: 1e9, days, seed: 5 };
  const { demand, checksPerDay, checksShare } = await simulate(one);
  expect(demand).toBeGreaterThan(1);
  expect(checksPerDay / checksShare / (one.callsPerSecond * 86_400)).toBeGreaterThanOrEqual(0.98);
});

test('where checks need more calls than there are, due watches wait as long as arithmetic says', () => {
  const shares = [1, 0, 0] as const;
  const rule = { watches: 100_000, callsPerSecond: 10, callsPerDay: 20_000 };
  const { demand, waitDays } = steadyWaitDays(rule, shares, 4, 0.5);
  // 100,000 watches share 10,000 checks a day: each is checked every ten days.
  expect(demand).toBeCloseTo(10.256, 2);
  expect(waitDays + 0.975).toBeCloseTo(10, 2);
});

test('a calendar gives what is due in order of time and what came first first', () => {
  const calendar = createCalendar(new Int32Array(5), 0, 10 * MINUTE);
  calendar.add(0, 2 * MINUTE);
  calendar.add(1, MINUTE);
  calendar.add(2, 2 * MINUTE);
  calendar.add(3, 99 * MINUTE);
  expect(calendar.takeDue(MINUTE - 1)).toBeUndefined();
  expect(calendar.dueAt(2 * MINUTE)).toBe(3);
  expect([1, 2, 3, 4].map(() => calendar.takeDue(9 * MINUTE))).toEqual([1, 0, 2, undefined]);
  calendar.add(4, 2 * MINUTE);
  calendar.add(1, 2 * MINUTE, true);
  expect([1, 2].map(() => calendar.takeDue(9 * MINUTE))).toEqual([1, 4]);
});

test('sleepers of the simulated clock wake in order, except canceled ones', async () => {
  const clock = createSimulatedClock(0);
  const woken: number[] = [];
  const giveUp = new AbortController();
  for (const ms of [30, 10, 20]) void clock.sleep(ms).then(() => woken.push(ms));
  void clock.sleep(5, giveUp.signal).catch(() => woken.push(-1));
  giveUp.abort();
  expect(clock.nextWakeMs()).toBe(10);
  expect(clock.moveTo(20)).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken).toEqual([-1, 10, 20]);
});
