import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { contradictsTax } from './taxes.ts';

test.each([
  ['exclusive', 'exclusive', false],
  ['inclusive', 'exclusive', true],
  ['exclusive', 'inclusive', true],
  // What the account says counts.
  ['unspecified', 'exclusive', false],
  [null, 'inclusive', false],
  ['inclusive', undefined, false],
] as const)('a price that says %s is wrong where prices are %s: %s', (tax_behavior, tax, isWrong) => {
  expect(contradictsTax({ tax_behavior } as Stripe.Price, tax)).toBe(isWrong);
});
