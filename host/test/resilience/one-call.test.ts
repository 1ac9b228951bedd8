import type { Mutation } from '@casewatch/testing/mutation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { controlOf } from '../faults/agency-control.ts';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';
import { createVisitor } from '../faults/visitor.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R10: one case costs one call, however many people watch it or look at it. */

const WATCHERS = 10_000;
const LOOK_UPS = 200;
/** What a day is here. */
const PERIOD_MS = 6_000;
/** Checks of one moment spread over a twentieth of their period. */
const SOONEST_MS = 0.95 * PERIOD_MS;
const [WATCHED, WATCHED_LATER] = ['MSC0000000002', 'MSC0000000004'];

const WITHOUT_THE_PERIOD: readonly Mutation[] = [
  {
    file: 'monitoring/src/data/claims.ts',
    find: "const nextCheck = schedule.nextCheck('$3::timestamptz');",
    replace: "const nextCheck = '$3::timestamptz';",
  },
  {
    file: 'monitoring/src/data/watch-rows.ts',
    find: "schedule.nextCheck('$4::timestamptz')",
    replace: "'$4::timestamptz'",
  },
];
const EACH_ASKS_ALONE: readonly Mutation[] = [
  {
    file: 'cases/src/caller/waiting-cases.ts',
    find: 'const one = cases.get(receiptNumber) ?? {',
    replace: 'const one = {',
  },
];

let product: WatchedProduct;
beforeAll(async () => {
  product = await startWatchedProduct({
    shape: 'all-in-one',
    env: { MONITORING_PERIOD_SCALE: String(PERIOD_MS / 86_400_000), DEMO_ACCOUNTS: 'true' },
  });
}, TEST_TIMEOUT_MS);
afterAll(() => product.stop());

/** All users begin to watch; resolves to the milliseconds between the first check and the next. */
async function betweenChecks(receiptNumber: string): Promise<number> {
  const { calls } = controlOf(product.agency);
  await product.database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days, version, began, seen_status, seen_call)
     SELECT gen_random_uuid(), $1, 1, 1, 1, 'Before', 1 FROM generate_series(1, $2)`,
    [receiptNumber, WATCHERS],
  );
  await product.database.query(
    `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at, last_status, status_call)
     VALUES ($1, 1, now(), 'Before', 1)`,
    [receiptNumber],
  );
  await mustCome('a first check', async () => (await calls(receiptNumber)) > 0);
  const firstMs = performance.now();
  await mustCome('a second check', async () => (await calls(receiptNumber)) > 1);
  return performance.now() - firstMs;
}

test('R10: ten thousand watchers of one case cost one call per period, and each is notified once', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  expect(await betweenChecks(WATCHED)).toBeGreaterThan(SOONEST_MS - 500);
  const notified = () =>
    product.database.query<{ people: number; notifications: number }>(
      'SELECT count(DISTINCT user_id)::int AS people, count(*)::int AS notifications FROM notifications.notifications',
    );
  // However long that many take: a busy machine notifies them slowly, but continues.
  for (let people = 0; people < WATCHERS; ) {
    const before = people;
    await mustCome('more users are notified', async () => {
      people = (await notified())[0]?.people ?? 0;
      return people > before;
    });
  }
  expect(await notified()).toEqual([{ people: WATCHERS, notifications: WATCHERS }]);
});

test('R10, shown able to fail: without the period the next call comes sooner', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const [all] = product.victims;
  if (all) await product.restart(all, WITHOUT_THE_PERIOD);
  expect(await betweenChecks(WATCHED_LATER)).toBeLessThan(SOONEST_MS - 500);
});

/** Many lookups of a case at the same time: those that failed, and the calls that all of them cost. */
async function lookUpAtOnce(
  receiptNumber: string,
  lookUps = LOOK_UPS,
): Promise<{ failed: readonly unknown[]; calls: number }> {
  const visitor = await createVisitor(product.url);
  // So that all of them ask before the first is answered.
  await controlOf(product.agency).latency(500);
  const answers = await Promise.all(Array.from({ length: lookUps }, () => visitor.lookUp(receiptNumber)));
  const failed = answers.filter(({ status }) => status !== 200);
  return { failed, calls: await controlOf(product.agency).calls(receiptNumber) };
}

test('R10: parallel lookups of one case cost one call; each asking alone, they would cost more', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const [all] = product.victims;
  if (all) await product.restart(all);
  expect(await lookUpAtOnce('WAC0000000002')).toEqual({ failed: [], calls: 1 });
  if (all) await product.restart(all, EACH_ASKS_ALONE);
  // A few: each call that begins marks all that wait for the case.
  expect((await lookUpAtOnce('WAC0000000004', 3)).calls).toBeGreaterThan(1);
});
