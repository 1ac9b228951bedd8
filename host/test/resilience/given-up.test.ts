import type { ProductProcess } from '@casewatch/dev-stack/processes/product-process';
import type { Mutation } from '@casewatch/testing/mutation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { beginRound } from '../faults/rounds.ts';
import { mustCome, until } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R1: a consumer that has failed permanently ends its process, so that it is restarted. */

const ENDS_WITHIN_MS = 10_000;
/** Longer than any broker allows: it refuses the member for good, and the client does not try again. */
const REFUSED_FOR_GOOD: readonly Mutation[] = [
  {
    file: 'messaging/src/kafka/kafka-bus.ts',
    find: 'options.sessionTimeoutMs ?? 6_000',
    replace: '2_000_000_000',
  },
];
const STAYS: readonly Mutation[] = [
  { file: 'host/src/main.ts', find: 'onFatal: (error) => {', replace: 'onFatal: (error) => { return;' },
];

let product: WatchedProduct;
let notifications: ProductProcess;
beforeAll(async () => {
  product = await startWatchedProduct({ shape: 'kafka' });
  const found = product.victims.find(({ name }) => name === 'notifications');
  if (!found) throw new Error('notifications was not started');
  notifications = found;
}, TEST_TIMEOUT_MS);
afterAll(() => product.stop());

/** Whether the process ends by itself once its consumer has failed. */
async function ends(mutations: readonly Mutation[]): Promise<boolean> {
  const refused = () => notifications.logs().split('kafka group: join refused').length;
  const before = refused();
  // It never becomes ready, and may end before anything is known of it.
  product.restart(notifications, mutations).catch(() => undefined);
  await mustCome('its consumer fails', async () => refused() > before);
  return until(ENDS_WITHIN_MS, async () => notifications.pid() === undefined);
}

test('R1: a Kafka consumer that has failed permanently ends its process; restarted, it handles the rest', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  expect(await ends(REFUSED_FOR_GOOD)).toBe(true);
  const { verdict } = await beginRound(product, 1, 20);
  await product.restart(notifications);
  expect(await product.settles(60_000)).toBe(true);
  expect(await verdict()).toEqual({ missing: 0, doubled: 0 });
});

test('R1, shown able to fail: a process that stays would handle nothing and look alive', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  expect(await ends([...REFUSED_FOR_GOOD, ...STAYS])).toBe(false);
  const { verdict } = await beginRound(product, 2, 20);
  expect(await product.settles(5_000)).toBe(false);
  expect((await verdict()).missing).toBe(40);
});
