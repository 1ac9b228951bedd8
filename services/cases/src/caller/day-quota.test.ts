import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import type { Requester } from '../domain/lookup.ts';
import { type DayQuota, openDayQuota } from './day-quota.ts';

const DAY_MS = 86_400_000;
const TODAY = '2026-01-05';
const TOMORROW = '2026-01-06';
const NOON_MS = Date.parse(`${TODAY}T12:00:00Z`);
const lookup = {
  id: 'l',
  origin: 'single',
  requestId: undefined,
  traceId: undefined,
  startedAtMs: 0,
} as const;
const user = (userId: string, tier: 'free' | 'pro' = 'free'): Requester => ({
  source: 'user',
  userId,
  name: userId,
  tier,
  lookup,
});
const ADA = user('ada');
const BOB = user('bob');
const PAT = user('pat', 'pro');
const CHECK: Requester = { source: 'monitor', lookup };

/** Callers, one after the other, whose counts are kept as the database keeps them. */
function quotas(callsPerDay: number, { monitoringShare = 0 } = {}) {
  const clock = createManualClock(NOON_MS);
  const days = new Map<string, { calls: number; monitorCalls: number; ofUsers: Map<string, number> }>();
  let broken: Error | undefined;
  const ofDay = (day: string) => {
    const known = days.get(day) ?? { calls: 0, monitorCalls: 0, ofUsers: new Map<string, number>() };
    days.set(day, known);
    return known;
  };
  const open = () =>
    openDayQuota({
      clock,
      callsPerDay,
      monitoringShare,
      weights: { free: 1, pro: 4 },
      ledger: {
        read: async (day) => ofDay(day),
        add: async (day, requester, calls) => {
          await Promise.resolve();
          if (broken) throw broken;
          const used = ofDay(day);
          used.calls += calls;
          if (requester.source === 'monitor') used.monitorCalls += calls;
          else used.ofUsers.set(requester.userId, (used.ofUsers.get(requester.userId) ?? 0) + calls);
        },
      },
    });
  const breakLedger = (error: Error | undefined) => {
    broken = error;
  };
  return { open, ofDay, clock, breakLedger };
}

/** Calls until the day has no more for this requester. */
async function spendAll(quota: DayQuota, requester = ADA): Promise<number> {
  let calls = 0;
  for (; quota.msUntilCall(requester) === 0; calls += 1) await quota.spend(requester);
  return calls;
}

test('a call is in the ledger before it is made, and the next caller counts on from there', async () => {
  const { open, ofDay } = quotas(1_000);
  const first = await open();
  await first.spend(ADA);
  await first.spend(PAT);
  await first.spend(CHECK);
  expect(ofDay(TODAY)).toEqual({
    calls: 3,
    monitorCalls: 1,
    ofUsers: new Map([
      ['ada', 1],
      ['pat', 1],
    ]),
  });
  expect(await spendAll(await open(), CHECK)).toBe(497);
});

test('callers that come one after the other never spend more than a day has', async () => {
  const { open, ofDay } = quotas(1_000);
  for (let nth = 0; nth < 20; nth += 1) {
    const quota = await open();
    for (let calls = 0; calls < 40 && quota.msUntilCall(CHECK) === 0; calls += 1) await quota.spend(CHECK);
  }
  expect(ofDay(TODAY).calls).toBe(500);
});

test('calls that are counted side by side never exceed the day', async () => {
  const { open, ofDay } = quotas(1_000);
  const quota = await open();
  const spend = async () => {
    if (quota.msUntilCall(CHECK) > 0) return 0;
    await quota.spend(CHECK);
    return 1;
  };
  const spent = await Promise.all(Array.from({ length: 700 }, spend));
  expect(spent.filter((calls) => calls === 1)).toHaveLength(500);
  expect(ofDay(TODAY).calls).toBe(500);
});

test('a call that the ledger does not take is not made, and not counted', async () => {
  const { open, ofDay, breakLedger } = quotas(1_000);
  const quota = await open();
  const refused = new Error('the database is unavailable');
  breakLedger(refused);
  for (let calls = 0; calls < 600; calls += 1) await expect(quota.spend(CHECK)).rejects.toBe(refused);
  breakLedger(undefined);
  expect(await spendAll(quota, CHECK)).toBe(500);
  expect(ofDay(TODAY).calls).toBe(500);
});

test('a call that was not made after all is there for others, and for the next caller', async () => {
  const { open, ofDay } = quotas(1_000);
  const quota = await open();
  const takeBack = await quota.spend(CHECK);
  expect(await spendAll(quota, CHECK)).toBe(499);
  await takeBack();
  expect(ofDay(TODAY)).toMatchObject({ calls: 499, monitorCalls: 499 });
  await quota.spend(CHECK);
  expect(await spendAll(await open(), CHECK)).toBe(0);
});

test('at midnight GMT the day begins anew, and a call of before that is taken back is no call more', async () => {
  const { open, ofDay, clock } = quotas(1_000);
  const quota = await open();
  const takeBack = await quota.spend(CHECK);
  await spendAll(quota, CHECK);
  await clock.advance(DAY_MS);
  await quota.spend(CHECK);
  await takeBack();
  expect([ofDay(TODAY).calls, ofDay(TOMORROW).calls]).toEqual([499, 1]);
  expect(1 + (await spendAll(quota, CHECK))).toBe(500);
  expect(ofDay(TOMORROW)).toMatchObject({ calls: 500, monitorCalls: 500 });
});

test('of a day that runs low a Pro user’s share is four times that of a Free one, and the last to come finds some', async () => {
  const { open } = quotas(2_000, { monitoringShare: 0.5 });
  const quota = await open();
  expect(await spendAll(quota, CHECK)).toBe(1_500);
  const { open: openOther } = quotas(2_000);
  const other = await openOther();
  for (let calls = 0; calls < 1_000; calls += 1) await other.spend(CHECK);
  expect(await spendAll(other, user('heavy'))).toBe(500);
  // The rest is low; at noon a Free user may have had half of what is left, a Pro user twice as much as is left.
  expect(await spendAll(other, ADA)).toBe(167);
  expect(await spendAll(other, PAT)).toBe(222);
  expect(await spendAll(other, BOB)).toBe(37);
});

test('a refusal says when there is a call, and there is one then', async () => {
  const { open, clock } = quotas(10);
  const quota = await open();
  await spendAll(quota);
  const refusal = () => quota.msUntilCall(ADA);
  const waitMs = refusal();
  expect(waitMs).toBeGreaterThan(1);
  expect(quota.msUntilCall(BOB)).toBe(0);
  await clock.advance(waitMs - 1);
  expect(refusal()).toBe(1);
  await clock.advance(1);
  expect(refusal()).toBe(0);
  await expect(quota.spend(ADA)).resolves.toBeTypeOf('function');
});
