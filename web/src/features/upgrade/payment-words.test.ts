import type { Price } from '@casewatch/contracts/billing';
import { expect, test } from 'vitest';
import { endOfDiscount, payLabel, termsOf, termsOfDiscount, trialRule } from './payment-words.ts';

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

/** A date of a zone whose clocks go forward soon: the same time of another day is an hour earlier. */
class BeforeSummerTime extends Date {
  override setDate(day: number): number {
    super.setDate(day);
    return this.setTime(this.getTime() - 3_600_000);
  }
}

test('a trial ends a multiple of 24 hours after it began, whatever the clocks of the zone do', () => {
  const now = new BeforeSummerTime(2026, 0, 2, 0, 30);
  expect(termsOf('setup', MONTHLY, { now, trialDays: 14 })).toContain('taken on Jan 16, 2026');
});

test('a payment says that it is charged today and again', () => {
  expect(termsOf('payment', YEARLY, TODAY)).toBe('$90 is charged today, then every year until you cancel.');
});

test.each([
  [MONTHLY, 3, 'The discount ends on May 20, 2026: then you pay $9/month until you cancel.'],
  [YEARLY, 3, 'After the first payment you pay $90/year until you cancel.'],
  [YEARLY, 24, 'The discount ends on May 20, 2026: then you pay $90/year until you cancel.'],
  [YEARLY, null, 'After the first payment you pay $90/year until you cancel.'],
])('of %o for %s months it says from when the price is paid', (price, months, then) => {
  const endsAt = months === null ? null : new Date(2026, 4, 20, 12).toISOString();
  const discount = { price, due: 4.5, endsAt: endOfDiscount({ endsAt, months }, price), addsTax: false };
  expect(termsOfDiscount(false, discount, TODAY)).toBe(`$4.50 is charged today. ${then}`);
});

test('a renewal that has failed says that the open invoice is paid', () => {
  expect(termsOf('overdue', MONTHLY, TODAY)).toContain('your open invoice of $9');
});

test('who gets a trial is shown before the card is asked for, and who gets none sees why', () => {
  expect(trialRule('setup', false)).toContain('If this card was already used for one, nothing is charged');
  expect(trialRule('payment', true)).toBe(
    'You can’t get a free trial: this card or email address was already used for one, or can’t be checked.',
  );
  expect([trialRule('payment', false), trialRule('overdue', true)]).toEqual(['', '']);
});
