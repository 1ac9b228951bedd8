import { randomUUID } from 'node:crypto';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { startTestRedisCluster } from '@casewatch/dev-stack/redis/redis-cluster';
import type { CallQueue } from '@casewatch/shared-state/call-queues/call-queue';
import { createRedisCallQueues, DONE_EVERY_MS } from '@casewatch/shared-state/call-queues/redis-call-queues';
import type { RedisCommands } from '@casewatch/shared-state/redis/redis-connection';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callQueueContract, type QueueUnderTest, user } from '../call-queue-contract.ts';

const logger = pino({ level: 'silent' });
/** All keys of a queue. */
const STATE = ['', ':tickets', ':members', ':ring', ':newcomers', ':state', ':processes', ':granted'];
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

  /** What the clock wakes asks Redis: an answer of the same node comes after all that was asked before. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await redis.exists(`${prefix}calls:{agency}`);
    await clock.advance(0);
  }

  /** The server's clock can't be moved, but everything that it knows can be made so much older. */
  async function pass(ms: number): Promise<void> {
    await settle();
    // Ends of calls that were not sent at once.
    await clock.advance(DONE_EVERY_MS);
    await settle();
    await makeOlder(ms);
    await clock.advance(ms - DONE_EVERY_MS);
    await settle();
  }

  async function makeOlder(ms: number): Promise<void> {
    const permits = `${prefix}calls:{agency}`;
    for (const member of await redis.zrange(permits, 0, '-1')) {
      if (member !== 'alive') await redis.zincrby(permits, -ms, String(member));
    }
    const state = `${permits}:state`;
    if (await redis.hexists(state, 'due')) await redis.hincrbyfloat(state, 'due', -ms);
  }

  async function open({ calls = 5, scheduledShare = 0.5 }): Promise<QueueUnderTest> {
    const queues = createRedisCallQueues({ redis, prefix, clock, logger });
    const queue = queues({ name: 'agency', calls, windowMs: 1_001, leaseMs: 2_000, scheduledShare });
    // A store that knows nothing holds every call back at first.
    await pass(3_100);
    return { queue, pass };
  }

  callQueueContract(open);

  /** Has each of `who` wait, and tells who was served so far. */
  function served(queue: CallQueue, who: readonly string[]): string[] {
    const order: string[] = [];
    for (const name of who) {
      queue.take(user(name), 60_000).then(
        (lease) => {
          order.push(name);
          lease.done();
        },
        () => undefined,
      );
    }
    return order;
  }

  test('when Redis loses its data in the middle of a round, no user waits for more than one round', async () => {
    const { queue } = await open({ calls: 1 });
    const order = served(queue, ['heavy', 'heavy', 'heavy', 'heavy', 'ada', 'bob']);
    await settle();
    await pass(1_050);
    expect(order).toEqual(['heavy', 'ada']);
    await redis.del(...STATE.map((part) => `${prefix}calls:{agency}${part}`));
    await settle();
    // Nothing is granted until all calls that it may have known have left their window.
    for (let second = 0; second < 2; second += 1) await pass(1_050);
    expect(order).toHaveLength(2);
    for (let second = 0; second < 6; second += 1) await pass(1_050);
    expect(order).toEqual(['heavy', 'ada', 'heavy', 'bob', 'heavy', 'heavy']);
    queue.stop();
  });

  test.each([
    ['forward', 1, 3_600_000],
    ['back', 3, -3_600_000],
  ])('a server whose clock jumps %s an hour grants calls again within %i s', async (_, seconds, ms) => {
    const { queue } = await open({ calls: 1 });
    const order = served(queue, ['ada', 'ada', 'ada']);
    await settle();
    expect(order).toEqual(['ada']);
    // What it knows is an hour older, or of an hour that is to come.
    await makeOlder(ms);
    for (let second = 0; second <= seconds; second += 1) await pass(1_050);
    expect(order.length).toBeGreaterThanOrEqual(2);
    queue.stop();
  });
});
