import { expect, test } from 'vitest';
import { cardlessTrialAt, invoiceAt, subscriptionAt } from '../../test/provider-subscription.ts';
import { currentSubscription, type Entitlement, entitlementOf } from './entitlement.ts';
import type { ProviderSubscription } from './provider.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GRACE = 7 * DAY;

const entitled = (changes: Partial<ProviderSubscription>) =>
  entitlementOf({ subscriptions: [subscriptionAt(NOW, changes)] }, { nowMs: NOW, graceMs: GRACE });
const trial = {
  status: 'trialing',
  trialStartsMs: NOW - 4 * DAY,
  trialEndsMs: NOW + 10 * DAY,
} as const;
const unpaid = { status: 'past_due', unpaidSinceMs: NOW - DAY } as const;

test('without a subscription there is no entitlement', () => {
  expect(entitlementOf({ subscriptions: [] }, { nowMs: NOW, graceMs: GRACE })).toBeUndefined();
});

test.each<[string, Partial<ProviderSubscription>, Partial<Entitlement>]>([
  ['paid is pro', {}, { tier: 'pro', paymentFailed: false, graceEndsMs: null, unpaidInvoiceId: null }],
  [
    'whose trial has a card is pro',
    trial,
    { tier: 'pro', trialEndsMs: NOW + 10 * DAY, awaitsCard: false, trialEndsPro: false },
  ],
  ['whose trial has no card is free', cardlessTrialAt(NOW), { tier: 'free', awaitsCard: true }],
  [
    'whose trial has just got its card is pro',
    cardlessTrialAt(NOW, {
      setup: { id: 'seti_1', succeeded: true, clientSecret: null },
    }),
    { tier: 'pro', awaitsCard: false, trialEndsPro: true },
  ],
  [
    'whose first trial names no setup any more is free until a card is found',
    cardlessTrialAt(NOW, { setup: null, isFirstTrial: true }),
    { tier: 'free', awaitsCard: true, trialEndsPro: false },
  ],
  ['whose trial needs no card is pro', cardlessTrialAt(NOW, { setup: null }), { tier: 'pro' }],
  [
    'whose trial has a payment method that is no card is pro',
    cardlessTrialAt(NOW, { hasPaymentMethod: true }),
    { tier: 'pro', awaitsCard: false },
  ],
  [
    'whose payments are paused is pro',
    { pause: { resumesMs: null } },
    { tier: 'pro', pause: { resumesMs: null } },
  ],
  ['whose pause is over pays again', { pause: { resumesMs: NOW } }, { tier: 'pro', pause: null }],
  ['that is active has no trial to end', { trialEndsMs: NOW - DAY }, { trialEndsMs: null }],
  [
    'unpaid since yesterday is pro for the rest of the days of grace',
    unpaid,
    { tier: 'pro', paymentFailed: true, graceEndsMs: NOW + 6 * DAY, unpaidInvoiceId: 'in_1' },
  ],
  [
    'unpaid is free from the end of the grace on',
    { ...unpaid, unpaidSinceMs: NOW - GRACE },
    { tier: 'free', paymentFailed: true, graceEndsMs: NOW },
  ],
  [
    'unpaid is pro until the end of the grace',
    { ...unpaid, unpaidSinceMs: NOW - GRACE + 1 },
    { tier: 'pro', graceEndsMs: NOW + 1 },
  ],
  [
    'that the provider has stopped charging is free in the days of grace, too',
    { ...unpaid, status: 'unpaid' },
    { tier: 'free', paymentFailed: true, graceEndsMs: NOW + 6 * DAY, endReason: 'payment-failed' },
  ],
  [
    'unpaid since its latest invoice, where no older one is',
    { ...unpaid, unpaidSinceMs: null, latestInvoice: invoiceAt(NOW, { finalizedMs: NOW - 2 * DAY }) },
    { graceEndsMs: NOW + 5 * DAY },
  ],
  [
    'unpaid since the end of its period, without an invoice, is named by itself',
    { ...unpaid, unpaidSinceMs: null, latestInvoice: null, periodEndsMs: NOW - 3 * DAY },
    { graceEndsMs: NOW + 4 * DAY, unpaidInvoiceId: 'sub_1' },
  ],
  ['paused is free', { status: 'paused' }, { tier: 'free', paymentFailed: false }],
  ['not yet paid is free', { status: 'incomplete' }, { tier: 'free', trialUsed: false }],
])('a subscription %s', (_what, changes, expected) => {
  expect(entitled(changes)).toMatchObject(expected);
});

test.each<[string, Partial<ProviderSubscription>, number | null]>([
  ['eight days before its end', trial, NOW + 2 * DAY],
  [
    'eight days before its end, also where that is in its first half',
    { ...trial, trialStartsMs: NOW, trialEndsMs: NOW + 9 * DAY },
    NOW + DAY,
  ],
  [
    'at the middle of a shorter one',
    { ...trial, trialStartsMs: NOW, trialEndsMs: NOW + 4 * DAY },
    NOW + 2 * DAY,
  ],
  [
    'at the middle since the subscription was created, where its start is unknown',
    { ...trial, trialStartsMs: null, createdMs: NOW - DAY, trialEndsMs: NOW + DAY },
    NOW,
  ],
  ['never after a cancellation', { ...trial, cancelsMs: NOW + 10 * DAY }, null],
  ['never where payments are paused at that time', { ...trial, pause: { resumesMs: NOW + 11 * DAY } }, null],
  [
    'eight days before its end, where paused payments resume before it',
    { ...trial, pause: { resumesMs: NOW + DAY } },
    NOW + 2 * DAY,
  ],
  [
    'eight days before its end, where it ends pro for want of a card, also while payments are paused',
    { ...trial, hasPaymentMethod: false, pause: { resumesMs: null } },
    NOW + 2 * DAY,
  ],
  ['never without a card', cardlessTrialAt(NOW), null],
  ['never without an end', { ...trial, trialEndsMs: null }, null],
  ['never after the trial', { ...trial, status: 'active' }, null],
])('the user is reminded of the end of a trial %s', (_when, changes, expected) => {
  expect(entitled(changes)?.trialReminderMs).toBe(expected);
});

test.each<[string, Partial<ProviderSubscription>, string]>([
  ['nothing else', { status: 'canceled' }, 'canceled'],
  ['an unpaid renewal', unpaid, 'payment-failed'],
  ['a payment that failed for good', { status: 'canceled', endedFor: 'payment-failed' }, 'payment-failed'],
  ['a lost dispute', { status: 'canceled', endedFor: 'refunded' }, 'refunded'],
  ['a payment given back', { status: 'canceled', paidBack: true }, 'refunded'],
  [
    'a payment given back, whatever the provider says',
    { paidBack: true, endedFor: 'payment-failed' },
    'refunded',
  ],
])('an end is put down to %s', (_what, changes, expected) => {
  expect(entitled(changes)?.endReason).toBe(expected);
});

test.each<[string, boolean, Partial<ProviderSubscription>]>([
  ['a paid subscription', true, {}],
  ['a trial with a card', true, trial],
  ['a trial without a card', false, cardlessTrialAt(NOW)],
  ['a subscription that was never paid', false, { status: 'incomplete_expired' }],
  ['a subscription that is not yet paid', false, { status: 'incomplete' }],
  ['a subscription that ended and was paid', true, { status: 'canceled', hasPaymentMethod: false }],
  [
    'a trial that ended with a card',
    true,
    { status: 'canceled', latestInvoice: invoiceAt(NOW, { paidCents: 0 }) },
  ],
  [
    'a trial that ended without a card',
    false,
    { status: 'canceled', hasPaymentMethod: false, latestInvoice: invoiceAt(NOW, { paidCents: 0 }) },
  ],
  [
    'a trial that ended without a card or an invoice',
    false,
    { status: 'canceled', hasPaymentMethod: false, latestInvoice: null },
  ],
])('%s uses up the trial: %s', (_what, isUsed, changes) => {
  expect(entitled(changes)?.trialUsed).toBe(isUsed);
});

test('a trial is used up by any subscription, not only by the one that counts', () => {
  const subscriptions = [cardlessTrialAt(NOW, { id: 'sub_2' }), subscriptionAt(NOW, { status: 'canceled' })];
  expect(entitlementOf({ subscriptions }, { nowMs: NOW, graceMs: GRACE })).toMatchObject({
    subscriptionId: 'sub_2',
    trialUsed: true,
  });
});

test('the one that counts is entitled before unpaid, unpaid before ended, whatever the order', () => {
  const ranks: Partial<ProviderSubscription>[][] = [
    [{ status: 'active' }, trial],
    [{ status: 'past_due' }],
    [{ status: 'unpaid' }],
    [{ status: 'paused' }],
    [{ status: 'incomplete' }, cardlessTrialAt(NOW)],
    [{ status: 'canceled' }, { status: 'incomplete_expired' }],
  ];
  ranks.forEach((better, at) => {
    for (const first of better) {
      for (const second of ranks.slice(at + 1).flat()) {
        // The worse one is newer.
        const one = subscriptionAt(NOW, { ...first, id: 'sub_better', createdMs: NOW - DAY });
        const other = subscriptionAt(NOW, { ...second, id: 'sub_worse', createdMs: NOW });
        expect(currentSubscription([one, other])?.id).toBe('sub_better');
        expect(currentSubscription([other, one])?.id).toBe('sub_better');
      }
    }
  });
});

test('of subscriptions in the same state the newest counts, and of the same moment always the same one', () => {
  const older = subscriptionAt(NOW, { id: 'sub_a', createdMs: NOW - 1 });
  const newer = subscriptionAt(NOW, { id: 'sub_b', createdMs: NOW });
  const another = subscriptionAt(NOW, { id: 'sub_c', createdMs: NOW, ...trial });
  for (const order of [
    [older, newer, another],
    [another, older, newer],
    [newer, another, older],
  ])
    expect(currentSubscription(order)?.id).toBe('sub_b');
});
