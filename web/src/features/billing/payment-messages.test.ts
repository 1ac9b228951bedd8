import { expect, test } from 'vitest';
import {
  CONFIRMATION_FAILED,
  messageForStatus,
  PAYMENT_ERROR,
  PAYMENT_PROCESSING,
  PAYMENT_SUCCESSFUL,
  paymentFailed,
} from './payment-messages.ts';

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

test('a refusal is shown in the words of the provider, or in standing ones', () => {
  expect(paymentFailed('Your card has expired.')).toMatchObject({
    title: 'Payment Failed',
    description: 'Your card has expired.',
  });
  expect(paymentFailed(undefined).description).toBe('Unable to process payment. Please try again.');
});

test.each([
  ['Payment Successful', 'Welcome to Pro! You now have access to all premium features.', PAYMENT_SUCCESSFUL],
  ['Payment Processing', 'Your payment is being processed. Please wait...', PAYMENT_PROCESSING],
  ['Payment Error', 'Unable to process payment. Please try again.', PAYMENT_ERROR],
  [
    'Payment Confirmation Failed',
    "Your payment was processed, but we couldn't activate your Pro tier. Please contact support or try refreshing the page.",
    CONFIRMATION_FAILED,
  ],
])('the toast "%s" says what happened and what to do', (title, description, message) => {
  expect(message).toMatchObject({ title, description });
});
