import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArchivedProduct, startArchivedProduct } from '../faults/archived-product.ts';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { beginRound, type Round, type Verdict } from '../faults/rounds.ts';
import { mustCome } from '../faults/until.ts';

/**
 * O5: PostgreSQL is lost and restored to a point in time, at a new address (docs/recovery.md). What was published later than that
 * point, of rows that no longer exist, is not delivered; what was in flight at the point is neither lost nor doubled.
 */

const CASES = 20;
const KEPT: Verdict = { missing: 0, doubled: 0 };
const PATIENCE_MS = 60_000;

let stop: (() => Promise<unknown>)[];
let product: ArchivedProduct;
beforeEach(async () => {
  stop = [];
  product = await startArchivedProduct(stop);
}, TEST_TIMEOUT_MS);
afterEach(async () => {
  for (const each of stop.toReversed()) await each();
});

const round = (n: number) => beginRound(product, n, CASES);
const isDelivered = (name: string, one: Round) =>
  mustCome(name, async () => (await one.progress()) === 1, PATIENCE_MS);
const verdicts = (rounds: readonly Round[]) => Promise.all(rounds.map((one) => one.verdict()));
/** Has the minutes passed after which failed checks are tried again; what is claimed stays so. */
const deliveredLater = (name: string, one: Round) =>
  mustCome(
    name,
    async () => {
      await product.database.query(
        `UPDATE monitoring.watches SET next_check_at = greatest(owed_since, now())
         WHERE attempts > 0 AND next_check_at > now() + interval '15 seconds'`,
      );
      return (await one.progress()) === 1;
    },
    PATIENCE_MS,
  );
async function now(): Promise<Date> {
  const [row] = await product.database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return row?.at ?? new Date(0);
}

test('O5: restored to a point in time at a new address, no user is missed, notified twice or told of what no longer exists', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { postgres, database, roleOf } = product;
  await postgres.backUp();
  const delivered = await round(1);
  await isDelivered('the first round is delivered', delivered);
  await roleOf('notifications').stop();
  const inKafka = await round(2);
  await mustCome('the second round is in Kafka only', async () => {
    const sent = await database.query(
      `SELECT 1 FROM monitoring.outbox WHERE topic = 'status-changed' AND done_at IS NOT NULL`,
    );
    return sent.length === 4 * CASES;
  });

  const point = await now();
  // What happens later is lost: its effects, and rows that its events are about.
  await roleOf('notifications').restart();
  const later = await round(3);
  await mustCome('all three are delivered', product.settled, PATIENCE_MS);
  expect(await later.verdict()).toEqual(KEPT);
  await database.query('CREATE TABLE public.archived AS SELECT 1');
  await postgres.archived();

  await product.lose();
  await database.moveTo(await postgres.restore('newest'));
  // With the server only what its archive has not got is lost: no more than archive_timeout.
  expect(await database.query('SELECT FROM public.archived')).toHaveLength(1);

  const startedAt = performance.now();
  const ownerUrl = await postgres.restore('earlier', point);
  const restoredAt = performance.now();
  const settled = await product.startRestored(ownerUrl);
  const readyAt = performance.now();
  const after = await round(4);
  await mustCome('what was in flight and what comes after is delivered', settled, PATIENCE_MS);
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
  console.log(
    `restored in ${seconds(startedAt, restoredAt)} s, ready ${seconds(restoredAt, readyAt)} s later, settled after ${seconds(readyAt, performance.now())} s`,
  );
  expect(await verdicts([delivered, inKafka, after])).toEqual([KEPT, KEPT, KEPT]);
  expect(await later.verdict()).toEqual({ missing: 2 * CASES, doubled: 0 });
});

test('a bad night: Redis is lost, a role crashes again and again, the agency is down, then PostgreSQL is restored', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { postgres, redis, roleOf, agency } = product;
  await postgres.backUp();
  await redis.kill();
  const withoutRedis = await round(1);
  await isDelivered('checks and notifications work without Redis', withoutRedis);
  await redis.restart();

  const crashing = await round(2);
  for (let crash = 0; crash < 3; crash++) await roleOf('monitoring').restart();
  await isDelivered('a crash loop loses nothing', crashing);

  await agency?.kill();
  const withoutAgency = await round(3);
  await mustCome('its checks have failed', async () => {
    const failed = await product.database.query('SELECT 1 FROM monitoring.watches WHERE attempts > 0');
    return failed.length === CASES;
  });
  const point = await now();
  await agency?.restart();
  await deliveredLater('what was due while the agency was down is caught up with', withoutAgency);
  await postgres.archived();

  await product.lose();
  const settled = await product.startRestored(await postgres.restore('earlier', point));
  const after = await round(4);
  await isDelivered('what comes after the restore is delivered', after);
  await deliveredLater('what failed before the point is caught up with once more', withoutAgency);
  await mustCome('everything is settled', settled, PATIENCE_MS);
  expect(await verdicts([withoutRedis, crashing, withoutAgency, after])).toEqual([KEPT, KEPT, KEPT, KEPT]);
});
