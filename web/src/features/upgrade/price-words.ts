import type { Price } from '@casewatch/contracts/billing';
import { YEAR_OF_MONTHS_DOLLARS } from '@casewatch/contracts/limits';
import { dollars } from '../../lib/dollars.ts';

/** The price that is chosen to begin with: the monthly one, else the first. */
export function defaultPrice(prices: readonly Price[]): Price | undefined {
  return prices.find(({ interval }) => interval === 'month') ?? prices[0];
}

/** What a yearly price saves against twelve months; undefined when it saves nothing. */
export function savingOf({ interval, amount }: Price): string | undefined {
  if (interval !== 'year' || amount >= YEAR_OF_MONTHS_DOLLARS) return undefined;
  return `Save ${dollars(YEAR_OF_MONTHS_DOLLARS - amount)}`;
}
