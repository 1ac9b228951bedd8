import type { ProductProcess } from '@casewatch/dev-stack/processes/product-process';
import type { Mutation } from '@casewatch/testing/mutation';
import { afterEach, describe, expect, test } from 'vitest';
import { CHECKS_IN_FLIGHT, KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import {
  OFFSETS_COMMITTED_LATE,
  WITHOUT_THE_INBOX,
  WITHOUT_THE_LEASE,
  WITHOUT_THE_TRANSACTION,
} from '../faults/mutations.ts';
import { beginRound, type Verdict } from '../faults/rounds.ts';
import { mustCome } from '../faults/until.ts';
import { type Shape, startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R1: whatever is killed in the middle of its work, every change ends as one notification for each watcher. */

const KEPT: Verdict = { missing: 0, doubled: 0 };
const SETTLES_WITHIN_MS = 120_000;
const SHOWN_LOST_AFTER_MS = 12_000;

let product: WatchedProduct;
afterEach(() => product.stop());

const start = (shape: Shape, mutations: readonly Mutation[] = []) =>
  startWatchedProduct({ shape, mutations, callsPerSecond: CHECKS_IN_FLIGHT / 2 });

interface Kill {
  victim: ProductProcess;
  /** Numbers of cases are its own. */
  nth: number;
  /** Of the process that is started again. */
  mutations?: readonly Mutation[];
  withinMs?: number;
}

/** Kills a process while checks are in flight, starts it again, and waits for everything to be handled. */
async function kill({ victim, nth, mutations = [], withinMs = SETTLES_WITHIN_MS }: Kill) {
  const { progress, verdict } = await beginRound(product, nth, CHECKS_IN_FLIGHT);
  // Another point each time, from the first notification on.
  const point = 0.01 + 0.4 * ((nth * 0.618_034) % 1);
  await mustCome(`${point} of the notifications`, async () => (await progress()) >= point);
  await victim.kill('SIGKILL');
  expect(await progress(), 'what is in flight at the kill').toBeLessThan(1);
  await product.restart(victim, mutations);
  const settled = await product.settles(withinMs);
  return { settled, ...(await verdict()) };
}

describe.each(['kafka', 'all-in-one'] as const)('in the shape %s', (shape) => {
  test(`R1: each killed ${KILL_ROUNDS} times with ${CHECKS_IN_FLIGHT} checks in flight: one notification for each watcher`, {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    product = await start(shape);
    let nth = 0;
    for (let round = 1; round <= KILL_ROUNDS; round++) {
      for (const victim of product.victims) {
        nth++;
        expect(await kill({ victim, nth }), `${victim.name}, round ${round}`).toEqual({
          settled: true,
          ...KEPT,
        });
      }
    }
  });
});

describe('R1, shown able to fail', () => {
  test('without the transaction of inbox and effect a kill breaks it', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    product = await start('kafka', WITHOUT_THE_TRANSACTION);
    const [victim] = product.of('monitoring');
    if (!victim) throw new Error('monitoring does not run');
    const { verdict } = await beginRound(product, 1, CHECKS_IN_FLIGHT);
    // A check that was not done would be made again, and find again what was lost.
    const undone = `SELECT 1 FROM monitoring.watches WHERE next_check_at < now() + interval '1 hour'`;
    await mustCome(
      'every check is done',
      async () => (await product.database.query(undone)).length === 0,
      100_000,
    );
    await victim.kill('SIGKILL');
    await product.restart(victim);
    expect(await product.settles(SETTLES_WITHIN_MS)).toBe(true);
    expect((await verdict()).missing).toBeGreaterThan(0);
  });

  test.each([
    [
      'the memory of what was handled',
      'kafka',
      'notifications',
      [...WITHOUT_THE_INBOX, ...OFFSETS_COMMITTED_LATE],
      'doubled',
    ],
    ['the end of a lease', 'all-in-one', 'all-in-one', WITHOUT_THE_LEASE, 'missing'],
  ] as const)(
    'without %s a kill breaks it',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async (_, shape, name, mutations, how) => {
      product = await start(shape, mutations);
      const [victim] = product.victims.filter((candidate) => candidate.name === name);
      if (!victim) throw new Error(`nothing is called ${name}`);
      const outcome = await kill({ victim, nth: 1, mutations, withinMs: SHOWN_LOST_AFTER_MS });
      expect(outcome[how]).toBeGreaterThan(0);
    },
  );
});
