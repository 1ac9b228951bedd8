import type { ServiceName } from '@casewatch/contracts/route-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { whileChangesFlow } from '../faults/flow.ts';
import { mustCome } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R8: consumers are added and removed while changes flow. */

const SCALED = ['monitoring', 'notifications'] as const satisfies readonly ServiceName[];
const MOST = 3;
/** That move at a time. */
const CASES = 50;

let product: WatchedProduct;
beforeAll(async () => {
  product = await startWatchedProduct({
    shape: 'kafka',
    replicas: Object.fromEntries(SCALED.map((role) => [role, MOST])),
    env: { KAFKA_PARTITIONS: '6' },
  });
}, TEST_TIMEOUT_MS);
afterAll(() => product.stop());

const added = () => SCALED.flatMap((role) => product.of(role).slice(1));

async function working(count: number): Promise<void> {
  for (const role of SCALED) {
    await mustCome(
      `${count} members of ${role} work`,
      async () => (await product.kafka?.working(role)) === count,
    );
  }
}

test('R8: consumers scaled 1 to 3 to 1 while changes flow: nothing lost, nothing doubled', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await working(MOST);
  await Promise.all(added().map((replica) => replica.stop()));
  await working(1);

  const rounds = await whileChangesFlow(product, { count: CASES }, async (roundCompleted) => {
    await Promise.all(added().map((replica) => replica.restart()));
    await working(MOST);
    await roundCompleted();
    const codes = await Promise.all(added().map((replica) => replica.stop()));
    expect(codes).toEqual(added().map(() => 0));
    await roundCompleted();
  });
  expect(await product.settles(60_000)).toBe(true);
  await working(1);
  expect(rounds.length).toBeGreaterThan(2);
  expect(await Promise.all(rounds.map((round) => round.verdict()))).toEqual(
    rounds.map(() => ({ missing: 0, doubled: 0 })),
  );
});
