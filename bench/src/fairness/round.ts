import { randomUUID } from 'node:crypto';
import { type Budget, createBudget } from '@casewatch/cases/agency/budget';
import { createBudgetMetrics } from '@casewatch/cases/agency/budget-metrics';
import { BudgetRefusal } from '@casewatch/cases/agency/budget-refusal';
import { createDayQuota, type QuotaLedger } from '@casewatch/cases/agency/day-quota';
import type { BudgetCaller } from '@casewatch/cases/domain/agency';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { CallQueues } from '@casewatch/shared-state/call-queues/call-queue';
import { createMemoryCallQueues } from '@casewatch/shared-state/call-queues/memory-call-queues';
import { createRedisCallQueues } from '@casewatch/shared-state/call-queues/redis-call-queues';
import { openRedis, untilConnected } from '@casewatch/shared-state/redis/redis-connection';

/** One round of `bench:fairness` in a process of its own: prints its figures as one line of JSON. */
const CALLS_PER_SECOND = 20;
const LIGHT_USERS = 20;
const LIGHT_SHARE = 0.4;
const HEAVY_LOOPS = 100;
const MONITOR_LOOPS = 60;
const ANSWER_MS = 5;
const WAIT_MS = { user: 4_000, monitor: 2_500 };
const REPLICAS = 3;
/** A store that knows nothing holds calls back for three seconds; then the queue has to fill. */
const WARM_UP_MS = 6_000;
const MEASURED_MS = Number(process.env.SECONDS ?? 30) * 1_000;
const WITH_HEAVY = process.env.HEAVY === '1';
const REDIS_URL = process.env.REDIS_URL;

const weights = { free: 1, pro: 4 };
const closers: (() => void)[] = [];
const budgets = await openBudgets();
const counts = { light: 0, heavy: 0, monitor: 0, refused: 0 };
const waitsMs: number[] = [];
/** When each measured call was granted. */
const grantedMs: number[] = [];
let measuring = false;
let going = true;

const loops = [
  ...Array.from({ length: LIGHT_USERS }, (_, nth) => light(nth)),
  ...(WITH_HEAVY ? Array.from({ length: HEAVY_LOOPS }, (_, nth) => busy('heavy', person(999), nth)) : []),
  ...Array.from({ length: MONITOR_LOOPS }, (_, nth) => busy('monitor', { source: 'monitor' }, nth)),
];
await systemClock.sleep(WARM_UP_MS);
measuring = true;
const cpu = process.cpuUsage();
await systemClock.sleep(MEASURED_MS);
measuring = false;
const used = process.cpuUsage(cpu);
going = false;
for (const budget of budgets) await budget.stop();
await Promise.all(loops);
for (const close of closers) close();

const made = counts.light + counts.heavy + counts.monitor;
console.log(
  `figures ${JSON.stringify({
    ...counts,
    p95WaitMs: waitsMs.sort((a, b) => a - b)[Math.floor(waitsMs.length * 0.95)] ?? 0,
    roundMs: ((LIGHT_USERS + 1 + (WITH_HEAVY ? 1 : 0)) / CALLS_PER_SECOND) * 1_000,
    usedShare: usedShare(grantedMs),
    p50WaitMs: waitsMs[Math.floor(waitsMs.length * 0.5)] ?? 0,
    monitorShare: counts.monitor / made,
    cpuSeconds: (used.user + used.system) / 1e6,
  })}`,
);

/**
 * The share of the allowed calls that were made: by the mean time that half of them took, from each on. Calls may come in
 * bursts, so that the number within a fixed time depends on where it begins.
 */
function usedShare(times: readonly number[]): number {
  const half = Math.floor(times.length / 2);
  const spans = times.slice(half).map((time, nth) => time - (times[nth] ?? time));
  const meanMs = spans.reduce((sum, span) => sum + span, 0) / spans.length;
  return (half * 1_000) / (CALLS_PER_SECOND * meanMs);
}

async function openBudgets(): Promise<Budget[]> {
  const logger = createLogger({ level: 'error', name: 'bench' });
  if (!REDIS_URL) return [budgetOn(createMemoryCallQueues(systemClock))];
  const prefix = `bench-${randomUUID()}:`;
  const replicas: Budget[] = [];
  for (let replica = 0; replica < REPLICAS; replica += 1) {
    const redis = openRedis({ url: REDIS_URL, logger });
    await untilConnected(redis, 5_000);
    closers.push(() => redis.disconnect());
    replicas.push(budgetOn(createRedisCallQueues({ redis, prefix, clock: systemClock, logger })));
  }
  return replicas;
}

function budgetOn(queues: CallQueues): Budget {
  const queue = queues({
    name: 'agency',
    calls: CALLS_PER_SECOND,
    windowMs: 1_001,
    leaseMs: 2_000,
    scheduledShare: 0.5,
  });
  // The day is not what this measures: it has calls for all.
  const ledger: QuotaLedger = {
    update: async (_day, _userId, decide) => void decide({ calls: 0, monitorCalls: 0, userCalls: 0 }),
  };
  const clock = systemClock;
  const quota = createDayQuota({ clock, callsPerDay: 1e9, monitoringShare: 0.5, weights, ledger });
  return createBudget({
    clock,
    queue,
    quota,
    weights,
    metrics: createBudgetMetrics(noTelemetry.meter, queue),
  });
}

/**
 * Asks now and then, all of them together for their share of the allowed rate. As a person at the screen does, it asks for
 * the next case when the last one is answered, at once if that was late.
 */
async function light(nth: number): Promise<void> {
  const meanMs = (LIGHT_USERS / (CALLS_PER_SECOND * LIGHT_SHARE)) * 1_000;
  let nextMs = performance.now();
  while (going) {
    nextMs += -Math.log(1 - Math.random()) * meanMs;
    const pauseMs = nextMs - performance.now();
    if (pauseMs > 0) await systemClock.sleep(pauseMs);
    else nextMs = performance.now();
    if (going) await call('light', person(nth, nth % 4 === 0 ? 'pro' : 'free'), nth);
  }
}

/** As many calls as it can get. */
async function busy(role: 'heavy' | 'monitor', caller: BudgetCaller, nth: number): Promise<void> {
  while (going) if (!(await call(role, caller, nth))) await systemClock.sleep(50);
}

async function call(
  role: 'light' | 'heavy' | 'monitor',
  caller: BudgetCaller,
  nth: number,
): Promise<boolean> {
  const budget = budgets[nth % budgets.length];
  const askedMs = performance.now();
  const measured = measuring;
  try {
    const lease = await budget?.take(caller, WAIT_MS[caller.source]);
    if (measuring) grantedMs.push(performance.now());
    if (role === 'light' && measured) waitsMs.push(performance.now() - askedMs);
    await systemClock.sleep(ANSWER_MS);
    lease?.done();
    if (measuring) counts[role] += 1;
    return true;
  } catch (error) {
    if (!(error instanceof BudgetRefusal)) throw error;
    if (role === 'light' && measured && going) counts.refused += 1;
    return false;
  }
}

function person(nth: number, tier: 'free' | 'pro' = 'free'): BudgetCaller {
  return { source: 'user', userId: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`, tier };
}
