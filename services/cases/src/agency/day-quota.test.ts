import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import type { BudgetCaller } from '../domain/agency.ts';
import { BudgetRefusal } from './budget-refusal.ts';
import { createDayQuota } from './day-quota.ts';

const DAY_MS = 86_400_000;
const TODAY = '2026-01-05';
const NOON_MS = Date.parse(`${TODAY}T12:00:00Z`);
const ADA: BudgetCaller = { source: 'user', userId: 'ada', tier: 'free' };
const BOB: BudgetCaller = { source: 'user', userId: 'bob', tier: 'free' };
const PAT: BudgetCaller = { source: 'user', userId: 'pat', tier: 'pro' };
const CHECK: BudgetCaller = { source: 'monitor' };

/** Quotas of one product whose counts are kept as the database keeps them, and whose clock can jump. */
function quotas(callsPerDay: number, { monitoringShare = 0, keepsUsers = false } = {}) {
  const clock = createManualClock(NOON_MS);
  let jumpMs = 0;
  let meanwhile: () => void = () => undefined;
  const days = new Map<string, { calls: number; monitorCalls: number }>();
  const users = new Map<string, number>();
  let updates = 0;
  const open = () =>
    createDayQuota({
      clock: { nowMs: () => clock.nowMs() + jumpMs, sleep: clock.sleep },
      callsPerDay,
      monitoringShare,
      weights: { free: 1, pro: 4 },
      ledger: {
        update: async (day, userId, decide) => {
          updates += 1;
          const used = days.get(day) ?? { calls: 0, monitorCalls: 0 };
          const ofUser = keepsUsers ? (users.get(`${day} ${userId}`) ?? 0) : 0;
          const { user, monitor, userCalls } = decide({ ...used, userCalls: ofUser });
          for (const [id, made] of userCalls)
            users.set(`${day} ${id}`, (users.get(`${day} ${id}`) ?? 0) + made);
          const calls = used.calls + user + monitor;
          days.set(day, { calls, monitorCalls: used.monitorCalls + monitor });
          meanwhile();
        },
      },
    });
  return {
    open,
    days,
    users,
    updates: () => updates,
    clock,
    jumpTo: (ms: number) => (jumpMs = ms),
    /** Does something while the ledger is updated. */
    whileUpdating: (work: () => void) => (meanwhile = work),
  };
}

/** Calls until the day has no more for this user. */
async function spendAll(quota: ReturnType<typeof createDayQuota>, caller = ADA): Promise<number> {
  for (let calls = 0; ; calls += 1) {
    try {
      await quota.spend(caller);
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetRefusal);
      return calls;
    }
  }
}

test('a clock that jumps a day forward and back never spends more than a day has', async () => {
  const { open, days, jumpTo } = quotas(1_000);
  const quota = open();
  for (let calls = 0; calls < 100; calls += 1) await quota.spend(ADA);
  jumpTo(DAY_MS);
  for (let calls = 0; calls < 100; calls += 1) await quota.spend(ADA);
  jumpTo(0);
  const more = await spendAll(quota);
  expect(100 + more).toBeLessThanOrEqual(1_000);
  // No more than the blocks that were open at each jump are lost.
  expect(100 + more).toBeGreaterThanOrEqual(1_000 - 2 * 5);
  expect(days.get('2026-01-05')?.calls).toBeLessThanOrEqual(1_000);
  jumpTo(DAY_MS);
  expect(100 + (await spendAll(quota))).toBeLessThanOrEqual(1_000);
});

test('a refusal that a clock set back would keep for a day is checked again', async () => {
  const { open, clock, jumpTo } = quotas(10);
  const quota = open();
  jumpTo(DAY_MS);
  await spendAll(quota);
  expect(() => quota.check(ADA)).toThrow(BudgetRefusal);
  jumpTo(0);
  expect(() => quota.check(ADA)).not.toThrow();
  await quota.spend(ADA);
  jumpTo(DAY_MS);
  await clock.advance(1_000);
  expect(() => quota.check(ADA)).not.toThrow();
});

test('what was given back before midnight is not spent after it', async () => {
  const { open, clock, days } = quotas(1_000);
  const quota = open();
  await quota.spend(ADA);
  await clock.advance(DAY_MS);
  quota.giveBack(ADA, TODAY);
  const calls = await spendAll(quota);
  expect(calls).toBeGreaterThan(900);
  expect(days.get('2026-01-06')?.calls).toBe(calls);
});

test('a call of the day before that is given back after the first of a day is no call more', async () => {
  const { open, clock, days } = quotas(1_000);
  const quota = open();
  const day = await quota.spend(ADA);
  await clock.advance(DAY_MS);
  await quota.spend(BOB);
  quota.giveBack(ADA, day);
  const calls = 1 + (await spendAll(quota));
  expect(calls).toBeGreaterThan(900);
  expect(days.get('2026-01-06')?.calls).toBe(calls);
});

test('a call that is given back while more are asked for is not lost', async () => {
  const { open, whileUpdating } = quotas(2);
  const quota = open();
  await quota.spend(ADA);
  whileUpdating(() => {
    whileUpdating(() => undefined);
    quota.giveBack(ADA, TODAY);
  });
  // The ledger has none for her.
  await quota.spend(ADA);
  await expect(quota.spend(ADA)).rejects.toThrow(BudgetRefusal);
});

test('what a stop gives back is there for the next process', async () => {
  const { open, days } = quotas(1_000);
  const first = open();
  await first.spend(ADA);
  await first.spend(ADA);
  first.giveBack(ADA, TODAY);
  await first.stop();
  await first.stop();
  expect(days.get('2026-01-05')?.calls).toBe(1);
});

test('calls are reserved in blocks of a two-hundredth of the day, and each user’s are reported once', async () => {
  const { open, days, users, updates } = quotas(2_000);
  const quota = open();
  for (let calls = 0; calls < 24; calls += 1) await quota.spend(calls % 6 === 0 ? BOB : ADA);
  await quota.spend(PAT);
  quota.giveBack(ADA, TODAY);
  quota.giveBack(PAT, TODAY);
  for (let calls = 0; calls < 15; calls += 1) await quota.spend(CHECK);
  expect(updates()).toBe(3 + 2);
  expect(days.get('2026-01-05')).toEqual({ calls: 50, monitorCalls: 20 });
  await quota.stop();
  expect(days.get('2026-01-05')).toEqual({ calls: 23 + 15, monitorCalls: 15 });
  expect(Object.fromEntries(users)).toEqual({
    '2026-01-05 ada': 19,
    '2026-01-05 bob': 4,
    '2026-01-05 pat': 0,
  });
  await quota.stop();
  expect(updates()).toBe(6);
});

test('what was reserved for checks before midnight is not used after it, nor are users’ calls counted then', async () => {
  const { open, days, users, clock } = quotas(2_000, { monitoringShare: 0.5 });
  const quota = open();
  await quota.spend(CHECK);
  await quota.spend(ADA);
  await clock.advance(DAY_MS / 2);
  await quota.spend(CHECK);
  await quota.spend(BOB);
  await quota.stop();
  expect(days.get('2026-01-06')).toEqual({ calls: 2, monitorCalls: 1 });
  expect(users.get('2026-01-06 ada')).toBeUndefined();
});

test('of a day that runs low a Pro user’s share is four times that of a Free one, and the last to come finds some', async () => {
  const { open } = quotas(2_000, { keepsUsers: true });
  const quota = open();
  for (let calls = 0; calls < 1_000; calls += 1) await quota.spend(CHECK);
  const heavy: BudgetCaller = { source: 'user', userId: 'heavy', tier: 'free' };
  expect(await spendAll(quota, heavy)).toBe(500);
  // The rest is low; at noon a Free user may have had half of what is left, a Pro user twice as much as is left.
  expect(await spendAll(quota, ADA)).toBe(167);
  expect(await spendAll(quota, PAT)).toBe(222);
  expect(await spendAll(quota, BOB)).toBe(37);
  expect(await spendAll(open(), ADA)).toBe(0);
});

test('a refusal is believed for a second, or until there is a call if that is sooner', async () => {
  const { open, clock } = quotas(10);
  const quota = open();
  await clock.advance(DAY_MS / 2 - 10_000);
  await spendAll(quota);
  await clock.advance(999);
  expect(() => quota.check(ADA)).toThrow(expect.objectContaining({ reason: 'spent', retryAfterMs: 9_001 }));
  expect(() => quota.check(BOB)).not.toThrow();
  await clock.advance(1);
  expect(() => quota.check(ADA)).not.toThrow();
  await clock.advance(8_700);
  await expect(quota.spend(ADA)).rejects.toMatchObject({ retryAfterMs: 300 });
  await clock.advance(299);
  expect(() => quota.check(ADA)).toThrow(BudgetRefusal);
  await clock.advance(1);
  expect(() => quota.check(ADA)).not.toThrow();
});

test('a stop waits for the calls that are being reserved', async () => {
  const { open, days } = quotas(2_000);
  const quota = open();
  const spending = quota.spend(ADA);
  await quota.stop();
  await spending;
  expect(days.get('2026-01-05')).toEqual({ calls: 1, monitorCalls: 0 });
});
