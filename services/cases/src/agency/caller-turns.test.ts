import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { createMemoryCallQueues } from '@casewatch/shared-state/call-queues/memory-call-queues';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import type { BudgetCaller } from '../domain/agency.ts';
import { createBudget } from './budget.ts';
import { createBudgetMetrics } from './budget-metrics.ts';
import { BudgetRefusal } from './budget-refusal.ts';
import { createCallerTurns } from './caller-turns.ts';
import { createDayQuota } from './day-quota.ts';

const person = (userId: string): BudgetCaller => ({ source: 'user', userId, tier: 'free' });
const HEAVY = person('heavy');
const LIGHT = person('light');
const CHECK: BudgetCaller = { source: 'monitor' };

/** A budget of one call per second whose first second is used up. */
async function budgetWithoutCalls(waitMs = { user: 60_000, monitor: 60_000 }) {
  const clock = createManualClock();
  const queue = createMemoryCallQueues(clock)({
    name: 'agency',
    calls: 1,
    windowMs: 1_001,
    leaseMs: 2_000,
    scheduledShare: 0.5,
  });
  const weights = { free: 1, pro: 4 };
  const counts = { spent: 0, given: 0 };
  const quota = createDayQuota({
    clock,
    callsPerDay: 1_000_000,
    monitoringShare: 0.5,
    weights,
    ledger: { update: async (_, __, decide) => void decide({ calls: 0, monitorCalls: 0, userCalls: 0 }) },
  });
  const budget = createBudget({
    clock,
    queue,
    quota: {
      ...quota,
      spend: async (caller) => {
        const day = await quota.spend(caller);
        counts.spent += 1;
        return day;
      },
      giveBack: (caller, day) => {
        quota.giveBack(caller, day);
        counts.given += 1;
      },
    },
    weights,
    metrics: createBudgetMetrics(noTelemetry.meter, queue),
  });
  (await budget.take(CHECK, 0)).done();
  counts.spent = 0;
  const turns = () => createCallerTurns({ budget, clock, waitMs });
  return { clock, queue, budget, counts, turns };
}

type Fixture = Awaited<ReturnType<typeof budgetWithoutCalls>>;

/** Starts the turns of one case and returns their results. */
function outcomeOf({ clock }: Fixture, turns: ReturnType<typeof createCallerTurns>) {
  const outcome: { atMs?: number; refusal?: unknown } = {};
  turns.take().then(
    (lease) => {
      outcome.atMs = clock.nowMs();
      lease.done();
    },
    (refusal) => {
      outcome.refusal = refusal;
    },
  );
  return outcome;
}

/** Has a user wait for so many other cases. */
async function keepWaiting({ clock, budget }: Fixture, caller: BudgetCaller, calls: number) {
  for (let nth = 0; nth < calls; nth += 1) {
    void budget.take(caller, 60_000).then(
      (lease) => lease.done(),
      () => undefined,
    );
  }
  await clock.advance(0);
}

test('a second caller waits on a turn of its own, and its turn serves both with one call', async () => {
  const fixture = await budgetWithoutCalls();
  const { clock, queue, counts, turns } = fixture;
  await keepWaiting(fixture, HEAVY, 5);
  const shared = turns();
  shared.add(HEAVY);
  const outcome = outcomeOf(fixture, shared);
  await clock.advance(0);
  expect(queue.depth().user).toBe(6);
  shared.add(LIGHT);
  shared.add(LIGHT);
  await clock.advance(0);
  expect(queue.depth().user).toBe(7);
  // The heavy user's first call, then the newcomer's, not the heavy user's other four.
  await clock.advance(2_100);
  expect(outcome.atMs).toBeDefined();
  expect(counts.spent).toBe(2);
  // The heavy user's turn for this case is not used; its other cases keep theirs.
  expect(queue.depth().user).toBe(4);
  for (let second = 0; second < 5; second += 1) await clock.advance(1_001);
  expect(counts).toEqual({ spent: 6, given: 0 });
  queue.stop();
});

test('a second caller whose wait is over leaves the first one its turn', async () => {
  const fixture = await budgetWithoutCalls({ user: 60_000, monitor: 500 });
  const { clock, counts, turns } = fixture;
  const shared = turns();
  shared.add(LIGHT);
  const outcome = outcomeOf(fixture, shared);
  shared.add(CHECK);
  await clock.advance(0);
  await clock.advance(600);
  expect(outcome).toEqual({});
  await clock.advance(500);
  expect(outcome.atMs).toBeDefined();
  expect(counts.spent).toBe(1);
});

test('only when every caller is refused does the look-up end, with the soonest time to come back', async () => {
  const fixture = await budgetWithoutCalls({ user: 900, monitor: 900 });
  const { clock, turns } = fixture;
  await keepWaiting(fixture, HEAVY, 3);
  const shared = turns();
  shared.add(HEAVY);
  shared.add(LIGHT);
  const outcome = outcomeOf(fixture, shared);
  await clock.advance(1);
  expect(outcome.refusal).toBeInstanceOf(BudgetRefusal);
  expect((outcome.refusal as BudgetRefusal).retryAfterMs).toBeLessThan(3_003);
});

test('of turns that come at the same time one is used, and the others are given back', async () => {
  const clock = createManualClock();
  const released: string[] = [];
  const turns = createCallerTurns({
    clock,
    waitMs: { user: 1_000, monitor: 1_000 },
    // Each has a permit before any is known to have one.
    budget: {
      take: async (caller) => {
        const name = caller.source === 'user' ? caller.userId : 'check';
        return { done: () => undefined, release: () => void released.push(name), isExpired: () => false };
      },
    },
  });
  turns.add(CHECK);
  expect(turns.source()).toBe('monitor');
  turns.add(HEAVY);
  turns.add(LIGHT);
  expect(turns.source()).toBe('user');
  await turns.take();
  await clock.advance(0);
  expect(released).toEqual(['heavy', 'light']);
});

test('each caller waits for its own time over all turns, and none is entered after a turn was taken', async () => {
  const clock = createManualClock();
  const asked: [string, number][] = [];
  const refusals: BudgetRefusal[] = [];
  const turns = createCallerTurns({
    clock,
    waitMs: { user: 4_000, monitor: 2_500 },
    budget: {
      take: async (caller, withinMs) => {
        asked.push([caller.source === 'user' ? caller.userId : 'check', withinMs]);
        await clock.sleep(1_000);
        const refusal = refusals.shift();
        if (refusal) throw refusal;
        return { done: () => undefined, release: () => undefined, isExpired: () => false };
      },
    },
  });
  turns.add(CHECK);
  turns.add(HEAVY);
  refusals.push(new BudgetRefusal('busy', 9_000), new BudgetRefusal('busy', 7_000));
  const refused = turns.take().catch((error: unknown) => error);
  await clock.advance(1_000);
  expect(await refused).toMatchObject({ retryAfterMs: 7_000 });
  const taken = turns.take();
  await clock.advance(1_000);
  await taken;
  turns.add(LIGHT);
  expect(asked).toEqual([
    ['check', 2_500],
    ['heavy', 4_000],
    ['check', 1_500],
    ['heavy', 3_000],
  ]);
});

test('of two refusals the soonest counts, whichever comes first', async () => {
  for (const retryAfterMs of [
    [1, 2],
    [2, 1],
  ]) {
    const refusals = retryAfterMs.map((ms) => new BudgetRefusal('busy', ms));
    const budget = { take: () => Promise.reject(refusals.shift()) };
    const turns = createCallerTurns({ clock: createManualClock(), waitMs: { user: 0, monitor: 0 }, budget });
    turns.add(CHECK);
    turns.add(HEAVY);
    await expect(turns.take()).rejects.toMatchObject({ retryAfterMs: 1 });
  }
});
