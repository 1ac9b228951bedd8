import type { Price } from '@casewatch/contracts/billing';
import { expect, test } from 'vitest';
import { payLabel, termsOf } from './payment-words.ts';

const MONTHLY: Price = { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' };
const YEARLY: Price = { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' };
const TODAY = { now: new Date(2026, 1, 20, 12), trialDays: 14 };

test('the button says what is charged', () => {
  expect(payLabel('payment', MONTHLY, 14)).toBe('Subscribe to Pro - $9/month');
  expect(payLabel('setup', MONTHLY, 14)).toBe('Start 14-day free trial');
  expect(payLabel('payment', YEARLY, 14)).toBe('Subscribe to Pro - $90/year');
  expect(payLabel('overdue', YEARLY, 14)).toBe('Pay $90');
});

test('a trial says that nothing is paid today, and what is charged when', () => {
  expect(termsOf('setup', MONTHLY, TODAY)).toBe(
    'Your 14-day free trial begins today: you pay nothing now. The first payment of $9 is taken on Mar 6, 2026, then every month. Cancel before Mar 6, 2026 and you pay nothing.',
  );
});

test('a payment says that it is charged today and again', () => {
  expect(termsOf('payment', YEARLY, TODAY)).toBe('$90 is charged today, then every year until you cancel.');
});

test('a renewal that has failed says that the open invoice is paid', () => {
  expect(termsOf('overdue', MONTHLY, TODAY)).toContain('your open invoice of $9');
});
