import { expect, test } from 'vitest';
import { billingNotice } from './billing-notice.ts';

const PAID = { tier: 'pro', paymentFailed: false, endsAt: null } as const;
const FAILED = { ...PAID, paymentFailed: true } as const;

test('nothing is shown while all is well, after a cancellation, or without a subscription', () => {
  expect(billingNotice(PAID)).toBeUndefined();
  expect(billingNotice({ ...PAID, endsAt: '2026-12-24T12:00:00.000Z' })).toBeUndefined();
  expect(billingNotice({ ...PAID, tier: 'free' })).toBeUndefined();
});

test('a failed renewal says what to do and until when', () => {
  expect(billingNotice({ ...FAILED, endsAt: '2026-12-31T12:00:00.000Z' })?.text).toBe(
    'Your last payment failed. Update your payment method before Dec 31, 2026 to keep Pro.',
  );
});

test('Pro that has ended by it has a notice of its own', () => {
  const ended = billingNotice({ ...FAILED, tier: 'free' });
  expect(ended?.text).toContain('Pro has ended');
  expect(ended?.id).not.toBe(billingNotice(FAILED)?.id);
});
