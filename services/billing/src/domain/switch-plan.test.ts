import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { accountOf, billingOf } from '../../test/billing-parts.ts';
import { invoiceAt, subscriptionAt } from '../../test/provider-subscription.ts';
import { entitlementOf } from './entitlement.ts';
import { CardDeclined, ProviderRefusal, type ProviderSubscription } from './provider.ts';
import type { Account } from './store.ts';
import { previewSwitch, switchToYearly } from './switch-plan.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const monthly = { id: 'price_month', cents: 900, interval: 'month', name: 'Monthly' } as const;
const yearly = { id: 'price_year', cents: 9_000, interval: 'year', name: 'Yearly' } as const;
const subscriber = { userId: 'user_1', tier: 'pro', name: 'Ana' } as const;

/** Billing with a user of this subscription, and what was asked of the provider. */
function having(changes: Partial<ProviderSubscription>, failure?: Error, clock = createManualClock(NOW)) {
  const asked: unknown[][] = [];
  const state = { subscriptions: [subscriptionAt(NOW, changes)] };
  const account: Account = accountOf({
    entitlement: entitlementOf(state, { nowMs: NOW, graceMs: DAY }),
    published: 'pro active',
  });
  const billing = billingOf({
    clock,
    store: {
      findOrCreate: async () => account,
      find: async () => account,
      saveReconciled: async () => true,
    },
    provider: {
      stateOf: async () => state,
      previewSwitch: async (...preview) => {
        asked.push(['preview', ...preview]);
        return 8_550;
      },
      switchPrice: async ({ id }, change) => {
        asked.push(['switch', id, change]);
        if (failure) throw failure;
      },
      changeTrial: async (subscription, change) => {
        asked.push(['change trial', subscription.id, change]);
        return subscription;
      },
    },
  });
  const change = (atMs: number, offered = [monthly, yearly]) =>
    switchToYearly(billing, subscriber, { offered, atMs }).then(
      () => 'switched',
      ({ code }: { code: string }) => code,
    );
  return { asked, billing, change };
}
const switched = (atMs: number) => [['switch', 'sub_1', { priceId: 'price_year', atMs }]];

test.each<[string, number, Partial<ProviderSubscription>]>([
  ['of now', NOW, {}],
  ['of an hour ago', NOW - HOUR, {}],
  ['of the beginning of the period', NOW - 60_000, { periodStartsMs: NOW - 60_000 }],
])('an amount %s is charged', async (_what, atMs, changes) => {
  const { asked, change } = having(changes);
  expect([await change(atMs), asked]).toEqual(['switched', switched(atMs)]);
});

test.each<[string, number, Partial<ProviderSubscription>]>([
  ['of the future', NOW + 1, {}],
  ['of more than an hour ago', NOW - HOUR - 1, {}],
  ['of the period before', NOW - 60_001, { periodStartsMs: NOW - 60_000 }],
])('an amount %s is out of date', async (_what, atMs, changes) => {
  const { asked, change } = having(changes);
  expect([await change(atMs), asked]).toEqual(['VALIDATION', []]);
});

test.each<[string, Error, string]>([
  ['a declined card says so', new CardDeclined('expired_card'), 'CARD_DECLINED'],
  ['a refusal means that payments are unavailable', new ProviderRefusal('no'), 'PAYMENTS_UNAVAILABLE'],
  ['any other failure is passed on', Object.assign(new Error(), { code: 'OTHER' }), 'OTHER'],
])('of a switch that fails, %s', async (_what, failure, code) => {
  expect(await having({}, failure).change(NOW)).toBe(code);
});

test('a trial changes its price and keeps its end, and costs nothing now', async () => {
  const trial = { status: 'trialing', trialEndsMs: NOW + 10 * DAY } as const;
  const { asked, billing, change } = having(trial);
  expect(await previewSwitch(billing, subscriber, [monthly, yearly])).toEqual({
    price: { id: 'price_year', amount: 90, interval: 'year', displayName: 'Yearly' },
    at: new Date(NOW).toISOString(),
    dueNow: 0,
    nextPaymentAt: new Date(NOW + 10 * DAY).toISOString(),
  });
  expect(await change(NOW)).toBe('switched');
  expect(asked).toEqual([['change trial', 'sub_1', { priceId: 'price_year', trialEndsMs: undefined }]]);
});

test('the amount is that of the whole second, and the next payment is a year later', async () => {
  const clock = createManualClock(NOW + 999);
  const { asked, billing } = having({}, undefined, clock);
  expect(await previewSwitch(billing, subscriber, [yearly])).toMatchObject({
    at: new Date(NOW).toISOString(),
    dueNow: 85.5,
    nextPaymentAt: '2027-01-05T12:00:00.000Z',
  });
  expect(asked).toEqual([
    [
      'preview',
      'cus_1',
      expect.objectContaining({ id: 'sub_1', itemId: 'si_1' }),
      { priceId: 'price_year', atMs: NOW },
    ],
  ]);
});

test.each<[string, Partial<ProviderSubscription>, string]>([
  ['pays that price already', { price: yearly }, 'switched'],
  ['pays another price by the year', { price: { ...yearly, id: 'price_old' } }, 'NO_SUBSCRIPTION'],
  [
    'has not paid',
    { status: 'past_due', latestInvoice: invoiceAt(NOW, { status: 'open' }) },
    'NO_SUBSCRIPTION',
  ],
  ['has ended', { status: 'canceled' }, 'NO_SUBSCRIPTION'],
  ['paid that price until it ended', { status: 'canceled', price: yearly }, 'NO_SUBSCRIPTION'],
])('who %s has nothing to switch', async (_what, changes, answer) => {
  const { asked, change } = having(changes);
  expect([await change(NOW), asked]).toEqual([answer, []]);
});

test('where no yearly price is offered there is nothing to switch to', async () => {
  const { billing, change } = having({});
  expect(await change(NOW, [monthly])).toBe('NO_SUBSCRIPTION');
  await expect(previewSwitch(billing, subscriber, [monthly])).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
});
