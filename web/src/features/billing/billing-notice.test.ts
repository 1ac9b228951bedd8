import type { Subscription } from '@casewatch/contracts/billing';
import { expect, test } from 'vitest';
import { billingNotice } from './billing-notice.ts';

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

test('nothing is shown while all is well, after a cancellation, or without a subscription', () => {
  expect(billingNotice(ACTIVE)).toBeUndefined();
  expect(billingNotice({ ...ACTIVE, endsAt: '2026-12-24T12:00:00.000Z', renewsAt: null })).toBeUndefined();
  expect(billingNotice({ ...ACTIVE, tier: 'free', status: null })).toBeUndefined();
});

test('a failed renewal says what to do and until when', () => {
  const notice = billingNotice({
    ...ACTIVE,
    status: 'past_due',
    paymentFailed: true,
    endsAt: '2026-12-31T12:00:00.000Z',
  });
  expect(notice?.text).toBe(
    'Your last payment failed. Update your payment method before Dec 31, 2026 to keep Pro.',
  );
});

test('Pro that has ended by it has a notice of its own', () => {
  const failed: Subscription = { ...ACTIVE, status: 'past_due', paymentFailed: true };
  const ended = billingNotice({ ...failed, tier: 'free' });
  expect(ended?.text).toContain('Pro has ended');
  expect(ended?.id).not.toBe(billingNotice(failed)?.id);
});
