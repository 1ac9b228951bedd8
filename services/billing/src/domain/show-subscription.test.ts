import { expect, test } from 'vitest';
import { activeAt } from '../../test/active-entitlement.ts';
import { accountOf } from '../../test/billing-parts.ts';
import type { Entitlement } from './entitlement.ts';
import { NEW_PLAN } from './plan-milestones.ts';
import { showSubscription, standingOf } from './show-subscription.ts';
import type { Account } from './store.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const DAY = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
const yearly = { id: 'price_year', cents: 9_000, interval: 'year', name: 'Yearly' } as const;
const monthly = { id: 'price_month', cents: 900, interval: 'month', name: 'Monthly' } as const;

const account = (entitlement: Entitlement | undefined, changes: Partial<Account> = {}) =>
  accountOf({ entitlement, trialUsed: true, published: 'pro active', ...changes });
const shown = (of: Account | undefined, options: Partial<Parameters<typeof showSubscription>[1]> = {}) =>
  showSubscription(of, {
    callerTier: 'free',
    nowMs: NOW,
    mayHaveTrial: !of?.trialUsed,
    offered: [monthly, yearly],
    ...options,
  });
const having = (change: Partial<Entitlement>) => shown(account({ ...activeAt(NOW), ...change }));

const nothing = {
  price: null,
  renewsAt: null,
  endsAt: null,
  trialEndsAt: null,
  card: null,
  paymentFailed: false,
  canCancel: false,
  canResume: false,
  canSwitchToYearly: false,
};
const trialing = { status: 'trialing', trialEndsMs: NOW + DAY, periodEndsMs: NOW + DAY } as const;
const pastDue = { status: 'past_due', paymentFailed: true, graceEndsMs: NOW + DAY } as const;

test.each<[string, Partial<Entitlement>, object]>([
  [
    'a trial that nothing can be charged for',
    { ...trialing, trialEndsPro: true },
    { renewsAt: null, endsAt: iso(NOW + DAY), trialEndsAt: iso(NOW + DAY), canCancel: true },
  ],
  [
    'paid',
    { card: { brand: 'visa', last4: '4242' } },
    {
      id: 'sub_1',
      price: { id: 'price_1', amount: 9, interval: 'month', displayName: 'Monthly' },
      renewsAt: iso(NOW + 10 * DAY),
      endsAt: null,
      card: { brand: 'visa', last4: '4242' },
      canCancel: true,
      canResume: false,
      canSwitchToYearly: true,
      trialAvailable: false,
    },
  ],
  ['taxed', { taxed: true }, { taxed: true }],
  ['paid by the year', { price: yearly }, { canCancel: true, canSwitchToYearly: false }],
  [
    'canceled',
    { cancelsMs: NOW + 1 },
    { renewsAt: null, endsAt: iso(NOW + 1), canCancel: false, canResume: true, canSwitchToYearly: false },
  ],
  ['at its end', { cancelsMs: NOW }, { endsAt: iso(NOW), canCancel: false, canResume: false }],
  [
    'in a trial',
    trialing,
    { renewsAt: iso(NOW + DAY), trialEndsAt: iso(NOW + DAY), canCancel: true, canSwitchToYearly: true },
  ],
  ['in a canceled trial', { ...trialing, cancelsMs: NOW + DAY }, { canCancel: false, canResume: true }],
  [
    'unpaid',
    pastDue,
    {
      renewsAt: null,
      endsAt: iso(NOW + DAY),
      paymentFailed: true,
      canCancel: true,
      canSwitchToYearly: false,
    },
  ],
  [
    'unpaid and canceled, in grace to the end of the period',
    { ...pastDue, cancelsMs: NOW + DAY - 1 },
    { endsAt: iso(NOW + DAY - 1), canResume: true },
  ],
  [
    'unpaid and canceled, the period longer than the grace',
    { ...pastDue, cancelsMs: NOW + 20 * DAY },
    { endsAt: iso(NOW + DAY), canCancel: false },
  ],
  [
    'that the provider stopped charging',
    { ...pastDue, status: 'unpaid' },
    { canCancel: false, price: { amount: 9 } },
  ],
  [
    'paused in its payments without a day',
    { pause: { resumesMs: null } },
    { renewsAt: null, paymentsPaused: { resumeAt: null }, canCancel: true, canSwitchToYearly: false },
  ],
  [
    'paused in its payments over its renewal',
    { pause: { resumesMs: NOW + 11 * DAY } },
    {
      renewsAt: null,
      paymentsPaused: { resumeAt: iso(NOW + 11 * DAY), periodEndsAt: iso(NOW + 10 * DAY) },
    },
  ],
  [
    'paused in its payments until before its renewal',
    { pause: { resumesMs: NOW + 10 * DAY } },
    { renewsAt: iso(NOW + 10 * DAY), paymentsPaused: { resumeAt: iso(NOW + 10 * DAY) } },
  ],
  ['paused', { status: 'paused' }, { renewsAt: null, canCancel: false, canSwitchToYearly: false }],
  ['not yet paid', { status: 'incomplete', tier: 'free' }, { ...nothing, id: 'sub_1', status: 'incomplete' }],
  [
    'in a trial without a card',
    { ...trialing, tier: 'free', awaitsCard: true },
    { ...nothing, status: 'incomplete', id: 'sub_1' },
  ],
  ['over', { status: 'canceled', tier: 'free' }, { ...nothing, status: 'canceled' }],
  [
    'never paid',
    { status: 'incomplete_expired', tier: 'free' },
    { ...nothing, status: 'incomplete_expired' },
  ],
])('a subscription that is %s is shown so', (_what, change, expected) => {
  expect(having(change)).toMatchObject(expected);
});

test.each<[string, Partial<Entitlement>]>([
  ['canceled', { cancelsMs: NOW + 1 }],
  ['unpaid from before', pastDue],
])('a pause of the payments of one that is %s is not named: it does not renew', (_what, change) => {
  expect(having({ ...change, pause: { resumesMs: null } })).not.toHaveProperty('paymentsPaused');
});

test('no switch to a yearly price is offered where there is none', () => {
  expect(shown(account(activeAt(NOW)), { offered: [monthly] }).canSwitchToYearly).toBe(false);
});

test('when and why pro ended is shown', () => {
  const plan = { ...NEW_PLAN, ended: { atMs: NOW - DAY, reason: 'refunded' } } as const;
  const over = { ...activeAt(NOW), status: 'canceled', tier: 'free' } as const;
  expect(shown(account(over, { plan }))).toMatchObject({ endedAt: iso(NOW - DAY), endReason: 'refunded' });
});

test.each<[string, boolean, Account | undefined, Partial<Parameters<typeof showSubscription>[1]>]>([
  ['a user without an account', true, undefined, {}],
  ['a user who never had one', true, account(undefined, { trialUsed: false, published: null }), {}],
  ['a user who had one', false, account(undefined, { published: null }), {}],
  ['not to a user who may have none', false, undefined, { mayHaveTrial: false }],
  ['not to a user who has pro by other means', false, undefined, { callerTier: 'pro' }],
  ['not to a subscriber', false, account(activeAt(NOW), { trialUsed: false, published: 'free active' }), {}],
])('a trial is there for %s: %s', (_who, isAvailable, of, options) => {
  expect(shown(of, options).trialAvailable).toBe(isAvailable);
});

test.each<[string, Account | undefined, 'free' | 'pro', object]>([
  ['of the identity token without an account', undefined, 'pro', { tier: 'pro', status: null }],
  [
    'of the identity token until one was published',
    account({ ...activeAt(NOW), tier: 'free', status: 'incomplete' }, { published: null }),
    'pro',
    { tier: 'pro', status: 'incomplete' },
  ],
  [
    'of the subscription once it was published',
    account(activeAt(NOW)),
    'free',
    { tier: 'pro', status: 'active' },
  ],
  [
    'free once a subscription was published and has been removed',
    account(undefined),
    'pro',
    { tier: 'free', status: null },
  ],
])('the tier is the one %s', (_what, of, callerTier, expected) => {
  expect(standingOf(of, callerTier)).toEqual(expected);
});
