import type { Mutation } from '@casewatch/testing/mutation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKS_IN_FLIGHT, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { effectsOf } from '../faults/effects.ts';
import { WITHOUT_THE_INBOX } from '../faults/mutations.ts';
import { beginRound, type Round } from '../faults/rounds.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R4: every topic is read again from offset 0. */

let product: WatchedProduct;
let round: Round;
beforeAll(async () => {
  product = await startWatchedProduct({ shape: 'kafka' });
  round = await beginRound(product, 1, CHECKS_IN_FLIGHT);
  if (!(await product.settles(60_000))) throw new Error(product.logs());
}, TEST_TIMEOUT_MS);
afterAll(() => product.stop());

/** Ends every member, resets its group's offsets, and starts all again with the mutations applied. */
async function replayEverything(mutations: readonly Mutation[]) {
  await Promise.all(product.victims.map((victim) => victim.kill('SIGTERM')));
  await product.kafka?.rewind();
  expect((await product.kafka?.lag())?.behind).toBeGreaterThanOrEqual(3 * CHECKS_IN_FLIGHT);
  await Promise.all(product.victims.map((victim) => product.restart(victim, mutations)));
  expect(await product.settles(60_000)).toBe(true);
}

test('R4: a replay of every topic from offset 0 has no new effect', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const before = await effectsOf(product);
  await replayEverything([]);
  expect(await effectsOf(product)).toEqual(before);
  expect(await round.verdict()).toEqual({ missing: 0, doubled: 0 });
});

test('R4, shown able to fail: without the memory of what was handled every notification doubles', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const before = await effectsOf(product);
  await replayEverything(WITHOUT_THE_INBOX);
  expect(await effectsOf(product)).not.toEqual(before);
  expect((await round.verdict()).doubled).toBeGreaterThan(CHECKS_IN_FLIGHT);
});
