import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { DAY_MS, intentOf, MONTHLY, person, startBilling, until, YEARLY } from './billing-fixture.ts';

const billing = await forThisFile(startBilling({ env: { TRIAL_DAYS: '14' } }));

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
  await billing.pay(clientSecret, 'pm_card_visa');
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

test('another price before the card begins another trial: what another tab shows can’t be confirmed any more', async () => {
  const as = person();
  const monthly = await billing.begin(as, MONTHLY);
  const yearly = await billing.begin(as, YEARLY);
  expect(yearly).toMatchObject({ intent: 'setup', status: 'incomplete' });
  expect(yearly.clientSecret).not.toBe(monthly.clientSecret);
  expect((await billing.pay(monthly.clientSecret)).status).toBe(400);
  expect(await billing.sync(as)).toEqual({ tier: 'free', status: 'incomplete' });
  expect(await atStripe(as.userId)).toMatchObject([
    { status: 'trialing', items: { data: [{ price: { id: YEARLY } }] } },
    { status: 'canceled', items: { data: [{ price: { id: MONTHLY } }] } },
  ]);
  await billing.pay(yearly.clientSecret);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'trialing' });
  expect(await billing.subscription(as)).toMatchObject({
    price: { id: YEARLY, amount: 90, interval: 'year' },
  });
});

test('another price at the moment of the card keeps the trial whose card was confirmed', async () => {
  const as = person();
  const monthly = await billing.begin(as, MONTHLY);
  billing.proxy.sendTo(undefined);
  await billing.pay(monthly.clientSecret);
  billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
  expect(await billing.begin(as, YEARLY)).toEqual({ tier: 'pro', status: 'trialing' });
  expect(await billing.subscription(as)).toMatchObject({ price: { id: MONTHLY } });
});

test('a change of the price that stopped half way continues, whichever price is chosen then', async () => {
  for (const priceId of [YEARLY, MONTHLY]) {
    const as = person();
    const before = await billing.begin(as, MONTHLY);
    const ending = { path: '/v1/subscriptions/', method: 'DELETE' };
    await billing.control('PUT', '/faults', { mode: 'unavailable', ...ending, count: 2 });
    const failed = await billing.call('POST', '/api/create-subscription', as, { priceId: YEARLY });
    expect(failed.status).toBe(503);
    const { clientSecret } = await billing.begin(as, priceId);
    expect(clientSecret).not.toBe(before.clientSecret);
    await billing.pay(clientSecret);
    expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'trialing' });
    expect(await billing.subscription(as)).toMatchObject({ price: { id: priceId } });
  }
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
