import type { Clock } from '@casewatch/platform/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Budget, BudgetRefusal, type CallSource } from './budget.ts';
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

function budgetOf({ callsPerSecond = 5, callsPerDay = 1_000_000, startMs = LATE_EVENING } = {}) {
  const clock = createManualClock(startMs);
  const ledger = ledgerInMemory();
  const quota = createDayQuota({ clock, callsPerDay, ledger });
  return { clock, ledger, budget: createMemoryBudget({ clock, callsPerSecond, quota }) };
}

/** Takes a call that is answered at once. */
async function call(budget: Budget, source: CallSource, withinMs = 60_000): Promise<void> {
  (await budget.take(source, withinMs)).done();
}

/** How long a call is under way, and after what share of that it arrives. */
interface Trip {
  lastsMs: number;
  arrivesAfter: number;
}
const trip = (longestMs: number): fc.Arbitrary<Trip> =>
  fc.record({
    lastsMs: fc.integer({ min: 0, max: longestMs }),
    arrivesAfter: fc.double({ min: 0, max: 1, noNaN: true }),
  });

/** Makes calls one after the other and remembers when each arrived at the agency. */
function keepCalling(budget: Budget, clock: Clock, trips: readonly Trip[]) {
  const arrivals: number[] = [];
  let going = true;
  const worker = async () => {
    for (let nth = 0; going; nth += 1) {
      const { lastsMs, arrivesAfter } = trips[nth % trips.length] ?? { lastsMs: 0, arrivesAfter: 0 };
      const lease = await budget.take('user', 600_000);
      arrivals.push(clock.nowMs() + lastsMs * arrivesAfter);
      if (lastsMs > 0) await clock.sleep(lastsMs);
      lease.done();
    }
  };
  return { arrivals, start: () => void worker().catch(() => undefined), end: () => (going = false) };
}

/** Times are cut to whole milliseconds, as the agency's clock may cut them anywhere. */
const mostInAnySecond = (times: readonly number[]) =>
  Math.max(
    0,
    ...[0, 0.25, 0.5, 0.75].flatMap((offset) => {
      const seen = times.map((at) => Math.floor(at + offset));
      return seen.map((from) => seen.filter((at) => at >= from && at < from + 1_000).length);
    }),
  );

test('wherever calls arrive between their sending and their answer, no one-second window holds more than N', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(trip(1_900), { minLength: 5, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 20, maxLength: 40 }),
      async (callsPerSecond, trips, steps) => {
        const { clock, budget } = budgetOf({ callsPerSecond });
        const workers = Array.from({ length: callsPerSecond * 3 }, (_, nth) =>
          keepCalling(budget, clock, [...trips.slice(nth % trips.length), ...trips]),
        );
        for (const worker of workers) worker.start();
        for (const step of steps) await clock.advance(step);
        for (const worker of workers) worker.end();
        const arrivals = workers.flatMap((worker) => worker.arrivals);
        expect(arrivals.length).toBeGreaterThan(0);
        expect(mostInAnySecond(arrivals)).toBeLessThanOrEqual(callsPerSecond);
        await budget.stop();
      },
    ),
    { numRuns: 40 },
  );
});

test.each([0, 15, 300])(
  'with answers after %i ms, work that is due uses all that a second and the answer leave',
  async (lastsMs) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 30, maxLength: 60 }),
        async (callsPerSecond, steps) => {
          const { clock, budget } = budgetOf({ callsPerSecond });
          const workers = Array.from({ length: callsPerSecond * 3 }, () =>
            keepCalling(budget, clock, [{ lastsMs, arrivesAfter: 1 }]),
          );
          for (const worker of workers) worker.start();
          await clock.advance(0);
          const startedAt = clock.nowMs();
          for (const step of steps) await clock.advance(step);
          const elapsedMs = clock.nowMs() - startedAt;
          for (const worker of workers) worker.end();
          const calls = workers.flatMap((worker) => worker.arrivals).length;
          expect(calls).toBeGreaterThanOrEqual(callsPerSecond * Math.ceil(elapsedMs / (1_001 + lastsMs)));
          // Prompt answers: at least 98 % of what the agency allows.
          if (lastsMs <= 15) {
            expect(calls).toBeGreaterThanOrEqual(Math.floor((callsPerSecond * elapsedMs * 0.98) / 1_000));
          }
          await budget.stop();
        },
      ),
      { numRuns: 30 },
    );
  },
);

test('calls that come at any times never exceed the window', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 400 }),
          source: fc.constantFrom<CallSource>('user', 'monitor'),
          withinMs: fc.integer({ min: 0, max: 2_500 }),
          lastsMs: fc.integer({ min: 0, max: 900 }),
        }),
        { maxLength: 80 },
      ),
      async (calls) => {
        const { clock, budget } = budgetOf({ callsPerSecond: 3 });
        const arrivals: number[] = [];
        const waits: Promise<void>[] = [];
        const make = async ({ source, withinMs, lastsMs }: (typeof calls)[number]) => {
          const askedMs = clock.nowMs();
          const lease = await budget.take(source, withinMs).catch((refusal) => refusal);
          // Told as soon as the wait is over, not when somebody else's is.
          expect(clock.nowMs() - askedMs).toBeLessThanOrEqual(withinMs + 1);
          if (lease instanceof BudgetRefusal) return;
          if (lastsMs > 0) await clock.sleep(lastsMs);
          arrivals.push(clock.nowMs());
          lease.done();
        };
        for (const next of calls) {
          await clock.advance(next.afterMs);
          waits.push(make(next));
          await clock.advance(0);
        }
        await clock.advance(20_000);
        await Promise.all(waits);
        expect(mostInAnySecond(arrivals)).toBeLessThanOrEqual(3);
        await budget.stop();
      },
    ),
    { numRuns: 60 },
  );
});

test('a slot is free a second after the answer, not after the sending; done twice is done once', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 1 });
  const lease = await budget.take('user', 0);
  await clock.advance(1_500);
  lease.done();
  await clock.advance(900);
  lease.done();
  await expect(budget.take('user', 100)).rejects.toMatchObject({ reason: 'busy', retryAfterMs: 101 });
  await clock.advance(101);
  await budget.take('user', 0);
});

test('a call that hangs frees its slot after two seconds and one', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 1 });
  const hanging = await budget.take('user', 0);
  let granted = false;
  void budget.take('user', 60_000).then(() => (granted = true));
  await clock.advance(3_000);
  expect(granted).toBe(false);
  await clock.advance(1);
  expect(granted).toBe(true);
  hanging.done();
  await expect(budget.take('user', 0)).rejects.toMatchObject({ reason: 'busy' });
});

test('a process that stood still counts what it had under way from now on', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 1 });
  await budget.take('user', 0);
  await clock.advance(10_000);
  await expect(budget.take('user', 1_000)).rejects.toMatchObject({ retryAfterMs: 1_001 });
});

test('who would wait too long is refused at once, with the time to come back', async () => {
  const { budget } = budgetOf({ callsPerSecond: 1 });
  await call(budget, 'user');
  const waiting = [budget.take('user', 2_500), budget.take('user', 2_500)];
  for (const wait of waiting) wait.catch(() => undefined);
  await expect(budget.take('user', 2_500)).rejects.toMatchObject({ reason: 'busy', retryAfterMs: 3_003 });
  await budget.stop();
});

test('people go before scheduled checks, otherwise first come, first served', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 1 });
  await call(budget, 'user');
  const order: string[] = [];
  void call(budget, 'monitor').then(() => order.push('first check'));
  void call(budget, 'monitor').then(() => order.push('second check'));
  void call(budget, 'user').then(() => order.push('first person'));
  void call(budget, 'user').then(() => order.push('second person'));
  await clock.advance(6_000);
  expect(order).toEqual(['first person', 'second person', 'first check', 'second check']);
});

test('a call behind others in a pause waits for the pause and for their seconds after it', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 2 });
  budget.pause(1_000);
  const before = [call(budget, 'user'), call(budget, 'user')];
  await expect(budget.take('user', 1_999)).rejects.toMatchObject({ retryAfterMs: 2_000 });
  const third = call(budget, 'user', 2_500);
  await clock.advance(3_500);
  await Promise.all([...before, third]);
});

test('a pause holds everybody back, and who waits longer than allowed is refused', async () => {
  const { clock, budget } = budgetOf();
  budget.pause(1_000);
  let granted = false;
  void budget.take('user', 2_000).then(() => (granted = true));
  await clock.advance(999);
  expect(granted).toBe(false);
  await clock.advance(1);
  expect(granted).toBe(true);

  budget.pause(1_500);
  const late = budget.take('user', 2_000);
  const refused = expect(late).rejects.toMatchObject({ reason: 'busy' });
  budget.pause(5_000);
  await clock.advance(2_001);
  await refused;
});

test('the daily quota is never passed and starts anew at midnight GMT', async () => {
  const { clock, budget } = budgetOf({ callsPerSecond: 100, callsPerDay: 3 });
  for (let nth = 0; nth < 3; nth += 1) await call(budget, 'user');
  await expect(budget.take('user', 0)).rejects.toMatchObject({ reason: 'spent', retryAfterMs: 60_000 });
  await clock.advance(60_000);
  await budget.take('user', 0);
});

test('a tenth of the day is kept for people', async () => {
  const { budget } = budgetOf({ callsPerSecond: 1_000, callsPerDay: 50 });
  for (let nth = 0; nth < 45; nth += 1) await call(budget, 'monitor');
  await expect(budget.take('monitor', 0)).rejects.toMatchObject({ reason: 'spent' });
  for (let nth = 0; nth < 5; nth += 1) await call(budget, 'user');
  await expect(budget.take('user', 0)).rejects.toMatchObject({ reason: 'spent' });
});

test('a stop gives back what was reserved and not used', async () => {
  const { budget, ledger } = budgetOf({ callsPerSecond: 1_000, callsPerDay: 10_000 });
  for (let nth = 0; nth < 7; nth += 1) await call(budget, 'user');
  expect(ledger.reserved.get('2026-01-05')).toBe(50);
  await budget.stop();
  expect(ledger.reserved.get('2026-01-05')).toBe(7);
});
