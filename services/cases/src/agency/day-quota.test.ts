import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import type { BudgetCaller } from '../domain/agency.ts';
import { BudgetRefusal } from './budget-refusal.ts';
import { createDayQuota } from './day-quota.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.parse('2026-01-05T12:00:00Z');
const ADA: BudgetCaller = { source: 'user', userId: 'ada', tier: 'free' };

/** Quotas of one product whose counts are kept as the database keeps them, and whose clock can jump. */
function quotas(callsPerDay: number) {
  const clock = createManualClock(NOON_MS);
  let jumpMs = 0;
  let meanwhile: () => void = () => undefined;
  const days = new Map<string, { calls: number; monitorCalls: number }>();
  const open = () =>
    createDayQuota({
      clock: { nowMs: () => clock.nowMs() + jumpMs, sleep: clock.sleep },
      callsPerDay,
      monitoringShare: 0,
      weights: { free: 1, pro: 4 },
      ledger: {
        update: async (day, _, decide) => {
          const used = days.get(day) ?? { calls: 0, monitorCalls: 0 };
          const { user, monitor } = decide({ ...used, userCalls: 0 });
          const calls = used.calls + user + monitor;
          days.set(day, { calls, monitorCalls: used.monitorCalls + monitor });
          meanwhile();
        },
      },
    });
  return {
    open,
    days,
    clock,
    jumpTo: (ms: number) => (jumpMs = ms),
    /** Does something while the ledger is updated. */
    whileUpdating: (work: () => void) => (meanwhile = work),
  };
}

/** Calls until the day has no more for this user. */
async function spendAll(quota: ReturnType<typeof createDayQuota>): Promise<number> {
  for (let calls = 0; ; calls += 1) {
    try {
      await quota.spend(ADA);
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
  quota.giveBack(ADA);
  const calls = await spendAll(quota);
  expect(calls).toBeGreaterThan(900);
  expect(days.get('2026-01-06')?.calls).toBe(calls);
});

test('a call that is given back while more are asked for is not lost', async () => {
  const { open, whileUpdating } = quotas(2);
  const quota = open();
  await quota.spend(ADA);
  whileUpdating(() => {
    whileUpdating(() => undefined);
    quota.giveBack(ADA);
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
  first.giveBack(ADA);
  await first.stop();
  await first.stop();
  expect(days.get('2026-01-05')?.calls).toBe(1);
});
