import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallSource } from '../domain/agency.ts';
import { callsLeft, DAY_MS, fairShare, lowWater, msUntilCallsLeft, msUntilFairShare } from './day-shares.ts';

const RULE = { callsPerDay: 1_000, monitoringShare: 0.5 };
const NOON = DAY_MS / 2;
const none = { calls: 0, monitorCalls: 0 };

test('each side keeps its half as long as it is still to come', () => {
  expect(callsLeft(RULE, 'user', none, 0)).toBe(500);
  expect(callsLeft(RULE, 'monitor', none, 0)).toBe(500);
  // People have had theirs at once: checks still have all of their half.
  expect(callsLeft(RULE, 'user', { calls: 500, monitorCalls: 0 }, 0)).toBe(0);
  expect(callsLeft(RULE, 'monitor', { calls: 500, monitorCalls: 0 }, 0)).toBe(500);
});

test('what a side has not used of the part that has accrued is for the other', () => {
  expect(callsLeft(RULE, 'user', none, NOON)).toBe(750);
  expect(callsLeft(RULE, 'user', { calls: 750, monitorCalls: 0 }, NOON)).toBe(0);
  expect(callsLeft(RULE, 'monitor', { calls: 750, monitorCalls: 0 }, NOON)).toBe(250);
  // Used ahead of time, nothing is kept for it.
  expect(callsLeft(RULE, 'user', { calls: 500, monitorCalls: 500 }, NOON)).toBe(500);
});

test('people’s calls run low when a quarter of what they are guaranteed is left', () => {
  expect(lowWater(RULE)).toBe(125);
  expect(lowWater({ callsPerDay: 10, monitoringShare: 0 })).toBe(3);
});

test('until midnight is the longest that a refusal names', () => {
  const spent = { calls: 1_000, monitorCalls: 500 };
  expect(msUntilCallsLeft(RULE, 'user', spent, NOON)).toBe(DAY_MS - NOON);
  expect(msUntilFairShare(1_000, 0, 1, NOON)).toBe(DAY_MS - NOON);
  expect(msUntilFairShare(1, 1, 1, NOON)).toBe(1);
});

test('work that is due all day uses every call, whatever the callers, and neither side is left with less than its share', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 50, max: 2_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(
        fc.constantFrom<CallSource[]>(['user'], ['monitor'], ['user', 'monitor'], ['monitor', 'user']),
        {
          minLength: 24,
          maxLength: 24,
        },
      ),
      (callsPerDay, monitoringShare, hours) => {
        const rule = { callsPerDay, monitoringShare };
        const used = { user: 0, monitor: 0 };
        const now = () => ({ calls: used.user + used.monitor, monitorCalls: used.monitor });
        hours.forEach((asking, hour) => {
          for (let minute = 0; minute < 60; minute += 5) {
            for (const source of asking) {
              const sinceMidnightMs = ((hour * 60 + minute) * DAY_MS) / 1_440;
              used[source] += callsLeft(rule, source, now(), sinceMidnightMs);
            }
          }
        });
        expect(now().calls).toBeLessThanOrEqual(callsPerDay);
        expect(now().calls).toBeGreaterThanOrEqual(Math.floor(callsPerDay * 0.98) - 2);
        // A side that asked in every hour has had at least its share.
        for (const source of ['user', 'monitor'] as const) {
          if (!hours.every((asking) => asking.includes(source))) continue;
          const share = source === 'monitor' ? monitoringShare : 1 - monitoringShare;
          expect(used[source]).toBeGreaterThanOrEqual(Math.floor(callsPerDay * share * 0.98) - 2);
        }
      },
    ),
  );
});

test('a refusal names the time from which there is a call, and no earlier one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 5_000 }),
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      fc.nat(DAY_MS - 1),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom<CallSource>('user', 'monitor'),
      (callsPerDay, monitoringShare, atMs, ofMonitor, source) => {
        const rule = { callsPerDay, monitoringShare };
        const calls = Math.ceil(callsPerDay * (0.5 + (0.5 * atMs) / DAY_MS));
        const used = { calls, monitorCalls: Math.floor(calls * ofMonitor) };
        const waitMs = msUntilCallsLeft(rule, source, used, atMs);
        if (waitMs === 0) return;
        expect(callsLeft(rule, source, used, atMs + Math.floor(waitMs / 2))).toBe(0);
        if (atMs + waitMs < DAY_MS) expect(callsLeft(rule, source, used, atMs + waitMs)).toBe(1);
      },
    ),
  );
});

test('users of one weight end with equal shares of what runs low, of other weights in proportion, and a newcomer finds some', () => {
  const used = { ada: 0, bob: 0, pro: 0 };
  const weights = { ada: 0.25, bob: 0.25, pro: 1 };
  let left = lowWater(RULE);
  for (let round = 0; round < 1_000; round += 1) {
    // As the queue lets them come.
    for (const name of ['ada', 'bob', 'pro', 'pro', 'pro', 'pro'] as const) {
      if (left < 1 || used[name] >= fairShare(left, weights[name], NOON)) continue;
      used[name] += 1;
      left -= 1;
    }
  }
  expect(Math.abs(used.ada - used.bob)).toBeLessThanOrEqual(1);
  expect(used.pro / used.ada).toBeCloseTo(4, 0);
  expect(left).toBeGreaterThanOrEqual(1);
  expect(fairShare(left, 0.25, NOON)).toBeGreaterThan(0);
  // All of it by the end of the day.
  expect(fairShare(1, 0.25, DAY_MS - 60_000)).toBeGreaterThan(used.pro);
  const waitMs = msUntilFairShare(used.ada, left, 0.25, NOON);
  expect(used.ada).toBeLessThan(fairShare(left, 0.25, NOON + waitMs));
  expect(used.ada).toBeGreaterThanOrEqual(fairShare(left, 0.25, NOON + waitMs - 2));
});
