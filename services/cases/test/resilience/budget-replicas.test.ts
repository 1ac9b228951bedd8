import { randomUUID } from 'node:crypto';
import { createRedisCallWindows } from '@casewatch/platform/cache/redis-call-windows';
import { openRedis, untilConnected } from '@casewatch/platform/cache/redis-connection';
import { createDatabasePool } from '@casewatch/platform/db/prisma-adapter';
import { systemClock } from '@casewatch/platform/runtime/clock';
import { type OwnTestRedis, startOwnTestRedis } from '@casewatch/testing/redis';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Budget, BudgetRefusal } from '../../src/agency/budget.ts';
import { createDayQuota } from '../../src/agency/day-quota.ts';
import { createSharedBudget } from '../../src/agency/shared-budget.ts';
import { createQuotaLedger } from '../../src/data/pg-quota-ledger.ts';

const REPLICAS = 6;
const logger = pino({ level: 'silent' });
/** Between sending and answer; the call arrives anywhere in it. */
const TRIP_MS = 6;

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
  await database.query('DELETE FROM cases.agency_budget_days');
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
  const redis = openRedis({ url: server.url, logger });
  await untilConnected(redis, 5_000);
  const budget = createSharedBudget({
    clock: systemClock,
    logger,
    callsPerSecond,
    quota: createDayQuota({ clock: systemClock, callsPerDay, ledger: createQuotaLedger(pool) }),
    callWindows: createRedisCallWindows({ redis, prefix, logger }),
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
function keepCalling(budget: Budget, arrivals: number[]) {
  let going = true;
  const refusals = new Set<string>();
  async function run(): Promise<void> {
    while (going) {
      try {
        const lease = await budget.take('monitor', 10_000);
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
  const redis = openRedis({ url: server.url, logger });
  await untilConnected(redis, 5_000);
  await budget.take('user', 0).catch(() => undefined);
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
  await systemClock.sleep(50);
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
  const forChecks = callsPerDay * 0.9;
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
  expect(arrivals.length).toBeLessThanOrEqual(forChecks);
  expect(arrivals.length).toBeGreaterThanOrEqual(forChecks * 0.98);
}, 60_000);

test('while Redis is away there are no calls, and people hear at once', async () => {
  const budget = await replica();
  await skipTheFirstWait();
  (await budget.take('user', 0)).done();
  await server.kill();
  await expect(budget.take('user', 60_000)).rejects.toMatchObject({ reason: 'busy', retryAfterMs: 2_000 });
});

test('a pause told by one replica holds for all', async () => {
  const [one, other] = [await replica(), await replica()];
  await skipTheFirstWait();
  (await other.take('user', 0)).done();
  one.pause(60_000);
  await vi.waitFor(() =>
    expect(other.take('user', 5_000)).rejects.toMatchObject({
      reason: 'busy',
      retryAfterMs: expect.any(Number),
    }),
  );
});

test('a store that has lost its data gives no call before those that it knew of have left their second', async () => {
  const budget = await replica();
  const refusal: unknown = await budget.take('user', 2_000).catch((reason: unknown) => reason);
  expect(refusal).toMatchObject({ reason: 'busy' });
  expect((refusal as BudgetRefusal).retryAfterMs).toBeGreaterThan(2_900);
});

test('checks of other replicas step back while a person waits', async () => {
  const [forPeople, forChecks] = [await replica({ callsPerSecond: 1 }), await replica({ callsPerSecond: 1 })];
  await skipTheFirstWait();
  (await forPeople.take('user', 0)).done();
  const order: string[] = [];
  const checks = Array.from({ length: 5 }, () =>
    forChecks.take('monitor', 20_000).then((lease) => {
      order.push('check');
      lease.done();
    }),
  );
  await systemClock.sleep(300);
  (await forPeople.take('user', 5_000)).done();
  expect(order).toEqual([]);
  await Promise.all(checks);
}, 30_000);
