import { describe, expect, it } from 'vitest';
import { startPayments } from './start-payments.ts';
import { beginSubscription, confirm, intentId, readSubscription, subscribe } from './subscribe.ts';

/** The parameters of a card as the card form sends them. */
const cardParams = (number: string, month = '12', year = '34') => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': month,
  'payment_method_data[card][exp_year]': year,
  'payment_method_data[card][cvc]': '123',
});

describe('test cards', () => {
  it('4000000000000002 is declined with 402, and another card can pay', async () => {
    await using payments = await startPayments();
    const begun = await beginSubscription(payments);
    const { paymentSecret } = begun;
    const answer = await payments.browser('POST', `/v1/payment_intents/${intentId(paymentSecret)}/confirm`, {
      client_secret: paymentSecret ?? '',
      ...cardParams('4000000000000002'),
    });
    expect(answer.status).toBe(402);
    const { error } = (await answer.json()) as { error: { payment_intent: object } };
    expect(error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined' },
      },
      payment_method: { card: { last4: '0002' } },
    });
    expect(error.payment_intent).not.toHaveProperty('customer');
    expect(await readSubscription(payments, begun)).toMatchObject({ status: 'incomplete' });
    expect((await confirm(payments, paymentSecret, 'pm_card_visa')).status).toBe(200);
  });

  it.each([
    ['4111111111111111', '12', '34', 'card_declined'],
    ['4242424242424242', '13', '34', 'invalid_expiry_year'],
    ['4242424242424242', '12', '24', 'invalid_expiry_year'],
  ])('%s, expiring %s/%s, is refused with %s', async (number, month, year, code) => {
    await using payments = await startPayments();
    const { paymentSecret } = await beginSubscription(payments);
    const answer = await payments.browser('POST', `/v1/payment_intents/${intentId(paymentSecret)}/confirm`, {
      client_secret: paymentSecret ?? '',
      ...cardParams(number, month, year),
    });
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({ error: { type: 'card_error', code } });
  });

  it.each([
    ['succeeded', 'succeeded', 'active'],
    ['failed', 'requires_payment_method', 'incomplete'],
  ])('4000002500003155 waits for the customer, whose authentication %s', async (outcome, after, status) => {
    await using payments = await startPayments();
    const begun = await beginSubscription(payments);
    const { paymentSecret } = begun;
    const answer = await confirm(payments, paymentSecret, 'pm_card_authenticationRequiredOnSetup');
    expect(await answer.json()).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    });
    const id = intentId(paymentSecret);
    await payments.control('POST', `/intents/${id}/authenticate`, { outcome });
    expect(await payments.stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: after,
      next_action: null,
    });
    expect(await readSubscription(payments, begun)).toMatchObject({ status });
  });

  it('the processing card settles after its time, or on demand either way', async () => {
    await using payments = await startPayments({ settleAfterMs: 3_600_000 });
    const first = await beginSubscription(payments);
    const answer = await confirm(payments, first.paymentSecret, 'pm_card_processing');
    expect(await answer.json()).toMatchObject({ status: 'processing' });
    expect(await readSubscription(payments, first)).toMatchObject({
      status: 'incomplete',
    });
    await payments.advanceDays(1 / 24);
    expect(await readSubscription(payments, first)).toMatchObject({
      status: 'active',
    });

    const second = await beginSubscription(payments);
    await confirm(payments, second.paymentSecret, 'pm_card_processing');
    const path = `/payments/${intentId(second.paymentSecret)}/settle`;
    const settled = await payments.control('POST', path, { outcome: 'failed' });
    expect(await settled.json()).toMatchObject({ status: 'requires_payment_method' });
  });

  it('a setup is refused by a declining card, and another card can be saved', async () => {
    await using payments = await startPayments();
    const { setupIntent } = await beginSubscription(payments, { trial_period_days: 14 });
    const secret = setupIntent?.client_secret ?? '';
    const refused = await confirm(payments, secret, 'pm_card_chargeDeclined');
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      error: { code: 'card_declined', setup_intent: { status: 'requires_payment_method' } },
    });
    expect(await (await confirm(payments, secret, 'pm_card_mastercard')).json()).toMatchObject({
      status: 'succeeded',
    });
  });

  it('a setup that was canceled saves no card, and one that has saved a card can’t be canceled', async () => {
    await using payments = await startPayments();
    const { setupIntent } = await beginSubscription(payments, { trial_period_days: 14 });
    const { id = '', client_secret } = setupIntent ?? {};
    expect(await payments.stripe.setupIntents.cancel(id)).toMatchObject({ id, status: 'canceled' });
    const refused = await confirm(payments, client_secret ?? '', 'pm_card_visa');
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: 'setup_intent_unexpected_state', setup_intent: { status: 'canceled' } } },
    ]);
    const { setupIntent: saved } = await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
    for (const done of [id, saved?.id ?? ''])
      await expect(payments.stripe.setupIntents.cancel(done)).rejects.toMatchObject({
        code: 'setup_intent_unexpected_state',
      });
    expect(await payments.eventTypes()).toContain('setup_intent.canceled');
    const missing = payments.stripe.setupIntents.cancel('seti_1');
    await expect(missing).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('what a browser may do', () => {
  it('sees an intent with its own client secret only, and no more of it than the public part', async () => {
    await using payments = await startPayments();
    const { paymentSecret } = await beginSubscription(payments);
    const other = await beginSubscription(payments);
    const path = `/v1/payment_intents/${intentId(paymentSecret)}`;
    const own = await payments.browser('GET', path, { client_secret: paymentSecret ?? '' });
    expect(own.headers.get('access-control-allow-origin')).toBe('*');
    expect(await own.json()).not.toHaveProperty('customer');
    expect((await payments.browser('GET', path, { client_secret: other.paymentSecret ?? '' })).status).toBe(
      400,
    );
    expect((await payments.browser('GET', path)).status).toBe(400);
    expect((await payments.browser('GET', '/v1/customers')).status).toBe(401);
  });

  it('lets the browser ask first from another origin', async () => {
    await using payments = await startPayments();
    const answer = await fetch(`${payments.url}/v1/payment_intents/pi_1`, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization');
  });
});

describe('where Stripe’s documentation leaves a way open', () => {
  const idOf = (reference: string | { id: string } | null) =>
    typeof reference === 'string' ? reference : (reference?.id ?? null);

  it('a trial keeps its card or leaves it to no one, and the customer’s own card is charged for want of another', async () => {
    await using payments = await startPayments();
    const kept = await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
    const ofKept = await readSubscription(payments, kept);
    expect(idOf(ofKept.default_payment_method)).toMatch(/^pm_/);
    const change = await payments.control('PUT', '/behavior', { trialCard: 'on-no-one' });
    expect(await change.json()).toMatchObject({ trialCard: 'on-no-one', portalCard: 'on-subscription' });
    const left = await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
    expect(await readSubscription(payments, left)).toMatchObject({
      pending_setup_intent: null,
      default_payment_method: null,
    });
    const [setup] = (await payments.stripe.setupIntents.list({ customer: left.customer })).data;
    await payments.stripe.customers.update(left.customer, {
      invoice_settings: { default_payment_method: idOf(setup?.payment_method ?? null) ?? '' },
    });
    await payments.advanceDays(14);
    expect(await readSubscription(payments, left)).toMatchObject({ status: 'active' });
  });

  it('a detached card is charged no more, whether the subscription still names it or not', async () => {
    for (const detachedCard of ['forgotten', 'still-named']) {
      await using payments = await startPayments();
      await payments.control('PUT', '/behavior', { detachedCard });
      const trial = await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
      const id = idOf((await readSubscription(payments, trial)).default_payment_method) ?? '';
      await payments.stripe.customers.update(trial.customer, {
        invoice_settings: { default_payment_method: id },
      });
      expect(await payments.stripe.paymentMethods.detach(id)).toMatchObject({ id, customer: null });
      await expect(payments.stripe.paymentMethods.detach(id)).rejects.toMatchObject({ statusCode: 400 });
      const named = idOf((await readSubscription(payments, trial)).default_payment_method);
      expect(named).toBe(detachedCard === 'forgotten' ? null : id);
      expect(await payments.stripe.customers.retrieve(trial.customer)).toMatchObject({
        invoice_settings: { default_payment_method: null },
      });
      expect(await payments.eventTypes()).toContain('payment_method.detached');
      await payments.advanceDays(14);
      expect(await readSubscription(payments, trial)).toMatchObject({ status: 'canceled' });
    }
  });
});
