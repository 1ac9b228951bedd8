import { describe, expect, it } from 'vitest';
import { startPayments } from './start-payments.ts';
import { beginSubscription, confirm, intentId, MONTHLY, subscribe, YEARLY } from './subscribe.ts';

const seconds = (date: string) => Date.parse(date) / 1000;

describe('a subscription with a first payment', () => {
  it('is incomplete, with an open invoice and a secret for the browser, until it is paid', async () => {
    await using payments = await startPayments();
    const { subscription, paymentSecret } = await beginSubscription(payments);
    expect(subscription).toMatchObject({
      status: 'incomplete',
      pending_setup_intent: null,
      latest_invoice: { status: 'open', amount_due: 900, billing_reason: 'subscription_create' },
    });
    expect(paymentSecret).toMatch(/^pi_[0-9A-Za-z]{24}_secret_[0-9A-Za-z]{25}$/);
  });

  it('is active, with its card and a paid invoice, once the browser confirmed the payment', async () => {
    await using payments = await startPayments();
    const { subscription, paymentSecret } = await beginSubscription(payments);
    const answer = await confirm(payments, paymentSecret, 'pm_card_visa');
    expect(answer.status).toBe(200);
    const intent = await answer.json();
    expect(intent).toMatchObject({
      object: 'payment_intent',
      status: 'succeeded',
      client_secret: paymentSecret,
    });
    expect(intent).not.toHaveProperty('customer');

    const now = await payments.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['default_payment_method', 'latest_invoice.payments'],
    });
    expect(now).toMatchObject({
      status: 'active',
      default_payment_method: { object: 'payment_method', card: { brand: 'visa', last4: '4242' } },
      latest_invoice: {
        status: 'paid',
        amount_paid: 900,
        parent: { subscription_details: { subscription: subscription.id } },
        payments: { data: [{ status: 'paid', payment: { payment_intent: intentId(paymentSecret) } }] },
      },
      items: {
        data: [
          {
            price: { id: MONTHLY },
            current_period_start: seconds('2026-01-01T12:00:00Z'),
            current_period_end: seconds('2026-02-01T12:00:00Z'),
          },
        ],
      },
    });
    expect(now).not.toHaveProperty('current_period_end');
    expect(now.latest_invoice).not.toHaveProperty('payment_intent');
  });

  it('sends the events that tell of it, each once', async () => {
    await using payments = await startPayments();
    await subscribe(payments);
    await payments.inbox.until(12);
    expect(payments.inbox.types().sort()).toEqual(
      [
        'charge.succeeded',
        'customer.created',
        'customer.subscription.created',
        'customer.subscription.updated',
        'invoice.created',
        'invoice.finalized',
        'invoice.paid',
        'invoice.payment_succeeded',
        'invoice_payment.paid',
        'payment_intent.created',
        'payment_intent.succeeded',
        'payment_method.attached',
      ].sort(),
    );
  });

  it('expires unpaid after 23 hours, and its payment with it', async () => {
    await using payments = await startPayments();
    const { subscription, paymentSecret } = await beginSubscription(payments);
    await payments.advanceDays(23 / 24);
    expect(await payments.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'incomplete_expired',
    });
    const late = await confirm(payments, paymentSecret, 'pm_card_visa');
    expect(late.status).toBe(400);
    expect(await late.json()).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } });
  });

  it('costs 90 dollars for a year with the yearly price', async () => {
    await using payments = await startPayments();
    const { subscription } = await beginSubscription(payments, { items: [{ price: YEARLY }] });
    expect(subscription).toMatchObject({
      latest_invoice: { amount_due: 9_000 },
      items: { data: [{ current_period_end: seconds('2027-01-01T12:00:00Z') }] },
    });
  });
});

describe('a subscription with a trial', () => {
  it('is trialing at once and saves the card through a setup intent', async () => {
    await using payments = await startPayments();
    const { subscription, setupIntent, paymentSecret } = await beginSubscription(payments, {
      trial_period_days: 14,
    });
    expect(subscription).toMatchObject({
      status: 'trialing',
      trial_end: seconds('2026-01-15T12:00:00Z'),
      latest_invoice: { status: 'paid', amount_due: 0 },
    });
    expect(paymentSecret).toBeUndefined();
    expect(setupIntent).toMatchObject({ status: 'requires_payment_method' });

    const answer = await confirm(payments, setupIntent?.client_secret ?? '', 'pm_card_visa');
    expect(await answer.json()).toMatchObject({ object: 'setup_intent', status: 'succeeded' });
    expect(
      await payments.stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method'] }),
    ).toMatchObject({
      status: 'trialing',
      pending_setup_intent: null,
      default_payment_method: { card: { last4: '4242' } },
    });
  });

  it('is announced as ending three days before, and then charged', async () => {
    await using payments = await startPayments();
    const { subscription } = await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
    await payments.advanceDays(10.9);
    const ending = { type: 'customer.subscription.trial_will_end' };
    expect((await payments.stripe.events.list(ending)).data).toHaveLength(0);
    await payments.advanceDays(0.2);
    expect((await payments.stripe.events.list(ending)).data).toHaveLength(1);
    await payments.advanceDays(3);
    expect(
      await payments.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] }),
    ).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid', amount_paid: 900, billing_reason: 'subscription_cycle' },
      items: { data: [{ current_period_end: seconds('2026-02-15T12:00:00Z') }] },
    });
  });
});
