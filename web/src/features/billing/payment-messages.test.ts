import { expect, test } from 'vitest';
import { messageForStatus, paymentFailed } from './payment-messages.ts';

test.each([
  [
    'requires_payment_method',
    'Payment Failed',
    'Your card was declined. Please try a different payment method.',
  ],
  ['requires_action', 'Action Required', 'Please complete the additional authentication steps.'],
  ['canceled', 'Payment Status Unknown', 'The payment status is "canceled". Please contact support.'],
])('a payment that is %s says %s', (status, title, description) => {
  expect(messageForStatus(status)).toMatchObject({ title, description });
});

test('a refusal is told in the words of the provider, or in standing ones', () => {
  expect(paymentFailed('Your card has expired.')).toMatchObject({
    title: 'Payment Failed',
    description: 'Your card has expired.',
  });
  expect(paymentFailed(undefined).description).toBe('Unable to process payment. Please try again.');
});
