import type { Role } from '@casewatch/dev-stack/processes/product-processes';
import { mutatedBy } from '@casewatch/testing/mutation';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { controlOf } from '../../faults/agency-control.ts';
import { ROLLS_AT_ONCE, TEST_TIMEOUT_MS } from '../../faults/counts.ts';
import { whileChangesFlow } from '../../faults/flow.ts';
import { WITHOUT_LEAVING } from '../../faults/mutations.ts';
import { roll } from '../../faults/roll.ts';
import { receiptOf } from '../../faults/rounds.ts';
import { type SteadyLoad, settingsForLoad, startSteadyLoad } from '../../faults/steady-load.ts';
import { mustCome } from '../../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../../faults/watched-product.ts';

/** R8: every role is restarted replica by replica while people work, and none of them notices. */

const ROLES: readonly Role[] = [
  ...(['gateway', 'identity', 'cases', 'monitoring'] as const),
  ...(['notifications', 'billing', 'surveys', 'admin-log'] as const),
];
const PASSCODE = 'rolling-rolling';
const CHANGES_OF_A_ROUND = 5;
const SEEN_WITHIN_MS = 30_000;
/** Each over a connection of its own, so that either gateway has some of them. */
const LOOKUPS_AT_ONCE = 20;
const LOOKUP_TAKES_MS = 4_000;

let product: WatchedProduct;
let load: SteadyLoad;
beforeAll(async () => {
  product = await startWatchedProduct({
    shape: 'kafka',
    alsoRoles: ROLES,
    replicas: Object.fromEntries(ROLES.map((role) => [role, 2])),
    env: {
      ...settingsForLoad(PASSCODE),
    },
  });
}, TEST_TIMEOUT_MS);
afterEach(() => load.end());
afterAll(() => product.stop());

test('R8: every role and the gateway restarted replica by replica under load: no failed request, no change missed', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  load = await startSteadyLoad(product.url, { passcode: PASSCODE });
  await mustCome('the load runs', async () => load.answered() > 50);
  const rounds = await whileChangesFlow(
    product,
    { count: CHANGES_OF_A_ROUND, also: [load.userId] },
    async () => {
      for (let first = 0; first < ROLES.length; first += ROLLS_AT_ONCE) {
        await Promise.all(
          ROLES.slice(first, first + ROLLS_AT_ONCE).map((role) => roll(product.of(role), load)),
        );
      }
    },
  );
  expect(await product.settles(60_000)).toBe(true);
  const moved = rounds.flatMap((_, round) =>
    Array.from({ length: CHANGES_OF_A_ROUND }, (_, n) => receiptOf(1 + round, n)),
  );
  await mustCome(
    'the stream has brought all',
    async () => load.received.length >= moved.length,
    SEEN_WITHIN_MS,
  );
  await load.end();

  expect(load.failures).toEqual([]);
  expect(await Promise.all(rounds.map((round) => round.verdict()))).toEqual(
    rounds.map(() => ({ missing: 0, doubled: 0 })),
  );
  expect(load.received.toSorted()).toEqual(moved.toSorted());
});

test.each([
  ['killed instead of asked', 'SIGKILL', 1_001],
  ['asked, but ending without leaving and draining', 'SIGTERM', 1_002],
] as const)(
  'R8, shown able to fail: with a replica %s the load sees it',
  {
    timeout: TEST_TIMEOUT_MS,
  },
  async (_, signal, round) => {
    const [gateway] = product.of('gateway');
    if (!gateway) throw new Error('there is no gateway');
    if (signal === 'SIGTERM') await gateway.restart(mutatedBy(WITHOUT_LEAVING));
    const agency = controlOf(product.agency);
    load = await startSteadyLoad(product.url, { passcode: PASSCODE });
    await mustCome('the load runs', async () => load.answered() > 50);
    await agency.latency(LOOKUP_TAKES_MS);
    const receipts = Array.from({ length: LOOKUPS_AT_ONCE }, (_, n) => receiptOf(round, n));
    const answers = Promise.all(receipts.map((receipt) => load.ask({ path: `/api/case-status/${receipt}` })));
    await mustCome('every lookup has reached the agency', async () => {
      const calls = await Promise.all(receipts.map(agency.calls));
      return calls.every((count) => count > 0);
    });
    expect(load.failures).toEqual([]);
    await gateway.kill(signal);
    await gateway.restart(mutatedBy([]));
    await answers;
    await agency.latency(0);
    expect(load.failures).not.toEqual([]);
  },
);
