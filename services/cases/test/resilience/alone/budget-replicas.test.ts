import { randomUUID } from 'node:crypto';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import type { OwnTestRedis } from '@casewatch/dev-stack/redis/redis-server';
import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { createRedisCallQueues } from '@casewatch/shared-state/call-queues/redis-call-queues';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Budget, createBudget } from '../../../src/agency/budget.ts';
import { createBudgetMetrics } from '../../../src/agency/budget-metrics.ts';
import { BudgetRefusal } from '../../../src/agency/budget-refusal.ts';
import { createDayQuota } from '../../../src/agency/day-quota.ts';
import { createQuotaLedger } from '../../../src/data/pg-quota-ledger.ts';
import type { BudgetCaller } from '../../../src/domain/agency.ts';

const REPLICAS = 6;
const DAY_MS = 86_400_000;
const logger = pino({ level: 'silent' });
/** Between sending and answer; the call arrives anywhere in it. */
const TRIP_MS = 6;
const CHECK: BudgetCaller = { source: 'monitor' };
const weights = { free: 1, pro: 4 };

const person = (nth = 1, tier: 'free' | 'pro' = 'free'): BudgetCaller => ({
  source: 'user',
  userId: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
  tier,
});

let server: OwnTestRedis;
let database: TestDatabase;
let pool: ReturnType<typeof createDatabasePool>['pool'];
let prefix: string;
let closers: (() => Promise<void>)[];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ pool } = createDatabasePool({ url: database.urlFor('cases'), service: 'cases', maximum: 6, logger }));
});
beforeEach(async () => {
  server = await startOwnTestRedis();
  prefix = `casewatch-test-${randomUUID()}:`;
  closers = [];
  await database.query('TRUNCATE cases.agency_budget_days, cases.agency_budget_users');
});
afterEach(async () => {
  for (const close of closers) await close();
  await server.stop();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The budget of a process of its own: own connection, own waiting lines, own share of the day. */
async function replica({ callsPerSecond = 10, callsPerDay = 1_000_000 } = {}): Promise<Budget> {
  const redis = await connectedRedis(server.url);
  const queue = createRedisCallQueues({ redis, prefix, clock: systemClock, logger })({
    name: 'agency',
    calls: callsPerSecond,
    windowMs: 1_001,
    leaseMs: 2_000,
    scheduledShare: 0.5,
  });
  const ledger = createQuotaLedger(pool);
  const budget = createBudget({
    clock: systemClock,
    queue,
    quota: createDayQuota({ clock: systemClock, callsPerDay, monitoringShare: 0.5, weights, ledger }),
    weights,
    metrics: createBudgetMetrics(noTelemetry.meter, queue),
  });
  closers.push(async () => {
    await budget.stop();
    redis.disconnect();
  });
  return budget;
}

const replicas = (limits: Parameters<typeof replica>[0]) =>
  Promise.all(Array.from({ length: REPLICAS }, () => replica(limits)));

/** Calls one after the other for as long as it may, and notes when each arrived at the agency. */
function keepCalling(budget: Budget, arrivals: number[], caller = CHECK) {
  let going = true;
  const refusals = new Set<string>();
  async function run(): Promise<void> {
    while (going) {
      try {
        const lease = await budget.take(caller, 10_000);
        const beforeMs = Math.random() * TRIP_MS;
        await systemClock.sleep(beforeMs);
        arrivals.push(performance.now());
        await systemClock.sleep(TRIP_MS - beforeMs);
        lease.done();
      } catch (refusal) {
        if (!(refusal instanceof BudgetRefusal)) throw refusal;
        refusals.add(refusal.reason);
        await systemClock.sleep(20);
      }
    }
  }
  const done = run();
  return {
    refusals,
    end: () => {
      going = false;
      return done;
    },
  };
}

function mostInAnySecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
}

/** The wait that a store without data begins with is not what this test is about. */
async function skipTheFirstWait(): Promise<void> {
  const budget = await replica();
  const redis = await connectedRedis(server.url);
  await budget.take(person(), 0).catch(() => undefined);
  await redis.zrem(`${prefix}calls:{agency}`, 'pause');
  redis.disconnect();
}

test('six replicas together never pass N in a second, also across a restart of Redis, and use 98 % of it', async () => {
  const callsPerSecond = 10;
  const budgets = await replicas({ callsPerSecond });
  const arrivals: number[] = [];
  const callers = budgets.flatMap((budget) => Array.from({ length: 6 }, () => keepCalling(budget, arrivals)));
  const seconds = 4;

  async function measure(): Promise<number> {
    const before = arrivals.length;
    await vi.waitFor(() => expect(arrivals.length).toBeGreaterThan(before), { timeout: 6_000, interval: 5 });
    const startedMs = arrivals[before] ?? 0;
    await systemClock.sleep(startedMs + seconds * 1_000 - performance.now());
    return arrivals.length - before;
  }

  const first = await measure();
  // Just after calls, and back as fast as it can be: at the agency they still count.
  const before = arrivals.length;
  await vi.waitFor(() => expect(arrivals.length).toBeGreaterThan(before), { timeout: 2_000, interval: 5 });
  await server.kill();
  await server.restart();
  // One that starts now remembers nothing of them; the others still wait for their second to be over.
  const newcomer = await replica({ callsPerSecond });
  callers.push(...Array.from({ length: 12 }, () => keepCalling(newcomer, arrivals)));
  const second = await measure();
  await Promise.all(callers.map((caller) => caller.end()));

  expect(mostInAnySecond(arrivals)).toBeLessThanOrEqual(callsPerSecond);
  const due = Math.floor(callsPerSecond * seconds * 0.98);
  expect(first).toBeGreaterThanOrEqual(due);
  expect(second).toBeGreaterThanOrEqual(due);
}, 60_000);

test('the day’s calls are never passed by six replicas, also across a restart of Redis', async () => {
  const callsPerDay = 300;
  const budgets = await replicas({ callsPerSecond: 1_000, callsPerDay });
  // People's half accrues over the day: what has accrued and is not used is for checks.
  const forChecks = () => callsPerDay * (0.5 + (0.5 * (Date.now() % DAY_MS)) / DAY_MS);
  const arrivals: number[] = [];
  await skipTheFirstWait();
  const callers = budgets.map((budget) => keepCalling(budget, arrivals));
  await vi.waitFor(() => expect(arrivals.length).toBeGreaterThan(100), { timeout: 10_000 });
  await server.kill();
  await server.restart();
  await skipTheFirstWait();
  await vi.waitFor(() => expect(callers.every(({ refusals }) => refusals.has('spent'))).toBe(true), {
    timeout: 20_000,
  });
  await Promise.all(callers.map((caller) => caller.end()));
  expect(arrivals.length).toBeLessThanOrEqual(forChecks());
  expect(arrivals.length).toBeGreaterThanOrEqual(forChecks() * 0.98 - 1);
}, 60_000);

test('while Redis is unavailable there are no calls, and users get an answer at once', async () => {
  const budget = await replica();
  await skipTheFirstWait();
  (await budget.take(person(), 0)).done();
  await server.kill();
  await expect(budget.take(person(), 60_000)).rejects.toMatchObject({
    reason: 'unavailable',
    retryAfterMs: 2_000,
  });
});

test('a pause published by one replica holds for all', async () => {
  const [one, other] = [await replica(), await replica()];
  await skipTheFirstWait();
  (await other.take(person(), 0)).done();
  one.pause(60_000);
  const refusal = () =>
    other.take(person(), 5_000).then(
      () => 'none',
      (error) => error,
    );
  await expect.poll(refusal).toMatchObject({ reason: 'busy', retryAfterMs: expect.any(Number) });
});

test('a store that has lost its data gives no call before those that it knew of have left their second', async () => {
  const budget = await replica();
  const refusal: unknown = await budget.take(person(), 2_000).catch((reason: unknown) => reason);
  expect(refusal).toMatchObject({ reason: 'busy' });
  expect((refusal as BudgetRefusal).retryAfterMs).toBeGreaterThan(2_900);
});

test('a user whose requests are spread over all replicas is one participant, and checks keep their share', async () => {
  const callsPerSecond = 10;
  const budgets = await replicas({ callsPerSecond });
  await skipTheFirstWait();
  const [heavy, light, checks]: number[][] = [[], [], []];
  if (!heavy || !light || !checks) throw new Error('three lists');
  const [first] = budgets;
  if (!first) throw new Error('no replica');
  const callers = [
    ...budgets.flatMap((budget) => Array.from({ length: 10 }, () => keepCalling(budget, heavy, person(1)))),
    ...Array.from({ length: 10 }, () => keepCalling(first, light, person(2))),
    ...budgets.flatMap((budget) => Array.from({ length: 3 }, () => keepCalling(budget, checks))),
  ];
  const counts = () => ({ heavy: heavy.length, light: light.length, checks: checks.length });
  const reach = (all: number) =>
    vi.waitFor(() => expect(heavy.length + light.length + checks.length).toBeGreaterThan(all), {
      timeout: 30_000,
    });
  // Those that came first have the first second alone.
  await reach(30);
  const before = counts();
  await reach(100);
  const after = counts();
  // What still waits is served before the loops end.
  await Promise.all(callers.map((caller) => caller.end()));
  const [heavyCalls, lightCalls, checkCalls] = [
    after.heavy - before.heavy,
    after.light - before.light,
    after.checks - before.checks,
  ];
  expect(Math.abs(heavyCalls - lightCalls)).toBeLessThanOrEqual(4);
  expect(Math.abs(checkCalls - heavyCalls - lightCalls)).toBeLessThanOrEqual(4);
  expect(mostInAnySecond([...heavy, ...light, ...checks])).toBeLessThanOrEqual(callsPerSecond);
}, 60_000);

test('a newcomer at another replica waits one round, not for all that a heavy user has waiting', async () => {
  const [one, other] = [await replica({ callsPerSecond: 2 }), await replica({ callsPerSecond: 2 })];
  await skipTheFirstWait();
  const served: string[] = [];
  const call = async (budget: Budget, caller: BudgetCaller, name: string) => {
    const lease = await budget.take(caller, 4_000);
    served.push(name);
    lease.done();
  };
  const heavy = Array.from({ length: 12 }, () => call(one, person(1), 'heavy').catch(() => undefined));
  await expect.poll(() => served).toHaveLength(2);
  await call(other, person(2), 'light');
  expect(served.indexOf('light')).toBeLessThanOrEqual(4);
  await Promise.all(heavy);
}, 30_000);

test('calls that wait when Redis loses its data are served after it, without asking again', async () => {
  const budget = await replica({ callsPerSecond: 2 });
  await skipTheFirstWait();
  for (const _ of [1, 2]) (await budget.take(person(), 0)).done();
  const waiting = [budget.take(person(1), 10_000), budget.take(person(2), 10_000)];
  const redis = await connectedRedis(server.url);
  await redis.flushall();
  redis.disconnect();
  for (const lease of await Promise.all(waiting)) lease.done();
}, 30_000);

test('the calls of a process that died delay no others', async () => {
  const [gone, other] = [await replica({ callsPerSecond: 1 }), await replica({ callsPerSecond: 1 })];
  await skipTheFirstWait();
  (await other.take(person(), 0)).done();
  for (let nth = 1; nth <= 8; nth += 1) gone.take(person(nth), 60_000).catch(() => undefined);
  const redis = await connectedRedis(server.url);
  await expect.poll(() => redis.zcard(`${prefix}calls:{agency}:tickets`)).toBe(8);
  redis.disconnect();
  // Its connection ends, as it does when the process is killed: nothing is taken back.
  await closers[0]?.();
  const askedMs = performance.now();
  (await other.take(person(99), 10_000)).done();
  expect(performance.now() - askedMs).toBeLessThan(4_000);
}, 30_000);
