import { createMemoryCallQueues } from '@casewatch/shared-state/call-queues/memory-call-queues';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Budget, createBudget } from '../src/agency/budget.ts';
import { createBudgetMetrics } from '../src/agency/budget-metrics.ts';
import { createDayQuota } from '../src/agency/day-quota.ts';
import type { BudgetCaller } from '../src/domain/agency.ts';

const ADA: BudgetCaller = { source: 'user', userId: 'ada-of-the-metrics', tier: 'free' };
const CHECK: BudgetCaller = { source: 'monitor' };
const WAITS = 'casewatch_agency_budget_wait_seconds';
const REFUSALS = 'casewatch_agency_budget_refusals_total';
const DEPTH = 'casewatch_agency_budget_queue_depth';

let telemetry: Awaited<ReturnType<typeof startScraped>>;
let clock: ReturnType<typeof createManualClock>;
let budget: Budget;
/** Calls of the day that are made. */
let calls: number;

beforeEach(async () => {
  telemetry = await startScraped();
  clock = createManualClock();
  calls = 0;
  const rule = { name: 'agency', calls: 1, windowMs: 1_001, leaseMs: 2_000, scheduledShare: 0.5 };
  const queue = createMemoryCallQueues(clock)(rule);
  const weights = { free: 1, pro: 4 };
  const quota = createDayQuota({
    clock,
    callsPerDay: 100,
    monitoringShare: 0,
    weights,
    ledger: { update: async (_, __, decide) => void decide({ calls, monitorCalls: 0, userCalls: 0 }) },
  });
  const metrics = createBudgetMetrics(telemetry.meter, queue);
  budget = createBudget({ clock, queue, quota, weights, metrics });
});
afterEach(async () => {
  await budget.stop();
  await telemetry.stop();
});

test('refusals are there from the start, so that a rate has a beginning', async () => {
  expect(await telemetry.scrape()).toMatchObject({
    [`${REFUSALS}{reason="second"}`]: 0,
    [`${REFUSALS}{reason="day"}`]: 0,
    [`${REFUSALS}{reason="unavailable"}`]: 0,
  });
});

test('waiting calls are reported by source, and their waits when they are granted', async () => {
  (await budget.take(CHECK, 0)).done();
  const waiting = [budget.take(ADA, 5_000), budget.take(ADA, 5_000), budget.take(CHECK, 5_000)];
  for (const one of waiting) void one.then((lease) => lease.done());
  await clock.advance(0);
  expect(await telemetry.scrape()).toMatchObject({
    [`${DEPTH}{source="user"}`]: 2,
    [`${DEPTH}{source="monitor"}`]: 1,
  });
  for (let second = 0; second < 4; second += 1) await clock.advance(1_001);
  await Promise.all(waiting);
  const metrics = await telemetry.scrape();
  expect(metrics).toMatchObject({
    [`${DEPTH}{source="user"}`]: 0,
    [`${DEPTH}{source="monitor"}`]: 0,
    [`${WAITS}_count{source="user"}`]: 2,
    [`${WAITS}_count{source="monitor"}`]: 2,
    [`${WAITS}_bucket{source="monitor",le="0.005"}`]: 1,
  });
  // Seconds: the three of them waited for one, two and three windows.
  const sum =
    (metrics[`${WAITS}_sum{source="user"}`] ?? 0) + (metrics[`${WAITS}_sum{source="monitor"}`] ?? 0);
  expect(sum).toBeCloseTo(6.006, 2);
  expect(Object.keys(metrics).join()).not.toContain('ada-of-the-metrics');
});

test('a refusal for the second and one for the day are counted apart; a caller that gives up is none', async () => {
  (await budget.take(CHECK, 0)).done();
  await expect(budget.take(ADA, 0)).rejects.toMatchObject({ reason: 'busy' });
  const leaving = new AbortController();
  const given = budget.take(ADA, 5_000, leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  calls = 100;
  await clock.advance(1_001);
  await expect(budget.take(ADA, 0)).rejects.toMatchObject({ reason: 'spent' });
  expect(await telemetry.scrape()).toMatchObject({
    [`${REFUSALS}{reason="second"}`]: 1,
    [`${REFUSALS}{reason="day"}`]: 1,
  });
});
