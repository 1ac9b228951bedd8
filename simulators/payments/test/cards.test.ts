import { describe, expect, it } from 'vitest';
import { startPayments } from './start-payments.ts';
import { beginSubscription, confirm, intentId } from './subscribe.ts';

describe('test cards', () => {
  it.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
    ['4000000000000341', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ])('%s is declined with 402 %s, and another card can pay', async (number, code, decline_code, message) => {
    await using payments = await startPayments();
    const { subscription, paymentSecret } = await beginSubscription(payments);
    const path = `/v1/payment_intents/${intentId(paymentSecret)}/confirm`;
    const answer = await payments.browser('POST', path, {
      client_secret: paymentSecret ?? '',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '34',
      'payment_method_data[card][cvc]': '123',
    });
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({
      error: {
        type: 'card_error',
        code,
        decline_code,
        message,
        payment_intent: { status: 'requires_payment_method', last_payment_error: { code } },
        payment_method: { card: { last4: number.slice(-4) } },
      },
    });
    expect(await payments.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'incomplete',
    });
    expect((await confirm(payments, paymentSecret, 'pm_card_visa')).status).toBe(200);
  });

  it.each([
    ['4242424242424241', '12', '34', 'incorrect_number'],
    ['4111111111111111', '12', '34', 'card_declined'],
    ['4242424242424242', '13', '34', 'invalid_expiry_month'],
    ['4242424242424242', '12', '24', 'invalid_expiry_year'],
  ])('%s, expiring %s/%s, is refused with %s', async (number, month, year, code) => {
    await using payments = await startPayments();
    const answer = await payments.browser('POST', '/v1/payment_methods', {
      type: 'card',
      'card[number]': number,
      'card[exp_month]': month,
      'card[exp_year]': year,
    });
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({ error: { type: 'card_error', code } });
  });

  it.each([
    ['succeeded', 'succeeded', 'active'],
    ['failed', 'requires_payment_method', 'incomplete'],
  ])('4000002500003155 waits for the customer, whose authentication %s', async (outcome, after, status) => {
    await using payments = await startPayments();
    const { subscription, paymentSecret } = await beginSubscription(payments);
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
    expect(await payments.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status });
  });

  it('without the browser script an authentication is a page to go to', async () => {
    await using payments = await startPayments();
    const { paymentSecret } = await beginSubscription(payments);
    const answer = await confirm(payments, paymentSecret, 'pm_card_authenticationRequired', {
      use_stripe_sdk: 'false',
      return_url: 'https://example.com/',
    });
    expect(await answer.json()).toMatchObject({
      next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: 'https://example.com/' } },
    });
  });

  it('the processing card settles after its time, or on demand either way', async () => {
    await using payments = await startPayments({ settleAfterMs: 60_000 });
    const first = await beginSubscription(payments);
    const answer = await confirm(payments, first.paymentSecret, 'pm_card_processing');
    expect(await answer.json()).toMatchObject({ status: 'processing' });
    expect(await payments.stripe.subscriptions.retrieve(first.subscription.id)).toMatchObject({
      status: 'incomplete',
    });
    await payments.control('POST', '/clock', { advanceSeconds: 60 });
    expect(await payments.stripe.subscriptions.retrieve(first.subscription.id)).toMatchObject({
      status: 'active',
    });

    const second = await beginSubscription(payments);
    await confirm(payments, second.paymentSecret, 'pm_card_processing');
    const path = `/payments/${intentId(second.paymentSecret)}/settle`;
    const settled = await payments.control('POST', path, { outcome: 'failed' });
    expect(await settled.json()).toMatchObject({ status: 'requires_payment_method' });
  });

  it('a setup is refused by a declining card, and taken by one that fails only when it is charged', async () => {
    await using payments = await startPayments();
    const { setupIntent } = await beginSubscription(payments, { trial_period_days: 14 });
    const secret = setupIntent?.client_secret ?? '';
    const refused = await confirm(payments, secret, 'pm_card_chargeDeclined');
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      error: { code: 'card_declined', setup_intent: { status: 'requires_payment_method' } },
    });
    expect(await (await confirm(payments, secret, 'pm_card_chargeCustomerFail')).json()).toMatchObject({
      status: 'succeeded',
    });
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
