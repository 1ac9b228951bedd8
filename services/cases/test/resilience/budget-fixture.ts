import { randomUUID } from 'node:crypto';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import type { OwnTestRedis } from '@casewatch/dev-stack/redis/redis-server';
import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Budget } from '../../src/agency/budget.ts';
import type { BudgetRefusal } from '../../src/agency/budget-refusal.ts';
import type { BudgetCaller } from '../../src/domain/agency.ts';

/** One budget of several replicas, each as in a process of its own: one Redis for each test, one database for its file. */

const REPLICAS = 6;
const logger = pino({ level: 'silent' });
/** Between sending and answer; the call arrives anywhere in it. */
const TRIP_MS = 6;
const CHECK: BudgetCaller = { source: 'monitor' };
const weights = { free: 1, pro: 4 };
export const WINDOW_MS = 1_001;
export const LEASE_MS = 2_000;
export const CALLS_PER_SECOND = 10;
/** For tests that change how permits are counted. */
export const SCRIPTS = 'packages/shared-state/src/call-queues/redis-call-scripts.ts';

export const person = (nth = 1, tier: 'free' | 'pro' = 'free'): BudgetCaller => ({
  source: 'user',
  userId: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
  tier,
});

let server: OwnTestRedis;
let database: TestDatabase;
let pool: ReturnType<typeof createDatabasePool>['pool'];
let prefix: string;
let closers: (() => Promise<void>)[];

/** Starts what the replicas share, for the tests of the file that calls it. */
export function shareStores(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    ({ pool } = createDatabasePool({
      url: database.urlFor('cases'),
      service: 'cases',
      maximum: 6,
      logger,
    }));
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
}

/** The Redis of the test, to be killed and restarted. */
export const redisOfTest = () => server;
/** Where Redis keeps something about the calls. */
export const callsKey = (what: string) => `${prefix}calls:{agency}${what}`;
export const endFirstReplica = () => closers[0]?.();

/** The parts of a budget, mutated if the test mutates them. */
async function partsOfBudget() {
  const [queues, budget, metrics, quota, ledger] = await Promise.all([
    import('@casewatch/shared-state/call-queues/redis-call-queues'),
    import('../../src/agency/budget.ts'),
    import('../../src/agency/budget-metrics.ts'),
    import('../../src/agency/day-quota.ts'),
    import('../../src/data/pg-quota-ledger.ts'),
  ]);
  return { ...queues, ...budget, ...metrics, ...quota, ...ledger };
}

/** The budget of a process of its own: own connection, own waiting lines, own share of the day. */
export async function replica({
  callsPerSecond = CALLS_PER_SECOND,
  callsPerDay = 1_000_000,
} = {}): Promise<Budget> {
  const parts = await partsOfBudget();
  const redis = await connectedRedis(server.url);
  const queue = parts.createRedisCallQueues({ redis, prefix, clock: systemClock, logger })({
    name: 'agency',
    calls: callsPerSecond,
    windowMs: WINDOW_MS,
    leaseMs: LEASE_MS,
    scheduledShare: 0.5,
  });
  const ledger = parts.createQuotaLedger(pool);
  const budget = parts.createBudget({
    clock: systemClock,
    queue,
    quota: parts.createDayQuota({ clock: systemClock, callsPerDay, monitoringShare: 0.5, weights, ledger }),
    weights,
    metrics: parts.createBudgetMetrics(noTelemetry.meter, queue),
  });
  closers.push(async () => {
    await budget.stop();
    redis.disconnect();
  });
  return budget;
}

export const replicas = (limits?: Parameters<typeof replica>[0]) =>
  Promise.all(Array.from({ length: REPLICAS }, () => replica(limits)));

/** Calls one after the other for as long as it may, and notes when each arrived at the agency. */
export function keepCalling(budget: Budget, arrivals: number[], caller = CHECK) {
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
        if (!isRefusal(refusal)) throw refusal;
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

/** Also one of a class that was imported again. */
const isRefusal = (error: unknown): error is BudgetRefusal =>
  error instanceof Error && error.name === 'BudgetRefusal';

/** Ends the callers at once: what they wait for is refused. */
export async function endAll(
  budgets: readonly Budget[],
  callers: readonly ReturnType<typeof keepCalling>[],
): Promise<void> {
  const ended = callers.map((caller) => caller.end());
  await Promise.all(budgets.map((budget) => budget.stop()));
  await Promise.all(ended);
}

export function mostInAnySecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
}

/** The wait that a store without data begins with is not what this test is about. */
export async function skipTheFirstWait(): Promise<void> {
  const budget = await replica();
  const redis = await connectedRedis(server.url);
  await budget.take(person(), 0).catch(() => undefined);
  await redis.zrem(callsKey(''), 'pause');
  redis.disconnect();
}
