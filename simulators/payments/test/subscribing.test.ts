import { describe, expect, it } from 'vitest';
import { startPayments } from './start-payments.ts';
import {
  beginSubscription,
  confirm,
  intentId,
  MONTHLY,
  readSubscription,
  subscribe,
  YEARLY,
} from './subscribe.ts';

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
    const begun = await beginSubscription(payments);
    const { subscription, paymentSecret } = begun;
    const answer = await confirm(payments, paymentSecret, 'pm_card_visa');
    expect(answer.status).toBe(200);
    const intent = await answer.json();
    expect(intent).toMatchObject({
      object: 'payment_intent',
      status: 'succeeded',
      client_secret: paymentSecret,
    });
    expect(intent).not.toHaveProperty('customer');

    const now = await readSubscription(payments, begun);
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

  it('sends its events, each once', async () => {
    await using payments = await startPayments();
    await subscribe(payments);
    expect((await payments.eventTypes()).sort()).toEqual(
      [
        'charge.succeeded',
        'customer.created',
        'customer.subscription.created',
        'customer.subscription.updated',
        'invoice.created',
        'invoice.finalized',
        'invoice.paid',
        'invoice.payment_succeeded',
        'payment_intent.created',
        'payment_intent.succeeded',
        'payment_method.attached',
      ].sort(),
    );
  });

  it('expires unpaid after 23 hours, and its payment with it', async () => {
    await using payments = await startPayments();
    const begun = await beginSubscription(payments);
    const { paymentSecret } = begun;
    await payments.advanceDays(23 / 24);
    expect(await readSubscription(payments, begun)).toMatchObject({ status: 'incomplete_expired' });
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
    const begun = await beginSubscription(payments, { trial_period_days: 14 });
    const { subscription, setupIntent, paymentSecret } = begun;
    expect(subscription).toMatchObject({
      status: 'trialing',
      trial_end: seconds('2026-01-15T12:00:00Z'),
      latest_invoice: { status: 'paid', amount_due: 0 },
    });
    expect(paymentSecret).toBeUndefined();
    expect(setupIntent).toMatchObject({ status: 'requires_payment_method' });

    const answer = await confirm(payments, setupIntent?.client_secret ?? '', 'pm_card_visa');
    expect(await answer.json()).toMatchObject({ object: 'setup_intent', status: 'succeeded' });
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'trialing',
      pending_setup_intent: null,
      default_payment_method: { card: { last4: '4242' } },
    });
  });

  it('is charged at the end of the trial', async () => {
    await using payments = await startPayments();
    const begun = await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
    await payments.advanceDays(14.1);
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid', amount_paid: 900, billing_reason: 'subscription_cycle' },
      items: { data: [{ current_period_end: seconds('2026-02-15T12:00:00Z') }] },
    });
  });
});
