import type { Price } from '@casewatch/contracts/billing';
import { expect, test } from 'vitest';
import { defaultPrice, savingOf } from './price-words.ts';

const MONTHLY: Price = { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' };
const YEARLY: Price = { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' };

test('the monthly price is chosen first wherever it stands, else the first one', () => {
  expect(defaultPrice([YEARLY, MONTHLY])).toBe(MONTHLY);
  expect(defaultPrice([YEARLY])).toBe(YEARLY);
  expect(defaultPrice([])).toBeUndefined();
});

test.each([
  [{ ...YEARLY, amount: 90 }, 'Save $18'],
  [{ ...YEARLY, amount: 99.5 }, 'Save $8.50'],
  [{ ...YEARLY, amount: 108 }, undefined],
  [{ ...YEARLY, amount: 120 }, undefined],
  [MONTHLY, undefined],
])('%j saves %s', (price, saving) => {
  expect(savingOf(price)).toBe(saving);
});
