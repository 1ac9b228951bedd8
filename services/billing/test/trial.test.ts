import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BillingFixture,
  DAY_MS,
  intentOf,
  MONTHLY,
  person,
  startBilling,
  until,
  YEARLY,
} from './billing-fixture.ts';

let billing: BillingFixture;
beforeAll(async () => {
  billing = await startBilling({ env: { TRIAL_DAYS: '14' } });
});
afterAll(() => billing.stop());

interface AtStripe {
  status: string;
  trial_end: number;
  items: { data: { price: { id: string } }[] };
}
const atStripe = async (userId: string) => {
  const row = await billing.row(userId);
  const { data } = await billing.stripe<{ data: AtStripe[] }>(
    'GET',
    `/v1/subscriptions?status=all&customer=${row?.stripe_customer_id}`,
  );
  return data;
};

test('a first subscription is offered as a trial and asks for a card, not for money', async () => {
  const as = person();
  expect(await billing.subscription(as)).toMatchObject({ trialAvailable: true });
  expect(await billing.begin(as)).toEqual({
    clientSecret: expect.stringMatching(/^seti_\w+_secret_\w+$/),
    intent: 'setup',
    tier: 'free',
    status: 'incomplete',
  });
  expect(await billing.subscription(as)).toMatchObject({
    tier: 'free',
    status: 'incomplete',
    trialAvailable: true,
  });
});

test('the card makes the user pro until the trial ends, and then the first payment continues it', async () => {
  const as = person();
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret);
  expect(await billing.confirmPayment(as, intentOf(clientSecret))).toEqual({
    tier: 'pro',
    status: 'trialing',
    paymentStatus: 'succeeded',
  });
  const trialEnd = new Date(billing.clock.nowMs() + 14 * DAY_MS).getTime();
  const shown = await billing.subscription(as);
  expect(shown).toMatchObject({ card: { last4: '4242' }, canCancel: true, trialAvailable: false });
  expect(Math.abs(Date.parse(shown.trialEndsAt ?? '') - trialEnd)).toBeLessThan(60_000);
  await billing.advance(14 * DAY_MS + 60_000);
  const after = await until(
    () => billing.subscription(as),
    ({ status }) => status === 'active',
  );
  expect(after).toMatchObject({ tier: 'pro', trialEndsAt: null, paymentFailed: false });
});

test('a declined card leaves the trial unbegun; the same secret takes another', async () => {
  const as = person();
  const { clientSecret } = await billing.begin(as);
  expect((await billing.pay(clientSecret, 'pm_card_chargeDeclined')).status).toBe(402);
  expect(await billing.sync(as)).toEqual({ tier: 'free', status: 'incomplete' });
  await billing.pay(clientSecret);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'trialing' });
});

test('another price before the card changes the one trial', async () => {
  const as = person();
  await billing.begin(as, MONTHLY);
  const { clientSecret } = await billing.begin(as, YEARLY);
  expect(await atStripe(as.userId)).toMatchObject([
    { status: 'trialing', items: { data: [{ price: { id: YEARLY } }] } },
  ]);
  await billing.pay(clientSecret);
  expect(await billing.sync(as)).toMatchObject({ tier: 'pro' });
  expect(await billing.subscription(as)).toMatchObject({
    price: { id: YEARLY, amount: 90, interval: 'year' },
  });
});

test('a trial that is resumed days later has its whole length again', async () => {
  const as = person();
  await billing.begin(as);
  await billing.advance(5 * DAY_MS);
  await billing.begin(as);
  const [only, ...others] = await atStripe(as.userId);
  expect(others).toEqual([]);
  expect(only?.trial_end).toBe(Math.floor((billing.clock.nowMs() + 14 * DAY_MS) / 1000));
});

test('a trial without a card that runs out was none: the next one is offered', async () => {
  const as = person();
  await billing.begin(as);
  await billing.advance(15 * DAY_MS);
  await until(
    () => billing.subscription(as),
    ({ status }) => status === 'canceled',
  );
  expect(await billing.subscription(as)).toMatchObject({ tier: 'free', trialAvailable: true });
  expect(await billing.begin(as)).toMatchObject({ intent: 'setup' });
});

test('there is one trial per user: after it a subscription begins with a payment', async () => {
  const as = person();
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret);
  await billing.sync(as);
  expect((await billing.call('POST', '/api/billing/cancel', as)).status).toBe(200);
  await billing.advance(15 * DAY_MS);
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
  expect(await billing.subscription(as)).toMatchObject({ trialAvailable: false });
  expect(await billing.begin(as)).toMatchObject({ intent: 'payment', status: 'incomplete' });
});
