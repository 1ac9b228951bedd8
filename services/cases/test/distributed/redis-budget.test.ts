import { randomUUID } from 'node:crypto';
import { createRedisCallWindows } from '@casewatch/platform/cache/redis-call-windows';
import { openRedis, untilConnected } from '@casewatch/platform/cache/redis-connection';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import { startTestRedis } from '@casewatch/testing/redis';
import { startTestRedisCluster } from '@casewatch/testing/redis-cluster';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createDayQuota } from '../../src/agency/day-quota.ts';
import { createSharedBudget } from '../../src/agency/shared-budget.ts';
import { describeBudget, LATE_EVENING } from '../budget-contract.ts';
import { ledgerInMemory } from '../ledger-in-memory.ts';

const logger = pino({ level: 'silent' });

describe.each([
  ['a server', startTestRedis],
  ['a cluster', startTestRedisCluster],
])('a budget in Redis: %s', (_, start) => {
  let server: { readonly url: string; stop(): Promise<void> };
  let redis: ReturnType<typeof openRedis>;
  let clock: ManualClock;
  let prefix: string;
  beforeAll(async () => {
    server = await start();
    redis = openRedis({ url: server.url, logger });
    await untilConnected(redis, 5_000);
  });
  beforeEach(() => {
    clock = createManualClock(LATE_EVENING);
    prefix = `casewatch-test-${randomUUID()}:`;
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  /** What the clock wakes asks Redis, whose answers come within some real milliseconds. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await redis.ping();
    await clock.advance(0);
  }

  /** The server's clock can't be moved, but everything that it knows can be made so much older. */
  async function pass(ms: number): Promise<void> {
    await settle();
    const window = `${prefix}calls:{agency}`;
    for (const member of await redis.zrange(window, 0, '-1')) {
      if (member !== 'alive') await redis.zincrby(window, -ms, String(member));
    }
    await redis.del(`${window}:urgent`);
    await clock.advance(ms);
    await settle();
  }

  describeBudget(async ({ callsPerSecond = 5, callsPerDay = 1_000_000 }) => {
    const ledger = ledgerInMemory();
    const quota = createDayQuota({ clock, callsPerDay, ledger });
    const callWindows = createRedisCallWindows({ redis, prefix, logger });
    const budget = createSharedBudget({ clock, logger, callsPerSecond, quota, callWindows });
    // A store that knows nothing has everybody wait first.
    await budget.take('user', 0).catch(() => undefined);
    await pass(3_100);
    return { budget, ledger, pass };
  });
});
