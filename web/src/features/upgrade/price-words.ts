import type { Price } from '@casewatch/contracts/billing';
import { YEAR_OF_MONTHS_DOLLARS } from '@casewatch/contracts/limits';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { dollars } from '../../lib/format-number.ts';

/** Returns the price that is chosen to begin with: the monthly one, else the first. */
export function defaultPrice(prices: readonly Price[]): Price | undefined {
  return prices.find(({ interval }) => interval === 'month') ?? prices[0];
}

/** Returns an amount and how often it is paid: `$9/month`. */
export function pricePerInterval({ amount, interval }: Pick<Price, 'amount' | 'interval'>): string {
  const price = dollars(amount);
  return interval === 'year' ? t`${price}/year` : t`${price}/month`;
}

const NAMES: Readonly<Record<string, MessageDescriptor>> = {
  Monthly: msg({ message: 'Monthly', context: 'billing' }),
  Yearly: msg({ message: 'Yearly', context: 'billing' }),
};

/** Returns the usual names in the reader's language; any other is the operator's own word. */
export function priceName({ displayName }: Price): string {
  const usual = NAMES[displayName];
  return usual === undefined ? displayName : i18n._(usual);
}

/** Returns what a yearly price saves against twelve months; undefined when it saves nothing. */
export function savingOf({ interval, amount }: Price): string | undefined {
  if (interval !== 'year' || amount >= YEAR_OF_MONTHS_DOLLARS) return undefined;
  const saved = dollars(YEAR_OF_MONTHS_DOLLARS - amount);
  return t({ message: `Save ${saved}`, context: 'price' });
}
