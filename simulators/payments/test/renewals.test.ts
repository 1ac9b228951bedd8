import { describe, expect, it } from 'vitest';
import { startPayments } from './start-payments.ts';
import { beginSubscription, confirm, readSubscription, subscribe } from './subscribe.ts';

const seconds = (date: string) => Date.parse(date) / 1000;

describe('renewals', () => {
  it('charge the card at the end of every period, on the day it began or the last of the month', async () => {
    await using payments = await startPayments();
    await payments.advanceDays(30);
    const { customer } = await subscribe(payments);
    await payments.advanceDays(365);
    const charges = await payments.stripe.charges.list({ customer, limit: 100 });
    expect(charges.data).toHaveLength(13);
    expect(charges.data.every(({ status }) => status === 'succeeded')).toBe(true);
    const [february, march] = charges.data.slice(-3, -1).reverse();
    expect(february?.created).toBe(seconds('2026-02-28T12:00:00Z'));
    expect(march?.created).toBe(seconds('2026-03-31T12:00:00Z'));
  });

  it('end the subscription instead when it was canceled, and continue when the cancellation was revoked', async () => {
    await using payments = await startPayments();
    const [ending, staying] = [await subscribe(payments), await subscribe(payments)];
    for (const { subscription } of [ending, staying]) {
      const asked = await payments.stripe.subscriptions.update(subscription.id, {
        cancel_at_period_end: true,
      });
      expect(asked).toMatchObject({ status: 'active', cancel_at: seconds('2026-02-01T12:00:00Z') });
    }
    await payments.stripe.subscriptions.update(staying.subscription.id, { cancel_at_period_end: false });
    await payments.advanceDays(31);
    expect(await readSubscription(payments, ending)).toMatchObject({
      status: 'canceled',
      ended_at: seconds('2026-02-01T12:00:00Z'),
      cancellation_details: { reason: 'cancellation_requested' },
    });
    expect(await readSubscription(payments, staying)).toMatchObject({
      status: 'active',
      cancel_at: null,
    });
  });

  it('that fail make the subscription past due, are tried again after 3, 5 and 7 days, and then end it', async () => {
    await using payments = await startPayments();
    const begun = await subscribe(payments, 'pm_card_renewalDeclined');
    const before = (await payments.eventTypes()).length;
    await payments.advanceDays(31);
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'past_due',
      latest_invoice: {
        status: 'open',
        attempt_count: 1,
        next_payment_attempt: seconds('2026-02-04T12:00:00Z'),
      },
    });
    expect((await payments.eventTypes()).slice(before)).toEqual(
      expect.arrayContaining(['payment_intent.payment_failed', 'invoice.payment_failed', 'charge.failed']),
    );
    await payments.advanceDays(14.9);
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'past_due',
      latest_invoice: { attempt_count: 3 },
    });
    await payments.advanceDays(0.2);
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
      latest_invoice: { attempt_count: 4, next_payment_attempt: null },
    });
  });

  it('that failed are made good by the customer with another card', async () => {
    await using payments = await startPayments();
    const begun = await subscribe(payments, 'pm_card_renewalDeclined');
    await payments.advanceDays(31);
    const { latest_invoice: invoice } = await readSubscription(payments, begun);
    const secret = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : undefined;
    expect((await confirm(payments, secret, 'pm_card_visa')).status).toBe(200);
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid' },
    });
    await payments.advanceDays(28);
    expect(await readSubscription(payments, begun)).toMatchObject({ status: 'active' });
  });
});

describe('a pause of the payments', () => {
  it.for([
    { behavior: 'keep_as_draft', leaves: 'draft' },
    { behavior: 'mark_uncollectible', leaves: 'uncollectible' },
    { behavior: 'void', leaves: 'void' },
  ] as const)('leaves the invoices $leaves until it ends: $behavior', async ({ behavior, leaves }) => {
    await using payments = await startPayments();
    const begun = await subscribe(payments);
    const paid = async () =>
      (await payments.stripe.charges.list({ customer: begun.customer, limit: 100 })).data.length;
    const resumes_at = seconds('2026-03-15T12:00:00Z');
    await payments.stripe.subscriptions.update(begun.subscription.id, {
      pause_collection: { behavior, resumes_at },
    });
    await payments.advanceDays(60);
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'active',
      pause_collection: { behavior, resumes_at },
      latest_invoice: { status: leaves, amount_paid: 0, attempted: false },
    });
    expect(await paid()).toBe(1);
    await payments.advanceDays(31);
    expect(await readSubscription(payments, begun)).toMatchObject({
      pause_collection: null,
      latest_invoice: { status: 'paid' },
    });
    expect(await paid()).toBe(2);
  });

  it('without an end lasts until it is taken back', async () => {
    await using payments = await startPayments();
    const begun = await subscribe(payments);
    const change = (pause_collection: '' | { behavior: 'void' }) =>
      payments.stripe.subscriptions.update(begun.subscription.id, { pause_collection });
    await change({ behavior: 'void' });
    await payments.advanceDays(31);
    expect(await readSubscription(payments, begun)).toMatchObject({ latest_invoice: { status: 'void' } });
    await change('');
    await payments.advanceDays(31);
    expect(await readSubscription(payments, begun)).toMatchObject({ latest_invoice: { status: 'paid' } });
  });
});

describe('the end of a trial', () => {
  it('without a card ends the subscription', async () => {
    await using payments = await startPayments();
    const begun = await beginSubscription(payments, { trial_period_days: 14 });
    await payments.advanceDays(14);
    expect(await readSubscription(payments, begun)).toMatchObject({ status: 'canceled' });
  });

  it('charges the price that was chosen last', async () => {
    await using payments = await startPayments();
    const begun = await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
    const { subscription } = begun;
    await payments.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: 'price_CasewatchProYearly' }],
      proration_behavior: 'none',
    });
    await payments.advanceDays(14);
    expect(await readSubscription(payments, begun)).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 9_000 },
      items: { data: [{ current_period_end: seconds('2027-01-15T12:00:00Z') }] },
    });
  });
});

describe('other ends', () => {
  it('deleting the customer ends the subscription, with an event for each', async () => {
    await using payments = await startPayments();
    const begun = await subscribe(payments);
    const { customer } = begun;
    expect(await payments.stripe.customers.del(customer)).toEqual(
      expect.objectContaining({ id: customer, object: 'customer', deleted: true }),
    );
    expect(await readSubscription(payments, begun)).toMatchObject({ status: 'canceled' });
    expect(await payments.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
    await expect(payments.stripe.billingPortal.sessions.create({ customer })).rejects.toMatchObject({
      code: 'resource_missing',
    });
    const deleted = (await payments.eventTypes()).filter((type) => type.endsWith('.deleted'));
    expect(deleted).toEqual(['customer.subscription.deleted', 'customer.deleted']);
  });

  it('an ended subscription can’t be ended again or changed', async () => {
    await using payments = await startPayments();
    const { subscription } = await subscribe(payments);
    expect(await payments.stripe.subscriptions.cancel(subscription.id)).toMatchObject({ status: 'canceled' });
    await expect(payments.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(
      payments.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
    ).rejects.toMatchObject({ statusCode: 400, code: 'invalid_canceled_subscription_fields' });
  });

  it('refunds and disputes send events and leave the subscription alone', async () => {
    await using payments = await startPayments();
    const begun = await subscribe(payments);
    const { customer } = begun;
    const [{ id: charge = '', payment_intent = null } = {}] = (
      await payments.stripe.charges.list({ customer })
    ).data;
    await payments.stripe.refunds.create({ charge, amount: 400 });
    await payments.stripe.refunds.create({ charge });
    expect((await payments.stripe.charges.list({ customer })).data).toMatchObject([
      { amount_refunded: 900, refunded: true },
    ]);
    await expect(payments.stripe.refunds.create({ charge })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    const dispute = (await (await payments.control('POST', `/charges/${charge}/dispute`, {})).json()) as {
      id: string;
    };
    await payments.control('POST', `/disputes/${dispute.id}/close`, { outcome: 'lost' });
    expect(
      (await payments.stripe.disputes.list({ payment_intent: String(payment_intent) })).data,
    ).toMatchObject([{ status: 'lost' }]);
    expect((await payments.eventTypes()).filter((type) => type.startsWith('charge.')).sort()).toEqual([
      'charge.dispute.closed',
      'charge.dispute.created',
      'charge.refunded',
      'charge.refunded',
      'charge.succeeded',
    ]);
    expect(await readSubscription(payments, begun)).toMatchObject({ status: 'active' });
  });
});
