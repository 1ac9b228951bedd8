import { createManualClock } from '@casewatch/testing/manual-clock';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BudgetRefusal, type CallSource } from './budget.ts';
import { createDayQuota, type QuotaLedger } from './day-quota.ts';
import { createMemoryBudget } from './memory-budget.ts';

const LATE_EVENING = Date.parse('2026-01-05T23:59:00Z');

function ledgerInMemory(): QuotaLedger & { reserved: Map<string, number> } {
  const reserved = new Map<string, number>();
  return {
    reserved,
    reserve: async (day, calls, limit) => {
      const before = reserved.get(day) ?? 0;
      const got = Math.max(0, Math.min(calls, limit - before));
      reserved.set(day, before + got);
      return got;
    },
    giveBack: async (day, calls) => {
      reserved.set(day, (reserved.get(day) ?? 0) - calls);
    },
  };
}

function budgetOf({
  callsPerSecond = 5,
  callsPerDay = 1_000_000,
  waitMs = 2_000,
  startMs = LATE_EVENING,
} = {}) {
  const clock = createManualClock(startMs);
  const ledger = ledgerInMemory();
  const quota = createDayQuota({ clock, callsPerDay, ledger });
  return { clock, ledger, budget: createMemoryBudget({ clock, callsPerSecond, waitMs, quota }) };
}

/** Takes calls all the time and remembers when each was granted. */
function keepTaking(
  budget: ReturnType<typeof budgetOf>['budget'],
  clock: { nowMs(): number },
  source: CallSource,
) {
  const grants: number[] = [];
  let going = true;
  const worker = async () => {
    while (going) {
      await budget.take(source);
      grants.push(clock.nowMs());
    }
  };
  return { grants, start: () => void worker().catch(() => undefined), end: () => (going = false) };
}

const mostInAnySecond = (grants: readonly number[]) =>
  Math.max(...grants.map((from) => grants.filter((at) => at >= from && at < from + 1_000).length));

test('no one-second window holds more than N calls, and work that is due uses at least 98 % of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 30, maxLength: 60 }),
      async (callsPerSecond, steps) => {
        const { clock, budget } = budgetOf({ callsPerSecond, waitMs: 60_000 });
        const workers = Array.from({ length: callsPerSecond * 3 }, () => keepTaking(budget, clock, 'user'));
        for (const worker of workers) worker.start();
        await clock.advance(0);
        const startedAt = clock.nowMs();
        for (const step of steps) await clock.advance(step);
        const elapsedMs = clock.nowMs() - startedAt;
        for (const worker of workers) worker.end();
        const grants = workers.flatMap((worker) => worker.grants).sort((a, b) => a - b);
        expect(mostInAnySecond(grants)).toBeLessThanOrEqual(callsPerSecond);
        expect(grants.length).toBeGreaterThanOrEqual(Math.floor((callsPerSecond * elapsedMs * 0.98) / 1_000));
        await budget.stop();
      },
    ),
    { numRuns: 40 },
  );
});

test('calls that come at any times never exceed the window', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ afterMs: fc.integer({ min: 0, max: 400 }), source: fc.constantFrom('user', 'monitor') }),
        {
          maxLength: 80,
        },
      ),
      async (arrivals) => {
        const { clock, budget } = budgetOf({ callsPerSecond: 3, waitMs: 1_500 });
        const grants: number[] = [];
        for (const { afterMs, source } of arrivals) {
          await clock.advance(afterMs);
          budget.take(source as CallSource).then(
            () => grants.push(clock.nowMs()),
            (refusal) => expect(refusal).toBeInstanceOf(BudgetRefusal),
          );
        }
        await clock.advance(10_000);
        if (grants.length > 0) expect(mostInAnySecond(grants)).toBeLessThanOrEqual(3);
        await budget.stop();
      },
    ),
    { numRuns: 60 },
  );
});

test('who would wait too long is refused at once, with the time to come back', async () => {
  const { budget } = budgetOf({ callsPerSecond: 1, waitMs: 2_500 });
  await budget.take('user');
  const waiting = [budget.take('user'), budget.take('user')];
  for (const wait of waiting) wait.catch(() => undefined);
  await expect(budget.take('user')).rejects.toMatchObject({ reason: 'busy', retryAfterMs: 3_045 });
  await budget.stop();
});

test('people go before scheduled checks, otherwise first come, first served', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 1, waitMs: 10_000 });
  await budget.take('user');
  const order: string[] = [];
  void budget.take('monitor').then(() => order.push('first check'));
  void budget.take('monitor').then(() => order.push('second check'));
  void budget.take('user').then(() => order.push('first person'));
  void budget.take('user').then(() => order.push('second person'));
  await clock.advance(6_000);
  expect(order).toEqual(['first person', 'second person', 'first check', 'second check']);
});

test('a pause holds everybody back, and who waits longer than allowed is refused', async () => {
  const { clock, budget } = budgetOf({ waitMs: 2_000 });
  budget.pause(1_000);
  let granted = false;
  void budget.take('user').then(() => (granted = true));
  await clock.advance(999);
  expect(granted).toBe(false);
  await clock.advance(1);
  expect(granted).toBe(true);

  budget.pause(1_500);
  const late = budget.take('user');
  const refused = expect(late).rejects.toMatchObject({ reason: 'busy' });
  budget.pause(5_000);
  await clock.advance(2_001);
  await refused;
});

test('the daily quota is never passed and starts anew at midnight GMT', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 100, callsPerDay: 3 });
  for (let call = 0; call < 3; call += 1) await budget.take('user');
  await expect(budget.take('user')).rejects.toMatchObject({ reason: 'spent', retryAfterMs: 60_000 });
  await clock.advance(60_000);
  await budget.take('user');
});

test('a tenth of the day is kept for people', async () => {
  const { budget } = budgetOf({ callsPerSecond: 1_000, callsPerDay: 50 });
  for (let call = 0; call < 45; call += 1) await budget.take('monitor');
  await expect(budget.take('monitor')).rejects.toMatchObject({ reason: 'spent' });
  for (let call = 0; call < 5; call += 1) await budget.take('user');
  await expect(budget.take('user')).rejects.toMatchObject({ reason: 'spent' });
});

test('a stop gives back what was reserved and not used', async () => {
  const { budget, ledger } = budgetOf({ callsPerSecond: 1_000, callsPerDay: 10_000 });
  for (let call = 0; call < 7; call += 1) await budget.take('user');
  expect(ledger.reserved.get('2026-01-05')).toBe(50);
  await budget.stop();
  expect(ledger.reserved.get('2026-01-05')).toBe(7);
});
