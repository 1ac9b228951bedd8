import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { pino } from 'pino';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { subscriptionAt } from '../../test/provider-subscription.ts';
import type { Provider } from '../domain/provider.ts';
import { createStripeProvider, type StripeProviderOptions } from './stripe-provider.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const NOW_S = NOW / 1000;
const subscription = {
  id: 'sub_1',
  customer: 'cus_1',
  status: 'active',
  created: 1_000,
  items: {
    data: [{ id: 'si_1', price: { id: 'price_1' }, current_period_start: 900, current_period_end: 5_000 }],
  },
  cancel_at: null,
  cancel_at_period_end: false,
  ended_at: null,
  trial_start: null,
  trial_end: null,
  default_payment_method: null,
  pending_setup_intent: null,
  pending_update: null,
  discounts: [],
  latest_invoice: null,
  metadata: {},
};
const page = (...data: object[]) => ({ object: 'list', has_more: false, data });
const PARTS = [
  'latest_invoice.confirmation_secret',
  'pending_setup_intent.payment_method',
  'default_payment_method',
  'customer',
  'discounts',
];
const expanded = (parts: readonly string[]) =>
  Object.fromEntries(parts.map((part, nth) => [`expand[${nth}]`, part]));
const IN_LIST = expanded(PARTS.map((part) => `data.${part}`));

type Answers = Record<string, object>;

/** The provider on Stripe's library, whose requests are recorded and answered by method and path. */
function providerWith(answers: Answers, offer: StripeProviderOptions['offer'] = { lookupKeys: ['m', 'y'] }) {
  const requests: [string, object, string?][] = [];
  const fetched = async (
    input: unknown,
    init: { method: string; body?: string; headers: Record<string, string> },
  ) => {
    const { pathname, searchParams } = new URL(String(input));
    const request = `${init.method} ${pathname.replace('/v1/', '')}`;
    const params = Object.fromEntries(
      init.method === 'GET' ? searchParams : new URLSearchParams(init.body ?? ''),
    );
    const key = new Headers(init.headers).get('idempotency-key');
    requests.push(key?.startsWith('key-') ? [request, params, key] : [request, params]);
    const answer = answers[request];
    const param = 'customer' in params ? 'customer' : 'id';
    const missing = { error: { type: 'invalid_request_error', code: 'resource_missing', param } };
    return new Response(JSON.stringify(answer ?? missing), { status: answer ? 200 : 404 });
  };
  const stripe = new Stripe('sk_test_1', {
    // Stripe calls it with a string and these options alone.
    httpClient: Stripe.createFetchHttpClient(fetched as unknown as typeof fetch),
    telemetry: false,
  });
  const logger = pino({ level: 'silent' });
  const provider = createStripeProvider({ stripe, logger, restMs: 1, telemetry: noTelemetry, offer });
  return { provider, requests };
}

const creation = { userId: 'u1', customerId: 'cus_1', priceId: 'price_1', idempotencyKey: 'key-1' };
const created = {
  customer: 'cus_1',
  'items[0][price]': 'price_1',
  payment_behavior: 'default_incomplete',
  'payment_settings[save_default_payment_method]': 'on_subscription',
  'metadata[user_id]': 'u1',
  ...expanded(PARTS),
};
const item = { 'items[0][id]': 'si_1', 'items[0][price]': 'price_2' };
const change = { priceId: 'price_2', atMs: NOW + 999 };
const both = { id: 'sub_1', itemId: 'si_1' };
const UPDATE = 'POST subscriptions/sub_1';

test.each<[string, (provider: Provider) => Promise<unknown>, [string, object, string?], object]>([
  [
    'creates a customer with all that is known',
    (it) => it.createCustomer({ userId: 'u1', email: 'a@b.c', name: 'Ana', idempotencyKey: 'key-1' }),
    ['POST customers', { email: 'a@b.c', name: 'Ana', 'metadata[user_id]': 'u1' }, 'key-1'],
    { id: 'cus_1' },
  ],
  [
    'creates a customer of whom nothing is known',
    (it) => it.createCustomer({ userId: 'u1', email: null, name: null, idempotencyKey: 'key-2' }),
    ['POST customers', { 'metadata[user_id]': 'u1' }, 'key-2'],
    { id: 'cus_1' },
  ],
  [
    'finds the customers of a user that were created within an hour of a time',
    async (it) => expect(await it.findCustomers('u1', NOW + 999)).toEqual(['cus_2', 'cus_1']),
    [
      'GET customers',
      { 'created[gte]': String(NOW_S - 3_600), 'created[lte]': String(NOW_S + 3_600), limit: '100' },
    ],
    {
      object: 'list',
      url: '/v1/customers',
      has_more: false,
      data: [
        { id: 'cus_3', metadata: { user_id: 'u2' } },
        { id: 'cus_2', metadata: { user_id: 'u1' } },
        { id: 'cus_4', metadata: {} },
        { id: 'cus_1', metadata: { user_id: 'u1' } },
      ],
    },
  ],
  [
    'changes address and name',
    (it) => it.updateCustomer('cus_1', { email: 'a@b.c', name: 'Ana' }),
    ['POST customers/cus_1', { email: 'a@b.c', name: 'Ana' }],
    {},
  ],
  [
    'changes the address alone',
    (it) => it.updateCustomer('cus_1', { email: 'a@b.c', name: null }),
    ['POST customers/cus_1', { email: 'a@b.c' }],
    {},
  ],
  [
    'begins with a payment',
    (it) => it.createSubscription({ ...creation, trialDays: 0 }),
    ['POST subscriptions', created, 'key-1'],
    subscription,
  ],
  [
    'begins with a trial, which ends without a card',
    (it) => it.createSubscription({ ...creation, trialDays: 14 }),
    [
      'POST subscriptions',
      {
        ...created,
        'metadata[first_trial]': 'true',
        trial_period_days: '14',
        'trial_settings[end_behavior][missing_payment_method]': 'cancel',
      },
      'key-1',
    ],
    subscription,
  ],
  [
    'changes price and end of a trial',
    (it) => it.changeTrial(subscriptionAt(NOW), { priceId: 'price_2', trialEndsMs: NOW + 999 }),
    [UPDATE, { ...item, proration_behavior: 'none', trial_end: String(NOW_S), ...expanded(PARTS) }],
    subscription,
  ],
  [
    'changes the price of a trial alone',
    (it) => it.changeTrial(subscriptionAt(NOW), { priceId: 'price_2', trialEndsMs: undefined }),
    [UPDATE, { ...item, proration_behavior: 'none', ...expanded(PARTS) }],
    subscription,
  ],
  [
    'switches the price for what it costs at the time of the preview, or not at all',
    (it) => it.switchPrice(both, change),
    [
      UPDATE,
      {
        ...item,
        proration_behavior: 'always_invoice',
        proration_date: String(NOW_S),
        payment_behavior: 'pending_if_incomplete',
        ...expanded(PARTS),
      },
    ],
    subscription,
  ],
  [
    'cancels at the end of the period',
    (it) => it.setCancelAtPeriodEnd({ id: 'sub_1', cancelsByDate: true }, true),
    [UPDATE, { cancel_at_period_end: 'true' }],
    {},
  ],
  [
    'takes a cancellation back',
    (it) => it.setCancelAtPeriodEnd({ id: 'sub_1', cancelsByDate: false }, false),
    [UPDATE, { cancel_at_period_end: 'false' }],
    {},
  ],
  [
    'takes a cancellation by a date back',
    (it) => it.setCancelAtPeriodEnd({ id: 'sub_1', cancelsByDate: true }, false),
    [UPDATE, { cancel_at: '' }],
    {},
  ],
  ['ends at once', (it) => it.endSubscription('sub_1'), ['DELETE subscriptions/sub_1', {}], {}],
  ['removes a customer', (it) => it.removeCustomer('cus_1'), ['DELETE customers/cus_1', {}], {}],
])('a request to Stripe %s', async (_what, ask, expected, answer) => {
  const { provider, requests } = providerWith({ [expected[0]]: answer });
  await ask(provider);
  expect(requests).toEqual([expected]);
});

test('a customer that Stripe does not know is not found', async () => {
  const { provider } = providerWith({});
  const notFound = { name: 'CustomerNotFound' };
  await expect(provider.stateOf('cus_1')).rejects.toMatchObject(notFound);
  await expect(provider.listInvoices('cus_1')).rejects.toMatchObject(notFound);
  await expect(provider.openPortal('cus_1', 'https://casewatch.test/profile')).rejects.toMatchObject(
    notFound,
  );
});

test('what is deleted at Stripe is ended and removed already', async () => {
  const { provider } = providerWith({});
  await provider.endSubscription('sub_1');
  await provider.removeCustomer('cus_1');
  expect(await provider.voidInvoice('in_1')).toBe(false);
  expect(await provider.cancelSetup('seti_1')).toBe(false);
  expect(await provider.intent('pi_1')).toBeUndefined();
  expect(await provider.customerOfPayment('pi_1')).toBeUndefined();
});

test('the cost of a switch is the one at its time', async () => {
  const { provider, requests } = providerWith({ 'POST invoices/create_preview': { amount_due: 8_550 } });
  expect(await provider.previewSwitch('cus_1', both, change)).toBe(8_550);
  expect(requests[0]?.[1]).toEqual({
    customer: 'cus_1',
    subscription: 'sub_1',
    'subscription_details[items][0][id]': 'si_1',
    'subscription_details[items][0][price]': 'price_2',
    'subscription_details[proration_behavior]': 'always_invoice',
    'subscription_details[proration_date]': String(NOW_S),
  });
});

test('all subscriptions of a customer are read, and of unpaid ones since when', async () => {
  const { provider, requests } = providerWith({
    'GET subscriptions': page(
      { ...subscription, id: 'sub_1' },
      { ...subscription, id: 'sub_2', status: 'past_due' },
      { ...subscription, id: 'sub_3', status: 'unpaid' },
    ),
    'GET charges': page(),
    'GET invoices': page({ status: 'open', created: 2_000, status_transitions: { finalized_at: 3_000 } }),
  });
  const { subscriptions } = await provider.stateOf('cus_1');
  expect(subscriptions.map(({ id, unpaidSinceMs }) => [id, unpaidSinceMs])).toEqual([
    ['sub_1', null],
    ['sub_2', 3_000_000],
    ['sub_3', 3_000_000],
  ]);
  expect(requests).toHaveLength(4);
  expect(requests).toEqual(
    expect.arrayContaining([
      ['GET subscriptions', { customer: 'cus_1', status: 'all', limit: '100', ...IN_LIST }],
      ['GET charges', { customer: 'cus_1', limit: '100' }],
      ['GET invoices', { subscription: 'sub_2', limit: '100' }],
      ['GET invoices', { subscription: 'sub_3', limit: '100' }],
    ]),
  );
});

test('a subscription is paid back when a payment of its invoices was refunded in full, or its dispute is lost', async () => {
  const charge = (payment_intent: unknown, refunded: boolean, disputed: boolean) => ({
    payment_intent,
    refunded,
    disputed,
  });
  const invoice = (subscription: unknown, payment_intent: string) => ({
    status: 'paid',
    parent: subscription && { subscription_details: { subscription } },
    payments: { data: [{ payment: { payment_intent } }] },
  });
  const state = (dispute: string) =>
    providerWith({
      'GET subscriptions': page(
        ...['sub_1', 'sub_2', 'sub_3', 'sub_4'].map((id) => ({ ...subscription, id })),
      ),
      'GET charges': page(
        charge('pi_paid', false, false),
        charge('pi_refunded', true, false),
        charge({ id: 'pi_disputed' }, true, true),
        charge(null, true, true),
      ),
      'GET disputes': page({ status: 'won' }, { status: dispute }),
      'GET invoices': page(
        invoice('sub_1', 'pi_paid'),
        invoice('sub_2', 'pi_refunded'),
        invoice({ id: 'sub_3' }, 'pi_paid'),
        invoice({ id: 'sub_3' }, 'pi_disputed'),
        invoice(null, 'pi_refunded'),
      ),
    });
  const paidBack = async ({ provider }: ReturnType<typeof state>) =>
    (await provider.stateOf('cus_1')).subscriptions.flatMap(({ id, paidBack }) => (paidBack ? [id] : []));
  const lost = state('lost');
  expect(await paidBack(lost)).toEqual(['sub_2', 'sub_3']);
  expect(lost.requests).toEqual(
    expect.arrayContaining([
      ['GET disputes', { payment_intent: 'pi_disputed', limit: '100' }],
      ['GET invoices', { customer: 'cus_1', limit: '100', 'expand[0]': 'data.payments' }],
    ]),
  );
  expect(await paidBack(state('needs_response'))).toEqual(['sub_2']);
});

test.each([
  ['open', 'void', true, 2],
  ['open', 'open', false, 2],
  ['paid', 'void', false, 1],
])(
  'an invoice that is %s, and %s after it was voided, is voided: %s',
  async (before, after, isVoided, asked) => {
    const { provider, requests } = providerWith({
      'GET invoices/in_1': { status: before },
      'POST invoices/in_1/void': { status: after },
    });
    expect(await provider.voidInvoice('in_1')).toBe(isVoided);
    expect(requests).toHaveLength(asked);
  },
);

test('a setup is canceled; while the answer is unknown it is not reported as refused', async () => {
  const { provider, requests } = providerWith({ 'POST setup_intents/seti_1/cancel': { id: 'seti_1' } });
  expect(await provider.cancelSetup('seti_1')).toBe(true);
  expect(requests).toEqual([['POST setup_intents/seti_1/cancel', {}]]);
  const stripe = new Stripe('sk_test_1', {
    httpClient: Stripe.createFetchHttpClient(() => Promise.reject(new Error('no connection'))),
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const parts = { logger: pino({ level: 'silent' }), restMs: 1, telemetry: noTelemetry };
  const cut = createStripeProvider({ ...parts, stripe, offer: { product: 'prod_1' } });
  await expect(cut.cancelSetup('seti_1')).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
});

test('a card is made that of the customer, then that of the subscription, which notes it', async () => {
  const { provider, requests } = providerWith({ 'POST customers/cus_1': {}, [UPDATE]: {} });
  await provider.usePaymentMethod('sub_1', 'cus_1', 'pm_1');
  expect(requests).toEqual([
    ['POST customers/cus_1', { 'invoice_settings[default_payment_method]': 'pm_1' }],
    [UPDATE, { default_payment_method: 'pm_1', 'metadata[payment_method]': 'pm_1' }],
  ]);
});

test('of the setups of a customer those are canceled that could still save a card', async () => {
  const setups = [
    { id: 'seti_1', status: 'requires_payment_method' },
    { id: 'seti_2', status: 'succeeded' },
    { id: 'seti_3', status: 'canceled' },
    { id: 'seti_4', status: 'requires_action' },
  ];
  const { provider, requests } = providerWith({
    'GET setup_intents': page(...setups),
    'POST setup_intents/seti_1/cancel': {},
  });
  await provider.cancelOpenSetups('cus_1');
  const [list, ...canceled] = requests;
  expect(list).toEqual(['GET setup_intents', { customer: 'cus_1', limit: '100' }]);
  // The last one is refused, as one that has just been confirmed.
  expect(canceled.map(([request]) => request)).toEqual([
    'POST setup_intents/seti_1/cancel',
    'POST setup_intents/seti_4/cancel',
  ]);
  await expect(providerWith({}).provider.cancelOpenSetups('cus_2')).resolves.toBeUndefined();
});

const refusal = { code: 'authentication_required', payment_method: { id: 'pm_2' } };
test.each([
  ['pi_1', { status: 'succeeded', payment_method: 'pm_1', last_payment_error: null }, ['pm_1', false]],
  ['pi_1', { status: 'requires_action', payment_method: { id: 'pm_1' } }, ['pm_1', true]],
  ['pi_1', { status: 'requires_confirmation', payment_method: 'pm_1' }, ['pm_1', true]],
  ['pi_1', { status: 'requires_payment_method', last_payment_error: refusal }, ['pm_2', true]],
  ['pi_1', { status: 'canceled', last_payment_error: refusal }, ['pm_2', false]],
  [
    'pi_1',
    { status: 'requires_payment_method', last_payment_error: { ...refusal, code: 'card_declined' } },
    ['pm_2', false],
  ],
  ['seti_1', { object: 'setup_intent', status: 'canceled' }, [null, false]],
])(
  'the intent %s is read where its id says: %j',
  async (id, changes, [paymentMethodId, needsAuthentication]) => {
    const kind = id.startsWith('pi_') ? 'payment_intents' : 'setup_intents';
    const intent = { object: 'payment_intent', customer: { id: 'cus_1' }, payment_method: null, ...changes };
    const { provider } = providerWith({ [`GET ${kind}/${id}`]: intent });
    expect(await provider.intent(id)).toEqual({
      customerId: 'cus_1',
      status: changes.status,
      paymentMethodId,
      needsAuthentication,
    });
  },
);

test('the customer of a payment is read, where it has one', async () => {
  const { provider } = providerWith({
    'GET payment_intents/pi_1': { customer: 'cus_1' },
    'GET payment_intents/pi_2': { customer: null },
  });
  expect(await provider.customerOfPayment('pi_1')).toBe('cus_1');
  expect(await provider.customerOfPayment('pi_2')).toBeUndefined();
});

test('the invoices of two years are listed, without drafts', async () => {
  const invoice = { created: 1, amount_due: 900, number: 'N-1', hosted_invoice_url: null };
  const { provider, requests } = providerWith({
    'GET invoices': page(
      { ...invoice, id: 'in_2', status: 'draft' },
      { ...invoice, id: 'in_1', status: 'paid' },
    ),
  });
  expect((await provider.listInvoices('cus_1')).map(({ id }) => id)).toEqual(['in_1']);
  expect(requests).toEqual([['GET invoices', { customer: 'cus_1', limit: '24' }]]);
});

const price = (id: string, changes: object = {}) => ({
  id,
  currency: 'usd',
  unit_amount: 900,
  nickname: null,
  recurring: { interval: 'month' },
  lookup_key: null,
  ...changes,
});

test('prices are offered in the order of their lookup keys', async () => {
  const { provider, requests } = providerWith({
    'GET prices': page(
      price('price_y', { lookup_key: 'y', unit_amount: 100, recurring: { interval: 'year' } }),
      price('price_m', { lookup_key: 'm' }),
    ),
  });
  expect((await provider.listPrices()).map(({ id }) => id)).toEqual(['price_m', 'price_y']);
  const query = { active: 'true', limit: '100', 'lookup_keys[0]': 'm', 'lookup_keys[1]': 'y' };
  expect(requests).toEqual([['GET prices', query]]);
});

test('of a product the cheaper prices come first, and only those by the month or year in dollars', async () => {
  const { provider, requests } = providerWith(
    {
      'GET prices': page(
        price('dear', { unit_amount: 9_000, recurring: { interval: 'year' } }),
        price('cheap'),
        price('euros', { currency: 'eur' }),
        price('metered', { unit_amount: null }),
        price('weekly', { recurring: { interval: 'week' } }),
        price('once', { recurring: null }),
        price('free', { unit_amount: 0 }),
      ),
    },
    { product: 'prod_1' },
  );
  expect((await provider.listPrices()).map(({ id }) => id)).toEqual(['free', 'cheap', 'dear']);
  expect(requests).toEqual([['GET prices', { active: 'true', limit: '100', product: 'prod_1' }]]);
});
