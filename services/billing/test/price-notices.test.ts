import { planMilestoneReached } from '@casewatch/contracts/events';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { createOutboxBus } from '@casewatch/testing/outbox-bus';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { announcePriceChange, reportPriceNotices } from '../src/data/price-notices.ts';
import { DAY_MS, startBilling, YEARLY } from './billing-fixture.ts';

const PRODUCT = 'prod_CasewatchPro';
const billing = await forThisFile(startBilling({ env: { STRIPE_PRODUCT: PRODUCT } }));
const bus = createOutboxBus(billing.clock);
const pool = billing.database.openPool('billing', 2);

const dayIn = (days: number) => new Date(billing.clock.nowMs() + days * DAY_MS).toISOString().slice(0, 10);
const priceOf = async (cents: string, interval: string, currency = 'usd') => {
  const price = { product: PRODUCT, currency, unit_amount: cents, 'recurring[interval]': interval };
  return (await billing.stripe<{ id: string }>('POST', '/v1/prices', price)).id;
};
/** Each test has an old price of its own: accounts of another are reconciled meanwhile. */
let unused: string[];
let monthly: string;
let dearer: string;
let another: string;
let perYear: string;
let inEuros: string;
beforeAll(async () => {
  unused = await Promise.all(['900', '900', '900', '900', '900'].map((cents) => priceOf(cents, 'month')));
  dearer = await priceOf('1250', 'month');
  another = await priceOf('1300', 'month');
  perYear = await priceOf('12000', 'year');
  inEuros = await priceOf('1200', 'month', 'eur');
  await billing.prices();
});
beforeEach(() => {
  monthly = unused.pop() ?? '';
});

const subscriber = (priceId = monthly) => billing.subscriber('pm_card_visa', priceId);
const announce = (newPrice = dearer, day = dayIn(40), oldPrice = monthly) =>
  announcePriceChange(pool, bus, { oldPrice, newPrice, day, nowMs: billing.clock.nowMs() });
const report = () => reportPriceNotices(poolExecutor(pool), { oldPrice: monthly, newPrice: dearer });
const noticesOf = async ({ userId }: { userId: string }) =>
  (await billing.published())
    .filter(({ name }) => name === planMilestoneReached.name)
    .map(({ payload }) => planMilestoneReached.decode(payload))
    .filter((payload) => payload.userId === userId && payload.milestone === 'price-changing');

test('subscribers with the old price are notified once of prices and day, those who canceled or have another price are not', async () => {
  const [staying, leaving, yearly] = [await subscriber(), await subscriber(), await subscriber(YEARLY)];
  await billing.call('POST', '/api/billing/cancel', leaving);
  expect((await report()).waiting).toEqual([(await billing.row(staying.userId))?.stripe_subscription_id]);
  expect(await announce()).toBe(1);
  await billing.sync(staying);
  expect(await announce()).toBe(0);
  const [notice, ...others] = await noticesOf(staying);
  expect(others).toEqual([]);
  expect(notice).toMatchObject({ priceChange: { oldCents: 900, newCents: 1250, yearly: false } });
  expect(Date.parse(notice?.effectiveAt ?? '')).toBe(Date.parse(`${dayIn(40)}T12:00:00Z`));
  expect([await noticesOf(leaving), await noticesOf(yearly)]).toEqual([[], []]);
});

test('later subscribers are notified of a later day when it runs again, and the others are not notified again', async () => {
  const early = await subscriber();
  const back = await subscriber();
  await billing.call('POST', '/api/billing/cancel', back);
  expect(await announce(dearer, dayIn(40))).toBe(1);
  await billing.call('POST', '/api/billing/resume', back);
  expect(await announce(dearer, dayIn(70))).toBe(1);
  expect([(await noticesOf(early)).length, (await noticesOf(back)).length]).toEqual([1, 1]);
  expect(await report()).toMatchObject({
    waiting: [],
    notified: new Map([
      [dayIn(40), 1],
      [dayIn(70), 1],
    ]),
  });
});

test('another subscription of the same user, and another new price, are notified of', async () => {
  const as = await subscriber();
  expect(await announce()).toBe(1);
  await billing.database.query(
    "UPDATE billing.subscriptions SET notified_of_price = 'sub_of_before ' || $2 || ' 2026-03-01' WHERE user_id = $1",
    [as.userId, dearer],
  );
  expect(await announce()).toBe(1);
  expect(await announce(another)).toBe(1);
  expect(await noticesOf(as)).toHaveLength(3);
});

test('two runs at the same time notify each once, and one that fails notifies no one', async () => {
  const people = [await subscriber(), await subscriber()];
  bus.isBroken = true;
  await expect(announce()).rejects.toThrow('the outbox cannot be written');
  bus.isBroken = false;
  expect((await report()).waiting).toHaveLength(2);
  const [one, other] = await Promise.all([announce(), announce()]);
  expect(one + other).toBe(2);
  for (const as of people) expect(await noticesOf(as)).toHaveLength(1);
});

test('the day is thirty whole days ahead, and the prices are known, in dollars and of one interval', async () => {
  const as = await subscriber();
  await expect(announce(dearer, dayIn(30))).rejects.toThrow(`${dayIn(31)} or later`);
  await expect(announce(perYear)).rejects.toThrow('paid by the month');
  for (const price of [inEuros, 'price_unknown', monthly])
    await expect(announce(price)).rejects.toThrow(`${price} is no other price in US dollars`);
  await expect(announce(dearer, dayIn(40), 'price_none')).rejects.toThrow('No subscription has');
  expect(await noticesOf(as)).toEqual([]);
  expect(await announce(dearer, dayIn(31))).toBe(1);
});
