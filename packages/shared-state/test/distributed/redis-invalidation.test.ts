import { randomUUID } from 'node:crypto';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { startTestRedisCluster, type TestRedisCluster } from '@casewatch/dev-stack/redis/redis-cluster';
import type { OwnTestRedis } from '@casewatch/dev-stack/redis/redis-server';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Invalidation } from '../../src/invalidation/invalidation.ts';
import { openRedisState } from '../../src/redis-state.ts';
import type { SharedState } from '../../src/shared-state.ts';
import { describeInvalidation, listenTo } from '../invalidation-contract.ts';

describe('invalidation over Redis', () => {
  const logger = pino({ level: 'silent' });
  const prefix = `casewatch-test-${randomUUID()}:`;
  const open: SharedState[] = [];
  let server: OwnTestRedis;
  beforeAll(async () => {
    server = await startOwnTestRedis();
  });
  afterEach(async () => {
    for (const state of open.splice(0)) await state.stop();
  });
  afterAll(() => server.stop());

  async function join(name = prefix): Promise<Invalidation> {
    const state = await openRedisState({ url: server.url, prefix: name, logger });
    open.push(state);
    await expect.poll(() => state.invalidation.isSubscribed()).toBe(true);
    return state.invalidation;
  }

  describeInvalidation(join);

  test('reaches every process of the product, and no other product', async () => {
    const teller = await join();
    const listeners = [listenTo(await join()), listenTo(await join())];
    const outsider = listenTo(await join(`casewatch-test-${randomUUID()}:`));
    teller.publish({ userId: 'u' });
    for (const { received } of listeners) await expect.poll(() => received).toEqual([{ userId: 'u' }]);
    expect(outsider.received).toEqual([]);
  });

  test('a listener learns of a gap after it was cut off, and receives again', async () => {
    const teller = await join();
    const cutOff = await join();
    const listener = listenTo(cutOff);
    await server.kill();
    await expect.poll(() => cutOff.isSubscribed()).toBe(false);
    expect(listener.gaps()).toBe(1);
    await server.restart();
    await vi.waitFor(() => expect(cutOff.isSubscribed() && teller.isSubscribed()).toBe(true), {
      timeout: 10_000,
    });
    expect(listener.gaps()).toBeGreaterThan(1);
    const received = () => {
      teller.publish({ userId: 'u' });
      return listener.received;
    };
    await expect.poll(received).toContainEqual({ userId: 'u' });
  });
});

const HEARS_WITHIN_MS = 30_000;

describe('invalidation over a Redis cluster', () => {
  const logger = pino({ level: 'silent' });
  const open: SharedState[] = [];
  let cluster: TestRedisCluster;
  beforeAll(async () => {
    cluster = await startTestRedisCluster();
  });
  afterEach(async () => {
    for (const state of open.splice(0)) await state.stop();
  });
  afterAll(() => cluster.stop());

  async function join(): Promise<Invalidation> {
    const state = await openRedisState({ url: cluster.url, logger });
    open.push(state);
    await vi.waitFor(() => expect(state.invalidation.isSubscribed()).toBe(true), {
      timeout: HEARS_WITHIN_MS,
    });
    return state.invalidation;
  }

  describeInvalidation(join, { inOrder: false });

  test('reaches every listener, whichever node it is connected to, also when that node is lost', async () => {
    const listeners = await Promise.all([1, 2, 3, 4].map(join));
    const subscribers = listeners.map(listenTo);
    await cluster.nodes[0]?.kill();
    // Those that listened to it know that they have missed some, and listen to another.
    await vi.waitFor(() => expect(listeners.every((listener) => listener.isSubscribed())).toBe(true), {
      timeout: HEARS_WITHIN_MS,
    });
    await cluster.nodes[0]?.restart();
    await vi.waitFor(
      () => {
        listeners[0]?.publish({ userId: 'u' });
        for (const { received } of subscribers) expect(received).toContainEqual({ userId: 'u' });
      },
      { timeout: HEARS_WITHIN_MS, interval: 200 },
    );
  }, 120_000);
});
