import { startTestRedisCluster } from '@casewatch/dev-stack/redis/redis-cluster';
import { startTestRedisSentinel } from '@casewatch/dev-stack/redis/redis-sentinel';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openRedisState } from '../../src/redis-state.ts';
import type { SharedState } from '../../src/shared-state.ts';

const logger = pino({ level: 'silent' });
/** Sentinels rest for half a minute when a busy machine made them miss their own clock. */
const HEALS_WITHIN_MS = 90_000;
const TEST_TIMEOUT_MS = 240_000;

let stop: () => Promise<void> = async () => undefined;
afterEach(async () => {
  await stop();
  stop = async () => undefined;
});

/** The shared state on a store of its own. */
async function open<Store extends { readonly url: string; stop(): Promise<void> }>(
  start: () => Promise<Store>,
) {
  const store = await start();
  const state = await openRedisState({ url: store.url, logger });
  stop = async () => {
    await state.stop();
    await store.stop();
  };
  await vi.waitFor(() => expect(state.invalidation.isSubscribed()).toBe(true), { timeout: HEALS_WITHIN_MS });
  return { store, state };
}

/** Everything that replicas share does what it should, for names that lie in every part of the keys. */
async function works({ limiters, invalidation }: SharedState, round: string): Promise<void> {
  for (let name = 0; name < 12; name++) {
    const limiter = limiters({ name: `rule-${round}-${name}`, points: 1, perSeconds: 600 });
    expect(await limiter.take('a')).toBeUndefined();
    expect(await limiter.take('a')).toBeGreaterThan(0);
  }
  const received: unknown[] = [];
  invalidation.subscribe({ onStale: (what) => received.push(what), onGap: () => undefined });
  await vi.waitFor(
    () => {
      invalidation.publish({ userId: round });
      expect(received).toContainEqual({ userId: round });
    },
    { timeout: HEALS_WITHIN_MS, interval: 200 },
  );
}

/** Every round has names of its own: what an earlier one took stays taken. */
let round = 0;
const comesToWork = (state: SharedState) =>
  vi.waitFor(() => works(state, `round-${++round}`), { timeout: HEALS_WITHIN_MS, interval: 200 });
const duringOutage = { name: 'guards a secret', points: 1, perSeconds: 60 };

describe('behind Sentinel', () => {
  test(
    'a master that is killed is followed by its replica; until then what can not be counted is refused',
    async () => {
      const { store, state } = await open(startTestRedisSentinel);
      await comesToWork(state);
      await store.killMaster();
      await expect(state.limiters(duringOutage).take('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await comesToWork(state);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'a master that was demoted to a replica is left for the new master',
    async () => {
      const { store, state } = await open(startTestRedisSentinel);
      await store.swap();
      await comesToWork(state);
      // Also later, when every connection knows the master.
      await works(state, 'after');
    },
    TEST_TIMEOUT_MS,
  );
});

describe('on a cluster', () => {
  test(
    'everything works wherever a key lies; with a node down it is refused, and works again when the node is back',
    async () => {
      const { store, state } = await open(startTestRedisCluster);
      await comesToWork(state);
      const [node] = store.nodes;
      await node?.kill();
      const refused = async () => {
        for (let name = 0; name < 12; name++) await state.limiters(duringOutage).peek(`${name}`);
      };
      await vi.waitFor(() => expect(refused()).rejects.toMatchObject({ code: 'UNAVAILABLE' }), {
        timeout: HEALS_WITHIN_MS,
      });
      await node?.restart();
      await comesToWork(state);
    },
    TEST_TIMEOUT_MS,
  );
});
