import type { Subscription } from '@casewatch/contracts/billing';
import { expect, test } from 'vitest';
import { endedWords, hasEnded, planFacts, planPrice } from './plan-state.ts';

const ACTIVE: Subscription = {
  tier: 'pro',
  status: 'active',
  price: { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' },
  renewsAt: '2026-12-24T12:00:00.000Z',
  endsAt: null,
  trialEndsAt: null,
  endedAt: null,
  endReason: null,
  card: { brand: 'visa', last4: '4242' },
  paymentFailed: false,
  canCancel: true,
  canResume: false,
  canSwitchToYearly: false,
  id: null,
  trialAvailable: false,
};
const NONE: Subscription = {
  ...ACTIVE,
  tier: 'free',
  status: null,
  price: null,
  renewsAt: null,
  card: null,
  canCancel: false,
};

const facts = (subscription: Subscription) =>
  Object.fromEntries(planFacts(subscription).map(({ label, value }) => [label, value]));

test('a running subscription shows what it costs, when it renews, and the card', () => {
  expect(facts(ACTIVE)).toEqual({
    Billing: 'Monthly, $9/month',
    Renews: 'Dec 24, 2026',
    Card: 'Visa ending in 4242',
  });
});

test('a trial shows its end and the first payment', () => {
  const trial: Subscription = { ...ACTIVE, status: 'trialing', trialEndsAt: '2026-12-24T12:00:00.000Z' };
  expect(facts(trial)).toMatchObject({
    'Free trial until': 'Dec 24, 2026',
    'First payment': 'Dec 24, 2026',
  });
});

test('paused payments say until when, and name a renewal only where one is paid', () => {
  const periodEndsAt = '2026-12-24T12:00:00.000Z';
  const paused: Subscription = {
    ...ACTIVE,
    renewsAt: null,
    paymentsPaused: { resumeAt: null, periodEndsAt },
  };
  expect(facts(paused)).toEqual({
    Billing: 'Monthly, $9/month',
    Payments: 'Paused; nothing is charged until support resumes them',
    Card: 'Visa ending in 4242',
  });
  const resumeAt = '2026-12-03T12:00:00.000Z';
  expect(facts({ ...ACTIVE, paymentsPaused: { resumeAt, periodEndsAt } })).toMatchObject({
    Renews: 'Dec 24, 2026',
    Payments: 'Paused until Dec 3, 2026; nothing is charged until then',
  });
});

test('a canceled one shows when Pro ends and no renewal', () => {
  const canceled: Subscription = { ...ACTIVE, renewsAt: null, endsAt: '2026-12-24T12:00:00.000Z' };
  expect(facts(canceled)).toMatchObject({ 'Pro ends': 'Dec 24, 2026' });
  expect(facts(canceled)).not.toHaveProperty('Renews');
});

test('one that is over is distinguished from one that was never finished', () => {
  expect(hasEnded({ ...NONE, status: 'canceled' })).toBe(true);
  expect(hasEnded({ ...NONE, status: 'canceled', trialAvailable: true })).toBe(false);
  expect(hasEnded(NONE)).toBe(false);
  expect(hasEnded(ACTIVE)).toBe(false);
  expect(facts(NONE)).toEqual({});
});

test('the head of the plan shows the price that is paid, else the usual one', () => {
  const yearly = { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' } as const;
  expect(planPrice({ ...ACTIVE, price: yearly }, '$9/month')).toBe('$90/year');
  expect(planPrice(undefined, '$9/month', true)).toBe('$9/month');
  expect(planPrice(ACTIVE, '', true)).toBe('$9/month');
  expect(planPrice({ ...ACTIVE, taxed: true }, '', false)).toBe('$9/month');
  expect(planPrice({ ...ACTIVE, taxed: true }, '', true)).toBe('$9/month plus tax');
  expect(planFacts({ ...ACTIVE, taxed: true }, true)[0]?.value).toBe('Monthly, $9/month plus tax');
});

test('it says when and why Pro ended, for as long as the user has not got it again', () => {
  const ended: Subscription = { ...NONE, status: 'past_due', endedAt: '2026-12-24T12:00:00.000Z' };
  expect(hasEnded({ ...ended, endReason: 'payment-failed' })).toBe(true);
  expect(endedWords({ ...ended, endReason: 'payment-failed' })).toBe(
    'Your Pro subscription ended on Dec 24, 2026 because the payment failed. Your saved cases are kept.',
  );
  expect(endedWords({ ...ended, endReason: 'refunded' })).toContain('refunded or disputed');
  expect(endedWords(NONE)).toBe('Your Pro subscription has ended. Your saved cases are kept.');
});
