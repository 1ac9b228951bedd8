import { expect, test } from 'vitest';
import { accountOf, billingOf } from '../../test/billing-parts.ts';
import { cardlessTrialAt, invoiceAt, subscriptionAt } from '../../test/provider-subscription.ts';
import { CustomerNotFound, type Provider, ProviderRefusal, type ProviderSubscription } from './provider.ts';
import type { Account } from './store.ts';
import { requireOffered, subscribe } from './subscribe.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const created = subscriptionAt(NOW, {
  id: 'sub_new',
  status: 'incomplete',
  latestInvoice: invoiceAt(NOW, { status: 'open', clientSecret: 'pi_new_secret', paidCents: 0 }),
});
const payNew = { clientSecret: 'pi_new_secret', intent: 'payment' };
const openInvoice = invoiceAt(NOW, { status: 'open', clientSecret: 'pi_1_secret' });

/** Subscribes to a price, where the provider has these subscriptions, and a while later those. */
async function subscribing(
  has: ProviderSubscription[],
  options: {
    later?: ProviderSubscription[];
    account?: Partial<Account>;
    priceId?: string;
    tier?: 'free' | 'pro';
    provider?: Partial<Provider>;
    email?: string;
    promotionCode?: string;
    computesTax?: boolean;
    /** While the provider was read. */
    deleted?: boolean;
  } = {},
) {
  const done: unknown[][] = [];
  const account = accountOf(options.account);
  let reads = 0;
  const billing = billingOf({
    trialDays: 14,
    computesTax: options.computesTax ?? false,
    store: {
      findOrCreate: async () => account,
      find: async () => undefined,
      saveReconciled: async (_account, { entitlement }) =>
        done.push(['save', entitlement?.subscriptionId]) > 0,
      askForCustomer: async (...what) => {
        done.push(['ask for customer', ...what]);
        return !options.deleted;
      },
      saveCustomer: async (...what) => void done.push(['save customer', ...what]),
      countAttempt: async (userId) => void done.push(['count attempt', userId]),
    },
    provider: {
      stateOf: async () => ({ subscriptions: reads++ === 0 ? has : (options.later ?? has) }),
      endSubscription: async (id) => void done.push(['end', id]),
      voidInvoice: async (id) => done.push(['void', id]) > 0,
      cancelSetup: async (id) => done.push(['cancel setup', id]) > 0,
      hasPlace: async () => true,
      dueOf: async () => ({ cents: 972, taxCents: 72, offCents: 0 }),
      changeTrial: async (trial, { priceId, trialEndsMs }) => {
        done.push(['change trial', trial.id, priceId, trialEndsMs]);
        const setup = {
          id: 'seti_2',
          succeeded: false,
          clientSecret: 'seti_2_secret',
          paymentMethodId: null,
        };
        return { ...trial, setup };
      },
      findCustomers: async (...what) => {
        done.push(['find customers', ...what]);
        return [];
      },
      createCustomer: async (input) => {
        done.push(['create customer', input]);
        return 'cus_new';
      },
      createSubscription: async ({ trialDays, idempotencyKey, customerId, priceId }) => {
        done.push(['create', customerId, priceId, trialDays, idempotencyKey]);
        return created;
      },
      ...options.provider,
    },
  });
  const { tier = 'free', email, promotionCode, priceId = 'price_month' } = options;
  const buyer = { userId: 'user_1', tier, name: 'Ana', email, promotionCode };
  const answer = await subscribe(billing, buyer, priceId).catch((error: { code: string }) => error.code);
  if (typeof answer === 'string') return { done, answer, due: undefined };
  return { done, answer: answer.confirmation, ...(answer.due ? { due: answer.due } : {}) };
}

const key = (newest: string, attempt = 0) => `casewatch-subscription-cus_1-${newest}-${attempt}`;
const create = (trialDays: number, newest: string) => [
  'create',
  'cus_1',
  'price_month',
  trialDays,
  key(newest),
];
const saveNew = ['save', 'sub_new'];

test.each<[string, ProviderSubscription[], unknown[][]]>([
  ['no subscription a trial begins', [], [create(14, 'first'), saveNew]],
  [
    'one that was paid and is over a paid one begins',
    [subscriptionAt(NOW, { status: 'canceled' })],
    [create(0, 'sub_1'), saveNew],
  ],
  [
    'one that expired unpaid a trial begins',
    [subscriptionAt(NOW, { status: 'incomplete_expired' })],
    [create(14, 'sub_1'), saveNew],
  ],
  [
    'several that are over, the newest is in the key',
    [
      subscriptionAt(NOW, { id: 'sub_2', status: 'canceled', createdMs: NOW - 2 }),
      subscriptionAt(NOW, { id: 'sub_3', status: 'canceled', createdMs: NOW - 1 }),
    ],
    [create(0, 'sub_3'), saveNew],
  ],
  [
    'a paused one, it is ended and another begins',
    [subscriptionAt(NOW, { status: 'paused' })],
    [['end', 'sub_1'], create(0, 'sub_1'), saveNew],
  ],
  [
    'an unpaid one whose invoice is a draft, it is ended and another begins',
    [subscriptionAt(NOW, { status: 'unpaid', latestInvoice: invoiceAt(NOW, { status: 'draft' }) })],
    [['end', 'sub_1'], create(0, 'sub_1'), saveNew],
  ],
  [
    'an unpaid one without an invoice, it is ended and another begins',
    [subscriptionAt(NOW, { status: 'unpaid', latestInvoice: null })],
    [['end', 'sub_1'], create(0, 'sub_1'), saveNew],
  ],
])('with %s', async (_what, has, expected) => {
  expect(await subscribing(has)).toEqual({ done: expected, answer: payNew });
});

test('a trial that was used, as the account knows, is not given again', async () => {
  const { done } = await subscribing([], { account: { trialUsed: true } });
  expect(done).toEqual([create(0, 'first'), saveNew]);
});

test.each<[string, Partial<ProviderSubscription>, object | undefined]>([
  ['a paid one nothing', {}, undefined],
  [
    'an unpaid renewal the payment',
    { status: 'past_due', latestInvoice: openInvoice },
    { clientSecret: 'pi_1_secret', intent: 'payment' },
  ],
  [
    'one that is not charged any more the payment',
    { status: 'unpaid', latestInvoice: openInvoice },
    { clientSecret: 'pi_1_secret', intent: 'payment' },
  ],
  [
    'an unfinished one the payment',
    { status: 'incomplete', latestInvoice: openInvoice },
    { clientSecret: 'pi_1_secret', intent: 'payment' },
  ],
  ['an active one with an open invoice nothing', { latestInvoice: openInvoice }, undefined],
  ['one whose invoice is paid nothing', { status: 'past_due' }, undefined],
  [
    'one whose invoice has no secret nothing',
    { status: 'past_due', latestInvoice: { ...openInvoice, clientSecret: null } },
    undefined,
  ],
  ['one without an invoice nothing', { status: 'past_due', latestInvoice: null }, undefined],
  [
    'a trial that waits for its card the card',
    cardlessTrialAt(NOW),
    { clientSecret: 'seti_1_secret_1', intent: 'setup' },
  ],
])('an existing subscription stays, and for %s is to be confirmed', async (_what, changes, expected) => {
  expect(await subscribing([subscriptionAt(NOW, changes)])).toMatchObject({
    done: [['save', 'sub_1']],
    answer: expected,
  });
});

test.each<[string, Partial<ProviderSubscription>, object | undefined]>([
  ['an unpaid renewal is its invoice', { status: 'past_due' }, { amount: 9.72 }],
  [
    'an unpaid renewal with tax is named, also where none is computed any more',
    { status: 'unpaid', taxed: true },
    { amount: 9.72, tax: 0.72 },
  ],
  ['a first payment is the price', { status: 'incomplete' }, undefined],
])('what is due for %s', async (_what, changes, due) => {
  const { due: shown } = await subscribing([subscriptionAt(NOW, { latestInvoice: openInvoice, ...changes })]);
  expect(shown).toEqual(due);
});

test('another price leaves a paid subscription as it is', async () => {
  const { done, answer } = await subscribing([subscriptionAt(NOW)], { priceId: 'price_year' });
  expect([done, answer]).toEqual([[['save', 'sub_1']], undefined]);
});

test('a trial without a card that is resumed more than an hour later has its whole length again', async () => {
  const within = cardlessTrialAt(NOW, { trialEndsMs: NOW + 14 * DAY - HOUR });
  expect((await subscribing([within])).done).toEqual([['save', 'sub_1']]);
  const later = cardlessTrialAt(NOW, { trialEndsMs: NOW + 14 * DAY - HOUR - 1 });
  expect(await subscribing([later])).toEqual({
    done: [
      ['change trial', 'sub_1', 'price_month', NOW + 14 * DAY],
      ['save', 'sub_1'],
    ],
    answer: { clientSecret: 'seti_2_secret', intent: 'setup' },
  });
});

test('a trial without a card at another price is ended before the next begins, and its secret is useless first', async () => {
  const next = ['create', 'cus_1', 'price_year', 14, key('sub_1')];
  expect(await subscribing([cardlessTrialAt(NOW)], { priceId: 'price_year' })).toEqual({
    done: [['cancel setup', 'seti_1'], ['end', 'sub_1'], next, saveNew],
    answer: payNew,
  });
});

test('a trial that got its card in the meantime stays; one whose setup was canceled before is ended', async () => {
  const tooLate = { cancelSetup: async () => false };
  const options = { priceId: 'price_year', provider: tooLate };
  const withCard = subscriptionAt(NOW, { status: 'trialing' });
  expect(await subscribing([cardlessTrialAt(NOW)], { ...options, later: [withCard] })).toEqual({
    done: [['save', 'sub_1']],
    answer: undefined,
  });
  const setup = { id: 'seti_1', succeeded: false, clientSecret: null, paymentMethodId: null };
  for (const priceId of ['price_year', 'price_month']) {
    const { done } = await subscribing([cardlessTrialAt(NOW, { setup })], { ...options, priceId });
    expect(done).toEqual([['end', 'sub_1'], ['create', 'cus_1', priceId, 14, key('sub_1')], saveNew]);
  }
});

test('an unfinished subscription at another price is voided and ended before the next begins', async () => {
  const unfinished = subscriptionAt(NOW, { status: 'incomplete', latestInvoice: openInvoice });
  const options = { priceId: 'price_year' };
  const next = ['create', 'cus_1', 'price_year', 14, key('sub_1')];
  expect((await subscribing([unfinished], options)).done).toEqual([
    ['void', 'in_1'],
    ['end', 'sub_1'],
    next,
    saveNew,
  ]);
  const without = { ...unfinished, latestInvoice: null };
  expect((await subscribing([without], options)).done).toEqual([['end', 'sub_1'], next, saveNew]);
});

test('an unfinished one without the taxes that are computed now, or with those that are not, is replaced', async () => {
  const unfinished = subscriptionAt(NOW, { status: 'incomplete', latestInvoice: openInvoice });
  for (const one of [cardlessTrialAt(NOW), unfinished])
    for (const [has, options] of [
      [one, { computesTax: true }],
      [{ ...one, taxed: true as const }, { computesTax: false }],
    ] as const) {
      const { done, answer } = await subscribing([has], options);
      expect(done.slice(1)).toEqual([['end', 'sub_1'], create(14, 'sub_1'), saveNew]);
      expect(answer).toEqual(payNew);
    }
});

test('an unfinished subscription that was paid in the meantime stays; one that is over does not', async () => {
  const unfinished = subscriptionAt(NOW, { status: 'incomplete', latestInvoice: openInvoice });
  const options = { priceId: 'price_year', provider: { voidInvoice: async () => false } };
  const paid = await subscribing([unfinished], { ...options, later: [subscriptionAt(NOW)] });
  expect(paid).toEqual({ done: [['save', 'sub_1']], answer: undefined });
  const expired = subscriptionAt(NOW, { status: 'incomplete_expired' });
  const over = await subscribing([unfinished], { ...options, later: [expired] });
  expect(over.done.at(0)).toEqual(['end', 'sub_1']);
  expect(over.answer).toEqual(payNew);
});

test('pro by other means has nothing to buy, pro by a subscription has', async () => {
  expect(await subscribing([], { tier: 'pro' })).toEqual({ done: [], answer: undefined });
  const lapsed = await subscribing([], { tier: 'pro', account: { published: 'free canceled' } });
  expect(lapsed.answer).toEqual(payNew);
});

test('a customer is created once, with the best known name and address, and saved before its subscription', async () => {
  const newcomer = { customerId: null, attempt: 2 };
  const { done } = await subscribing([], { account: newcomer, email: 'now@example.org' });
  expect(done.map(([what]) => what)).toEqual([
    'ask for customer',
    'create customer',
    'save customer',
    'create',
    'save',
  ]);
  expect(done[0]).toEqual(['ask for customer', 'user_1', NOW]);
  expect(done[1]?.[1]).toEqual({
    userId: 'user_1',
    email: 'now@example.org',
    name: 'Ana',
    idempotencyKey: 'casewatch-customer-user_1-2',
  });
  expect(done[2]).toEqual(['save customer', 'user_1', 'cus_new', NOW]);
  const known = { ...newcomer, email: 'then@example.org', name: 'Ana Diaz' };
  expect((await subscribing([], { account: known })).done[1]?.[1]).toMatchObject({
    email: 'then@example.org',
    name: 'Ana Diaz',
  });
});

test('a customer whose creation was not answered is looked for before another is created', async () => {
  const account = { customerId: null, customerAskedMs: NOW - DAY };
  const found = await subscribing([], { account, provider: { findCustomers: async () => ['cus_1'] } });
  expect(found).toEqual({
    done: [['save customer', 'user_1', 'cus_1', NOW], create(14, 'first'), saveNew],
    answer: payNew,
  });
  const { done } = await subscribing([], { account });
  expect(done[0]).toEqual(['find customers', 'user_1', NOW - DAY]);
  expect(done.slice(1, 4).map(([what]) => what)).toEqual([
    'ask for customer',
    'create customer',
    'save customer',
  ]);
});

test('no customer is created for a user who has been deleted in the meantime', async () => {
  expect(await subscribing([], { account: { customerId: null }, deleted: true })).toEqual({
    done: [['ask for customer', 'user_1', NOW]],
    answer: 'SIGNED_OUT',
  });
});

test('after a refusal the next attempt has another key; while the answer is unknown it has the same', async () => {
  const refused = { createSubscription: () => Promise.reject(new ProviderRefusal('no')) };
  expect(await subscribing([], { provider: refused })).toEqual({
    done: [['count attempt', 'user_1']],
    answer: 'PAYMENTS_UNAVAILABLE',
  });
  const silent = { createSubscription: () => Promise.reject(Object.assign(new Error(), { code: 'SILENT' })) };
  expect(await subscribing([], { provider: silent })).toEqual({ done: [], answer: 'SILENT' });
  const { done } = await subscribing([], { account: { attempt: 3 } });
  expect(done[0]?.at(-1)).toBe(key('first', 3));
});

test('what the provider refuses with a code is put down to the code only where it is about the request', async () => {
  const found = { id: 'promo_1', code: 'HALF', percentOff: 50, centsOff: null, duration: 'once' } as const;
  const findPromotion = async () => ({ ...found, months: null, forFirstPurchase: false });
  for (const [isOfRequest, answer] of [
    [true, 'PROMOTION_REFUSED'],
    [false, 'PAYMENTS_UNAVAILABLE'],
  ] as const) {
    const createSubscription = () => Promise.reject(new ProviderRefusal('no', { isOfRequest }));
    const provider = { findPromotion, createSubscription };
    expect(await subscribing([], { promotionCode: 'HALF', provider })).toMatchObject({ answer });
  }
});

test('a customer that the provider no longer knows is forgotten, and another is created once', async () => {
  const missing = { createSubscription: () => Promise.reject(new CustomerNotFound('no such customer')) };
  const { done, answer } = await subscribing([], { provider: missing });
  const forgotten = [
    ['save customer', 'user_1', null, NOW],
    ['count attempt', 'user_1'],
  ];
  expect(done).toEqual([
    ...forgotten,
    ['ask for customer', 'user_1', NOW],
    ['create customer', expect.objectContaining({ idempotencyKey: 'casewatch-customer-user_1-1' })],
    ['save customer', 'user_1', 'cus_new', NOW],
    ...forgotten,
  ]);
  expect(answer).toBe('PAYMENTS_UNAVAILABLE');
  const tried: string[] = [];
  const missingOnce = {
    createSubscription: async ({ customerId }: { customerId: string }) => {
      tried.push(customerId);
      if (tried.length === 1) throw new CustomerNotFound('no such customer');
      return created;
    },
  };
  const again = await subscribing([], { provider: missingOnce });
  expect(tried).toEqual(['cus_1', 'cus_new']);
  expect([again.done.at(-1), again.answer]).toEqual([saveNew, payNew]);
});

test('only a price that is offered can be bought', () => {
  const offered = [{ id: 'price_month' }, { id: 'price_year' }];
  expect(() => requireOffered(offered, 'price_year')).not.toThrow();
  expect(() => requireOffered(offered, 'price_old')).toThrow(
    expect.objectContaining({
      code: 'NOT_FOUND',
      message: 'This price is no longer offered. Reload the page and choose again.',
    }),
  );
});
