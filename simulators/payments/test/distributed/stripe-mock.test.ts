import { type StripeMock, startStripeMock } from '@casewatch/testing/stripe-mock';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentsUnderTest, sdk, startPayments } from '../start-payments.ts';
import { beginSubscription, intentId, MONTHLY, subscribe, YEARLY } from '../subscribe.ts';

/** Building it for the first time takes a minute or more. */
const BUILD_WITHIN_MS = 600_000;

let mock: StripeMock;
beforeAll(async () => {
  mock = await startStripeMock();
}, BUILD_WITHIN_MS);
afterAll(() => mock.stop());

/** What exists in the simulator, for the calls that name it. */
interface Known {
  customer: string;
  subscription: string;
  item: string;
  periodStart: number;
  invoice: string;
  payment: string;
  charge: string;
  method: string;
  /** Not confirmed yet. */
  setup: string;
}

type Call = [name: string, call: (stripe: Stripe, known: Known) => Promise<unknown>];

const SUBSCRIPTION_PARTS = [
  'latest_invoice.confirmation_secret',
  'pending_setup_intent',
  'default_payment_method',
];

/** Every kind of call that the product makes. */
const CALLS: readonly Call[] = [
  [
    'create a customer',
    (s) => s.customers.create({ email: 'a@b.test', name: 'A B', metadata: { user_id: '1' } }),
  ],
  ['retrieve a customer', (s, { customer }) => s.customers.retrieve(customer)],
  ['list customers', (s) => s.customers.list({ limit: 100 })],
  [
    'list prices',
    (s) => s.prices.list({ active: true, limit: 100, lookup_keys: ['pro_monthly', 'pro_yearly'] }),
  ],
  [
    'create a price',
    (s) =>
      s.prices.create({
        product: 'prod_CasewatchPro',
        currency: 'usd',
        unit_amount: 500,
        recurring: { interval: 'month' },
      }),
  ],
  [
    'create a subscription',
    (s, { customer }) =>
      s.subscriptions.create({
        customer,
        items: [{ price: MONTHLY }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        metadata: { user_id: '1' },
        expand: SUBSCRIPTION_PARTS,
      }),
  ],
  [
    'create a subscription with a trial',
    (s, { customer }) =>
      s.subscriptions.create({
        customer,
        items: [{ price: YEARLY }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        trial_period_days: 14,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      }),
  ],
  [
    'list a customer’s subscriptions',
    (s, { customer }) =>
      s.subscriptions.list({
        customer,
        status: 'all',
        limit: 100,
        expand: SUBSCRIPTION_PARTS.map((part) => `data.${part}`),
      }),
  ],
  [
    'cancel at the end of the period',
    (s, { subscription }) => s.subscriptions.update(subscription, { cancel_at_period_end: true }),
  ],
  [
    'set the card of a subscription',
    (s, { subscription, method }) => s.subscriptions.update(subscription, { default_payment_method: method }),
  ],
  [
    'preview a change of the price',
    (s, { customer, subscription, item, periodStart }) =>
      s.invoices.createPreview({
        customer,
        subscription,
        subscription_details: {
          items: [{ id: item, price: YEARLY }],
          proration_behavior: 'always_invoice',
          proration_date: periodStart,
        },
      }),
  ],
  [
    'change the price',
    (s, { subscription, item, periodStart }) =>
      s.subscriptions.update(subscription, {
        items: [{ id: item, price: YEARLY }],
        proration_behavior: 'always_invoice',
        proration_date: periodStart,
        payment_behavior: 'pending_if_incomplete',
        expand: SUBSCRIPTION_PARTS,
      }),
  ],
  [
    'place a customer for taxes',
    (s, { customer }) =>
      s.customers.update(customer, {
        address: { country: 'US', postal_code: '10001' },
        tax: { validate_location: 'immediately' },
      }),
  ],
  ['ask where a customer is taxed', (s, { customer }) => s.customers.retrieve(customer, { expand: ['tax'] })],
  [
    'preview the next invoice with taxes',
    (s, { customer, subscription }) =>
      s.invoices.createPreview({ customer, subscription, automatic_tax: { enabled: true } }),
  ],
  ['list invoices', (s, { customer }) => s.invoices.list({ customer, limit: 24, expand: ['data.payments'] })],
  ['retrieve an invoice', (s, { invoice }) => s.invoices.retrieve(invoice)],
  ['retrieve a payment intent', (s, { payment }) => s.paymentIntents.retrieve(payment)],
  ['cancel a setup intent', (s, { setup }) => s.setupIntents.cancel(setup)],
  ['list charges', (s, { customer }) => s.charges.list({ customer, limit: 100 })],
  ['list disputes', (s, { payment }) => s.disputes.list({ payment_intent: payment, limit: 100 })],
  [
    'open the portal',
    (s, { customer }) =>
      s.billingPortal.sessions.create({ customer, return_url: 'https://example.com/profile' }),
  ],
  ['refund a payment', (s, { charge }) => s.refunds.create({ charge, amount: 100 })],
  ['end a subscription', (s, { subscription }) => s.subscriptions.cancel(subscription)],
  [
    'change a customer',
    (s, { customer }) => s.customers.update(customer, { email: 'ana@example.com', name: 'Ana' }),
  ],
  ['delete a customer', (s, { customer }) => s.customers.del(customer)],
];

describe('every call is taken alike by the simulator and by Stripe’s description of its API', () => {
  it.each(CALLS)('%s', async (_name, call) => {
    await using payments = await startPayments();
    const known = await makeKnown(payments);
    const ours = await call(payments.stripe, known);
    const theirs = await call(sdk(mock.url), known);
    expect(unknownNames(ours, theirs)).toEqual([]);
  });

  it('refuses what is not in it on both sides', async () => {
    await using payments = await startPayments();
    const { customer } = await beginSubscription(payments);
    for (const stripe of [payments.stripe, sdk(mock.url)]) {
      await expect(
        stripe.rawRequest('POST', '/v1/subscriptions', {
          customer,
          items: [{ price: MONTHLY }],
          frequency: 'daily',
        }),
      ).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
    }
  });
});

async function makeKnown(payments: PaymentsUnderTest): Promise<Known> {
  const { customer, subscription, paymentSecret } = await subscribe(payments);
  const { setupIntent } = await beginSubscription(payments, { trial_period_days: 14 });
  const payment = intentId(paymentSecret);
  const { latest_charge, payment_method } = await payments.stripe.paymentIntents.retrieve(payment);
  const { latest_invoice: invoice, items } = subscription;
  return {
    customer,
    subscription: subscription.id,
    item: items.data[0]?.id ?? '',
    periodStart: items.data[0]?.current_period_start ?? 0,
    invoice: typeof invoice === 'string' ? invoice : (invoice?.id ?? ''),
    payment,
    charge: String(latest_charge),
    method: String(payment_method),
    setup: setupIntent?.id ?? '',
  };
}

/** Names in our answer that Stripe's sample of the same object does not have, at the top and in the first of a list. */
function unknownNames(ours: unknown, theirs: unknown): string[] {
  const [one, other] = [firstOf(ours), firstOf(theirs)];
  if (one === undefined || other === undefined) return [];
  return Object.keys(one).filter((name) => !(name in other));
}

function firstOf(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const data: unknown = Reflect.get(value, 'data');
  if (!Array.isArray(data)) return value;
  const [first]: unknown[] = data;
  return typeof first === 'object' && first !== null ? first : undefined;
}
