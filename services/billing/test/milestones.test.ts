import { planMilestoneReached } from '@casewatch/contracts/events';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { expect, test } from 'vitest';
import { DAY_MS, MONTHLY, startBilling, until } from './billing-fixture.ts';

const billing = await forThisFile(startBilling({ env: { BILLING_GRACE_DAYS: '5' } }));

const milestonesOf = async ({ userId }: Person) =>
  (await billing.published())
    .filter(({ name }) => name === planMilestoneReached.name)
    .map(({ payload }) => planMilestoneReached.decode(payload))
    .filter((payload) => payload.userId === userId)
    .map(({ milestone, reason }) => (reason === undefined ? milestone : `${milestone}: ${reason}`));
const reached = (as: Person, expected: string[]) =>
  until(
    async () => {
      await billing.clock.advance(1_000);
      return milestonesOf(as);
    },
    (found) => found.length >= expected.length,
  ).then((found) => expect(found).toEqual(expected));
const lastCharge = async ({ userId }: Person) => {
  const customer = (await billing.row(userId))?.stripe_customer_id;
  const { data } = await billing.stripe<{ data: { id: string }[] }>(
    'GET',
    `/v1/charges?customer=${customer}`,
  );
  return data[0]?.id ?? '';
};

test('a failed payment is reported at once, its end by days of grace, and the return after it is paid', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  await billing.advance(31 * DAY_MS + 60_000);
  await reached(as, ['payment-failed']);
  const { endsAt } = await billing.subscription(as);
  await billing.advance(4 * DAY_MS);
  expect(await milestonesOf(as)).toEqual(['payment-failed']);
  await billing.advance(DAY_MS + 60_000);
  await reached(as, ['payment-failed', 'pro-ended: payment-failed']);
  expect(await billing.subscription(as)).toMatchObject({ endedAt: endsAt, endReason: 'payment-failed' });
  const { clientSecret } = await billing.begin(as, MONTHLY);
  await billing.pay(clientSecret);
  await reached(as, ['payment-failed', 'pro-ended: payment-failed', 'pro-returned']);
  expect(await billing.subscription(as)).toMatchObject({ endedAt: null, endReason: null });
});

test('a second period that is not paid either gives no second grace', async () => {
  const as = await billing.subscriber();
  const { stripe_customer_id: customer, stripe_subscription_id: monthly } =
    (await billing.row(as.userId)) ?? {};
  await billing.stripe('DELETE', `/v1/subscriptions/${monthly}`);
  // Shorter than the time in which the payment is tried again, as a month is with other settings at Stripe.
  const price = await billing.stripe<{ id: string }>('POST', '/v1/prices', {
    currency: 'usd',
    product: 'prod_CasewatchPro',
    'recurring[interval]': 'week',
    unit_amount: '300',
  });
  const weekly = await billing.stripe<{ latest_invoice: { confirmation_secret: { client_secret: string } } }>(
    'POST',
    '/v1/subscriptions',
    {
      customer: customer ?? '',
      'items[0][price]': price.id,
      payment_behavior: 'default_incomplete',
      'payment_settings[save_default_payment_method]': 'on_subscription',
      'expand[]': 'latest_invoice.confirmation_secret',
    },
  );
  await billing.pay(weekly.latest_invoice.confirmation_secret.client_secret, 'pm_card_renewalDeclined');
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
  const before = await milestonesOf(as);
  await billing.advance(7 * DAY_MS + 60_000);
  await reached(as, [...before, 'payment-failed']);
  await billing.advance(5 * DAY_MS + 60_000);
  await reached(as, [...before, 'payment-failed', 'pro-ended: payment-failed']);
  await billing.advance(2 * DAY_MS + 60_000);
  expect(await billing.sync(as)).toEqual({ tier: 'free', status: 'past_due' });
  expect(await milestonesOf(as)).toEqual([...before, 'payment-failed', 'pro-ended: payment-failed']);
});

test('the reason of an end stays until the user has pro again', async () => {
  const as = await billing.subscriber();
  const customer = (await billing.row(as.userId))?.stripe_customer_id;
  await billing.stripe('POST', '/v1/refunds', { charge: await lastCharge(as) });
  await reached(as, ['pro-ended: refunded']);
  await billing.advance(40 * DAY_MS);
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'free', endReason: 'refunded' });
  await billing.begin(as, MONTHLY);
  expect(await billing.subscription(as)).toMatchObject({ tier: 'free', endReason: 'refunded' });
  await billing.stripe('DELETE', `/v1/customers/${customer}`);
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ endReason: 'refunded' });
  expect(await milestonesOf(as)).toEqual(['pro-ended: refunded']);
});

test('a trial is announced to end eight days before, once, and not after a cancellation', async () => {
  const trials = await startBilling({ env: { TRIAL_DAYS: '14' } });
  try {
    const begin = async () => {
      const as = { userId: crypto.randomUUID(), tier: 'free' as const, name: 'Ana' };
      await trials.pay((await trials.begin(as)).clientSecret);
      await trials.sync(as);
      return as;
    };
    const [staying, leaving] = [await begin(), await begin()];
    await trials.call('POST', '/api/billing/cancel', leaving);
    const found = async () =>
      (await trials.published())
        .filter(({ name }) => name === planMilestoneReached.name)
        .map(({ payload }) => planMilestoneReached.decode(payload));
    await trials.advance(6 * DAY_MS - 60_000);
    await trials.settled();
    expect(await found()).toEqual([]);
    await trials.advance(120_000);
    await until(
      async () => {
        await trials.clock.advance(1_000);
        return found();
      },
      ({ length }) => length > 0,
    );
    await trials.advance(DAY_MS);
    await trials.settled();
    const { trialEndsAt } = await trials.subscription(staying);
    const [notice, ...others] = await found();
    expect(notice).toMatchObject({ userId: staying.userId, milestone: 'trial-ending' });
    expect(Date.parse(notice?.effectiveAt ?? '')).toBe(Date.parse(trialEndsAt ?? ''));
    expect(others).toEqual([]);
  } finally {
    await trials.stop();
  }
});
