import { randomUUID } from 'node:crypto';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { startTestRedisCluster } from '@casewatch/dev-stack/redis/redis-cluster';
import { createRedisCallQueues } from '@casewatch/shared-state/call-queues/redis-call-queues';
import type { RedisCommands } from '@casewatch/shared-state/redis/redis-connection';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { callQueueContract } from '../call-queue-contract.ts';

const logger = pino({ level: 'silent' });
const START_MS = Date.parse('2026-01-05T12:00:00Z');

describe.each([
  ['a server', startTestRedis],
  ['a cluster', startTestRedisCluster],
])('a queue of calls in Redis: %s', (_, start) => {
  let server: { readonly url: string; stop(): Promise<void> };
  let redis: RedisCommands;
  let clock: ManualClock;
  let prefix: string;
  beforeAll(async () => {
    server = await start();
    redis = await connectedRedis(server.url);
  });
  beforeEach(() => {
    clock = createManualClock(START_MS);
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
    const permits = `${prefix}calls:{agency}`;
    for (const member of await redis.zrange(permits, 0, '-1')) {
      if (member !== 'alive') await redis.zincrby(permits, -ms, String(member));
    }
    await clock.advance(ms);
    await settle();
  }

  callQueueContract(async ({ calls = 5, scheduledShare = 0.5 }) => {
    const queues = createRedisCallQueues({ redis, prefix, clock, logger });
    const queue = queues({ name: 'agency', calls, windowMs: 1_001, leaseMs: 2_000, scheduledShare });
    // A store that knows nothing holds every call back at first.
    await pass(3_100);
    return { queue, pass };
  });
});
