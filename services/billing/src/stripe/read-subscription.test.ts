import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { ProviderSubscription } from '../domain/provider.ts';
import {
  isPaidBack,
  type Reversal,
  readListedInvoice,
  readPrice,
  readSubscription,
  unpaidSinceMs,
} from './read-subscription.ts';
import { idOf } from './references.ts';

const price = { id: 'price_1', unit_amount: 900, nickname: 'Pro', recurring: { interval: 'month' } };
const subscription = {
  id: 'sub_1',
  status: 'active',
  created: 1_000,
  items: { data: [{ id: 'si_1', price, current_period_start: 900, current_period_end: 5_000 }] },
  cancel_at: null,
  cancel_at_period_end: false,
  ended_at: null,
  trial_start: null,
  trial_end: null,
  default_payment_method: null,
  pending_setup_intent: null,
  pending_update: null,
  pause_collection: null,
  discounts: [],
  latest_invoice: null,
  cancellation_details: null,
  metadata: {},
};
const invoice = {
  id: 'in_1',
  status: 'open',
  created: 2_000,
  amount_paid: 0,
  amount_due: 950,
  number: 'N-1',
  hosted_invoice_url: 'https://stripe.test/in_1',
  status_transitions: { finalized_at: 3_000 },
  confirmation_secret: { client_secret: 'pi_1_secret' },
};
// Only what is read is there.
const read = (changes: object) =>
  readSubscription({ ...subscription, ...changes } as unknown as Stripe.Subscription);
const invoiceOf = (changes: object = {}) => ({ ...invoice, ...changes }) as unknown as Stripe.Invoice;
const priceOf = (changes: object) => readPrice({ ...price, ...changes } as unknown as Stripe.Price);

test('a subscription is read with its parts, its times in milliseconds', () => {
  expect(
    read({
      trial_start: 1_100,
      trial_end: 1_200,
      metadata: { first_trial: 'true' },
      default_payment_method: {
        type: 'card',
        card: { brand: 'visa', last4: '4242', fingerprint: 'Xt5EWLLDS7FJjR1c' },
      },
      pending_setup_intent: {
        id: 'seti_1',
        status: 'succeeded',
        client_secret: 'seti_1_secret',
        payment_method: { id: 'pm_1' },
      },
      latest_invoice: invoice,
    }),
  ).toEqual({
    id: 'sub_1',
    status: 'active',
    createdMs: 1_000_000,
    price: { id: 'price_1', cents: 900, interval: 'month', name: 'Pro' },
    itemId: 'si_1',
    periodStartsMs: 900_000,
    periodEndsMs: 5_000_000,
    cancelsMs: null,
    cancelsByDate: false,
    trialStartsMs: 1_100_000,
    trialEndsMs: 1_200_000,
    card: { brand: 'visa', last4: '4242' },
    hasPaymentMethod: true,
    cardToUse: null,
    isFirstTrial: true,
    payer: 'card Xt5EWLLDS7FJjR1c',
    endedFor: null,
    setup: { id: 'seti_1', succeeded: true, clientSecret: 'seti_1_secret' },
    changePending: false,
    latestInvoice: {
      id: 'in_1',
      status: 'open',
      paidCents: 0,
      finalizedMs: 3_000_000,
      clientSecret: 'pi_1_secret',
    },
    pause: null,
    unpaidSinceMs: null,
    paidBack: false,
  });
});

test.each<[string, object, Partial<ProviderSubscription>]>([
  [
    'nothing else',
    {},
    {
      card: null,
      hasPaymentMethod: false,
      isFirstTrial: false,
      payer: null,
      setup: null,
      latestInvoice: null,
      trialStartsMs: null,
      trialEndsMs: null,
    },
  ],
  [
    'a payment method that is no card',
    { default_payment_method: { type: 'link', link: { email: 'Ana+1@Example.org' } } },
    { card: null, hasPaymentMethod: true, payer: 'link ana@example.org' },
  ],
  [
    'a bank account',
    { default_payment_method: { type: 'us_bank_account', us_bank_account: { fingerprint: 'b4nk' } } },
    { card: null, payer: 'us_bank_account b4nk' },
  ],
  [
    'a payment method that nothing is known of',
    { default_payment_method: { type: 'cashapp', cashapp: {} } },
    { hasPaymentMethod: true, payer: null },
  ],
  [
    'a wallet that does not show the card',
    { default_payment_method: { type: 'card', card: { brand: 'visa', last4: '4242', fingerprint: null } } },
    { hasPaymentMethod: true, payer: null },
  ],
  [
    'a card that is confirmed and not used yet',
    {
      pending_setup_intent: {
        id: 'seti_1',
        status: 'succeeded',
        client_secret: 'seti_1_secret',
        payment_method: { id: 'pm_1', type: 'card', card: { fingerprint: 'f1' } },
      },
    },
    { hasPaymentMethod: false, payer: 'card f1' },
  ],
  ['a discount of some months', { discounts: [{ end: 7_000 }] }, { discountEndsMs: 7_000_000 }],
  [
    'a pause of its payments',
    { pause_collection: { behavior: 'void', resumes_at: 6_000 } },
    { status: 'active', pause: { resumesMs: 6_000_000 } },
  ],
  [
    'a pause without an end',
    { pause_collection: { behavior: 'keep_as_draft', resumes_at: null } },
    { pause: { resumesMs: null } },
  ],
  [
    'parts that were not expanded',
    { default_payment_method: 'pm_1', latest_invoice: 'in_1' },
    { card: null, hasPaymentMethod: true, latestInvoice: null },
  ],
  [
    'a card that is not confirmed',
    { pending_setup_intent: { id: 'seti_1', status: 'requires_action', client_secret: 'seti_1_secret' } },
    { setup: { id: 'seti_1', succeeded: false, clientSecret: 'seti_1_secret' } },
  ],
  [
    'a canceled setup, whose secret is of no use',
    { pending_setup_intent: { id: 'seti_1', status: 'canceled', client_secret: 'seti_1_secret' } },
    { setup: { id: 'seti_1', succeeded: false, clientSecret: null } },
  ],
  ['an end', { ended_at: 4_000, cancel_at: 4_500, cancel_at_period_end: true }, { cancelsMs: 4_000_000 }],
  ['a cancellation by a date', { cancel_at: 4_500 }, { cancelsMs: 4_500_000, cancelsByDate: true }],
  [
    'a cancellation at the end of its period',
    { cancel_at: 5_000, cancel_at_period_end: true },
    { cancelsMs: 5_000_000, cancelsByDate: false },
  ],
  [
    'such a cancellation without its date',
    { cancel_at_period_end: true },
    { cancelsMs: 5_000_000, cancelsByDate: false },
  ],
  [
    'an end by failed payments',
    { cancellation_details: { reason: 'payment_failed' } },
    { endedFor: 'payment-failed' },
  ],
  ['an end by a dispute', { cancellation_details: { reason: 'payment_disputed' } }, { endedFor: 'refunded' }],
  ['an end by request', { cancellation_details: { reason: 'cancellation_requested' } }, { endedFor: null }],
])('a subscription is read with %s', (_what, changes, expected) => {
  expect(read(changes)).toMatchObject(expected);
});

test('an invoice without secret or finalization is read as it is', () => {
  const bare = { confirmation_secret: null, status_transitions: { finalized_at: null } };
  expect(read({ latest_invoice: invoiceOf({ ...bare, status: null }) }).latestInvoice).toMatchObject({
    status: 'draft',
    finalizedMs: 2_000_000,
    clientSecret: null,
  });
});

const paidBy = (status: string, ...intents: (string | null)[]) =>
  invoiceOf({
    status,
    payments: { data: intents.map((payment_intent) => ({ payment: { payment_intent } })) },
  });
const renewed = [paidBy('paid', 'pi_2'), paidBy('paid', null, 'pi_1')];

test.each<[string, Stripe.Invoice[], [string, Reversal][], boolean]>([
  ['whose newest payment was refunded is', renewed, [['pi_2', 'refunded']], true],
  ['of which an older payment was refunded is not', renewed, [['pi_1', 'refunded']], false],
  ['of which an older payment was lost is', renewed, [['pi_1', 'lost']], true],
  ['with another’s payment refunded or lost is not', renewed, [['pi_3', 'lost']], false],
  [
    'whose newest payment was refunded is, despite a draft,',
    [paidBy('draft'), ...renewed],
    [['pi_2', 'refunded']],
    true,
  ],
  [
    'whose newest payment was refunded is, despite an open invoice,',
    [paidBy('open', 'pi_3'), ...renewed],
    [['pi_2', 'refunded']],
    true,
  ],
  ['without a paid invoice is not', [paidBy('open', 'pi_3')], [['pi_2', 'refunded']], false],
  ['whose invoices have no payments is not', [invoiceOf({ status: 'paid' })], [['pi_2', 'refunded']], false],
])('a subscription %s paid back', (_what, invoices, reversals, expected) => {
  expect(isPaidBack(invoices, new Map(reversals))).toBe(expected);
});

test('a subscription without an item, or with a status that is not known, is none of ours', () => {
  expect(() => read({ items: { data: [] } })).toThrow('sub_1 has no item');
  expect(() => read({ status: 'resting' })).toThrow('sub_1 is resting, which is unknown');
});

test('a price has the name that it has at Stripe, else that of its interval', () => {
  expect(priceOf({ nickname: null })).toMatchObject({ interval: 'month', name: 'Monthly' });
  expect(priceOf({ nickname: '', recurring: { interval: 'year' } })).toMatchObject({
    interval: 'year',
    name: 'Yearly',
  });
  expect(priceOf({ unit_amount: null, recurring: null })).toMatchObject({ cents: 0, interval: 'month' });
});

test('a reference is an id, an object with one, or none', () => {
  expect([idOf('a'), idOf({ id: 'b' }), idOf(null), idOf(undefined), idOf('')]).toEqual([
    'a',
    'b',
    null,
    null,
    null,
  ]);
});

test.each<[string, [string, number | null, object?][], number | null]>([
  ['nothing where there are no invoices', [], null],
  [
    'nothing where the newest is paid',
    [
      ['paid', 3_000],
      ['open', 2_000],
    ],
    null,
  ],
  ['the only one', [['open', 3_000]], 3_000_000],
  [
    'the first of several in a row',
    [
      ['open', 3_000],
      ['uncollectible', 2_500],
      ['paid', 2_000],
      ['open', 1_000],
    ],
    2_500_000,
  ],
  [
    'the one before a void one or a draft',
    [
      ['draft', null],
      ['void', 3_000],
      ['open', 2_500],
    ],
    2_500_000,
  ],
  [
    'the first one after those of a pause',
    [
      ['open', 3_000],
      ['uncollectible', 2_500, { attempted: false }],
    ],
    3_000_000,
  ],
  [
    'nothing of void ones',
    [
      ['void', 3_000],
      ['paid', 2_000],
    ],
    null,
  ],
  ['its creation, where it has no other time', [['open', null]], 2_000_000],
])('the time since when invoices are unpaid is that of %s', (_what, newestFirst, expected) => {
  const invoices = newestFirst.map(([status, finalized_at, changes]) =>
    invoiceOf({ attempted: true, status, status_transitions: { finalized_at }, ...changes }),
  );
  expect(unpaidSinceMs(invoices)).toBe(expected);
});

test('a listed invoice says what was asked for and where to see it; drafts, those over nothing and those of a pause are left out', () => {
  expect(readListedInvoice(invoiceOf())).toEqual({
    id: 'in_1',
    number: 'N-1',
    createdAt: '1970-01-01T00:33:20.000Z',
    amount: 9.5,
    status: 'open',
    url: 'https://stripe.test/in_1',
  });
  const bare = readListedInvoice(invoiceOf({ status: 'void', number: null, hosted_invoice_url: null }));
  expect(bare).toMatchObject({ status: 'void', number: null, url: null });
  expect(readListedInvoice(invoiceOf({ status: 'draft' }))).toBeUndefined();
  const uncollectible = (attempted: boolean) =>
    readListedInvoice(invoiceOf({ status: 'uncollectible', attempted }));
  expect(uncollectible(true)).toMatchObject({ status: 'uncollectible' });
  expect(uncollectible(false)).toBeUndefined();
  expect(readListedInvoice(invoiceOf({ status: 'paid', amount_due: 0 }))).toBeUndefined();
});
