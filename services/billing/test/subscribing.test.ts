import { forThisFile } from '@casewatch/testing/for-this-file';
import { describe, expect, test } from 'vitest';
import { errorOf, intentOf, MONTHLY, person, startBilling, until, YEARLY } from './billing-fixture.ts';

const billing = await forThisFile(startBilling());

describe('prices and configuration', () => {
  test('the prices are those of the lookup keys, in dollars, monthly first', async () => {
    expect(await billing.prices()).toEqual([
      { id: MONTHLY, amount: 9, interval: 'month', displayName: 'Monthly' },
      { id: YEARLY, amount: 90, interval: 'year', displayName: 'Yearly' },
    ]);
  });

  test('the browser gets what it needs and nothing secret', async () => {
    const answer = await billing.call('GET', '/api/billing/config');
    expect(await answer.json()).toEqual({
      offered: true,
      publishableKey: 'pk_test_simulated0123456789',
      scriptUrl: billing.simulator.scriptUrl,
      testPayments: true,
      trialDays: 0,
      tax: null,
      promotionCodes: false,
    });
  });
});

describe('a first payment', () => {
  test('without a subscription so far everything is free', async () => {
    expect(await billing.subscription(person())).toEqual({
      tier: 'free',
      status: null,
      id: null,
      price: null,
      renewsAt: null,
      endsAt: null,
      endedAt: null,
      endReason: null,
      trialEndsAt: null,
      card: null,
      paymentFailed: false,
      canCancel: false,
      canResume: false,
      canSwitchToYearly: false,
      trialAvailable: false,
    });
  });

  test('begins incomplete with a secret for the browser, entitles to nothing, and is not published', async () => {
    const as = person();
    const begun = await billing.begin(as);
    expect(begun).toEqual({
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      intent: 'payment',
      tier: 'free',
      status: 'incomplete',
    });
    expect(
      (await billing.published()).filter(({ payload }) => JSON.stringify(payload).includes(as.userId)),
    ).toEqual([]);
    // Reconciled once more after its events, and again in a minute.
    await until(
      () => billing.row(as.userId),
      (row) => row?.due_at?.getTime() === billing.clock.nowMs() + 60_000,
    );
  });

  test('makes the user pro once it is confirmed, and publishes it once', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    expect((await billing.pay(clientSecret)).ok).toBe(true);
    expect(await billing.confirmPayment(as, intentOf(clientSecret))).toEqual({
      tier: 'pro',
      status: 'active',
      paymentStatus: 'succeeded',
    });
    await billing.settled();
    expect(
      (await billing.published()).filter(({ payload }) => JSON.stringify(payload).includes(as.userId)),
    ).toEqual([
      {
        name: 'subscription-changed',
        payload: { userId: as.userId, tier: 'pro', status: 'active', version: expect.any(Number) },
      },
    ]);
    const dueInMs = await until(
      async () => ((await billing.row(as.userId))?.due_at?.getTime() ?? 0) - billing.clock.nowMs(),
      (ms) => ms > 23 * 3_600_000,
    );
    expect(dueInMs).toBeLessThanOrEqual(24 * 3_600_000);
    const inAMonth = new Date(billing.clock.nowMs());
    inAMonth.setUTCMonth(inAMonth.getUTCMonth() + 1);
    const shown = await billing.subscription(as);
    // The provider has a clock of its own.
    expect(Math.abs(Date.parse(shown.renewsAt ?? '') - inAMonth.getTime())).toBeLessThan(60_000);
    expect(shown).toMatchObject({
      tier: 'pro',
      status: 'active',
      price: { id: MONTHLY, amount: 9, interval: 'month', displayName: 'Monthly' },
      card: { brand: 'visa', last4: '4242' },
      canCancel: true,
      canResume: false,
      paymentFailed: false,
    });
  });

  test('makes the user pro by the webhook alone, without a call from the browser', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    await billing.pay(clientSecret);
    await until(
      () => billing.subscription(as),
      ({ tier }) => tier === 'pro',
    );
  });

  test('makes the user pro without a webhook and without the browser: it is polled', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    billing.proxy.sendTo(undefined);
    try {
      expect((await billing.subscription(as)).tier).toBe('free');
      // From here on the job may look at any moment.
      await billing.pay(clientSecret);
      await until(
        async () => {
          await billing.clock.advance(60_000);
          return billing.subscription(as);
        },
        ({ tier }) => tier === 'pro',
      );
    } finally {
      billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
    }
  });

  test('that is declined changes nothing, and another card on the same secret does', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    expect((await billing.pay(clientSecret, 'pm_card_chargeDeclined')).status).toBe(402);
    expect(await billing.confirmPayment(as, intentOf(clientSecret))).toEqual({
      tier: 'free',
      status: 'incomplete',
      paymentStatus: 'requires_payment_method',
    });
    await billing.pay(clientSecret);
    expect(await billing.confirmPayment(as, intentOf(clientSecret))).toMatchObject({ tier: 'pro' });
  });

  test('that takes its time is processing, and pro when it has arrived', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    await billing.pay(clientSecret, 'pm_card_processing');
    const id = intentOf(clientSecret);
    expect(await billing.confirmPayment(as, id)).toMatchObject({ tier: 'free', paymentStatus: 'processing' });
    await billing.control('POST', `/payments/${id}/settle`, { outcome: 'succeeded' });
    await until(
      () => billing.subscription(as),
      ({ tier }) => tier === 'pro',
    );
  });

  test('that needs authentication waits for it; abandoned it stays unpaid and can be taken up again', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    await billing.pay(clientSecret, 'pm_card_authenticationRequiredOnSetup');
    const id = intentOf(clientSecret);
    expect(await billing.confirmPayment(as, id)).toMatchObject({
      tier: 'free',
      paymentStatus: 'requires_action',
    });
    await billing.control('POST', `/intents/${id}/authenticate`, { outcome: 'failed' });
    expect(await billing.begin(as)).toMatchObject({ clientSecret, status: 'incomplete' });
    await billing.pay(clientSecret, 'pm_card_authenticationRequiredOnSetup');
    await billing.control('POST', `/intents/${id}/authenticate`, { outcome: 'succeeded' });
    expect(await billing.confirmPayment(as, id)).toMatchObject({ tier: 'pro', paymentStatus: 'succeeded' });
  });

  test('is there for good: beginning again has no secret', async () => {
    const as = await billing.subscriber();
    expect(await billing.begin(as)).toEqual({ tier: 'pro', status: 'active' });
    expect(await billing.begin(as, YEARLY)).toEqual({ tier: 'pro', status: 'active' });
  });

  test('syncing without a price reconciles the tier, also without a subscription', async () => {
    const unsubscribed = person();
    expect(await billing.sync(unsubscribed)).toEqual({ tier: 'free', status: null });
    expect(await billing.row(unsubscribed.userId)).toBeUndefined();
    const as = person();
    const { clientSecret } = await billing.begin(as);
    billing.proxy.sendTo(undefined);
    await billing.pay(clientSecret);
    expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
    billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
  });

  test('a user who is pro without a subscription has nothing to buy, and stays pro', async () => {
    const as = person('pro');
    expect(await billing.begin(as)).toEqual({ tier: 'pro', status: null });
    expect(await billing.sync(as)).toEqual({ tier: 'pro', status: null });
    expect(await billing.row(as.userId)).toMatchObject({ stripe_customer_id: null });
  });

  test('a price that is not offered is 404, and makes nothing', async () => {
    const as = person();
    const answer = await billing.call('POST', '/api/create-subscription', as, { priceId: 'price_other' });
    expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await billing.row(as.userId)).toBeUndefined();
  });
});
