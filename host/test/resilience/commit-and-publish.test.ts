import type { Mutation } from '@casewatch/testing/mutation';
import { afterEach, expect, test } from 'vitest';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { BEFORE_PUBLISHING, WITHOUT_THE_POLL } from '../faults/mutations.ts';
import { beginRound } from '../faults/rounds.ts';
import { mustCome, until } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R2: what was committed by a process that died before it published is out within 10 s of the next start. */

/** Of the ten seconds; a start takes two on a quiet machine, and as many as it takes on a busy one. */
const OUT_ONCE_READY_MS = 5_000;
const CASES = 20;

let product: WatchedProduct;
afterEach(() => product.stop());

test.each(['kafka', 'all-in-one'] as const)(
  'R2: killed between commit and publish, %s: the events are out within 10 s of a start, and without polling they would not be',
  {
    timeout: TEST_TIMEOUT_MS,
  },
  async (shape) => {
    product = await startWatchedProduct({ shape });
    const [victim] = product.victims;
    if (!victim) throw new Error('nothing was started');
    await product.restart(victim, BEFORE_PUBLISHING);
    const { verdict } = await beginRound(product, 1, CASES);
    const waiting = async () =>
      (await product.waitingIn('cases')).filter(({ topic }) => topic === 'case-observed').length;
    // A watch that is still claimed would be checked again, and that check's event would wake the relay.
    await mustCome(
      'every case is observed, every watch is settled, and nothing is out',
      async () => (await waiting()) === CASES && (await product.watchesDue()) === 0,
    );
    await victim.kill('SIGKILL');

    const isOutAfter = async (mutations?: readonly Mutation[]) => {
      const startedMs = performance.now();
      await product.restart(victim, mutations);
      const readyMs = performance.now();
      const out = await until(OUT_ONCE_READY_MS, async () => (await waiting()) === 0);
      const [start, rest] = [readyMs - startedMs, performance.now() - readyMs].map(Math.round);
      return { out, took: `ready after ${start} ms, watched for ${rest} ms` };
    };
    expect(await isOutAfter(WITHOUT_THE_POLL)).toMatchObject({ out: false });
    await victim.kill('SIGKILL');
    expect(await isOutAfter()).toMatchObject({ out: true });
    expect(await product.settles(60_000)).toBe(true);
    expect(await verdict()).toEqual({ missing: 0, doubled: 0 });
  },
);
