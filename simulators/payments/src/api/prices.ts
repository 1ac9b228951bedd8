import { z } from 'zod';
import { type Interval, newId, type PriceDoc } from '../documents.ts';
import { listPage, route } from '../http/api-route.ts';
import { flag, integer, noParams, page, text } from '../http/params.ts';
import type { PaymentsState } from '../state.ts';
import { resourceMissing } from '../stripe-error.ts';

/** The only product. Its id and those of its prices stay the same over restarts. */
export const PRODUCT = { id: 'prod_CasewatchPro', name: 'Casewatch Pro' } as const;
const OFFERS = [
  {
    id: 'price_CasewatchProMonthly',
    lookup_key: 'pro_monthly',
    nickname: 'Monthly',
    interval: 'month',
    unit_amount: 900,
  },
  {
    id: 'price_CasewatchProYearly',
    lookup_key: 'pro_yearly',
    nickname: 'Yearly',
    interval: 'year',
    unit_amount: 9_000,
  },
] as const;

const createParams = z.strictObject({
  currency: z.string().length(3).toLowerCase(),
  product: text,
  recurring: z.strictObject({ interval: z.enum(['week', 'month', 'year']) }),
  unit_amount: integer.pipe(z.number().nonnegative()),
});
const listParams = z.strictObject({
  ...page,
  active: flag.optional(),
  lookup_keys: z.array(text).max(10).optional(),
  product: text.optional(),
});

export const priceRoutes = [
  route('POST', '/v1/prices', createParams, ({ state }, { currency, product, recurring, unit_amount }) => {
    if (product !== PRODUCT.id) throw resourceMissing('product', product, 'product', 400);
    return addPrice(state, { currency, unit_amount, interval: recurring.interval });
  }),
  route('GET', '/v1/prices', listParams, ({ state }, { active, lookup_keys, product, ...wanted }) => {
    const prices = [...state.store.prices.values()].filter(
      (price) =>
        (active === undefined || price.active === active) &&
        (lookup_keys === undefined || lookup_keys.includes(price.lookup_key ?? '')) &&
        (product === undefined || price.product === product),
    );
    return listPage(prices, '/v1/prices', wanted);
  }),
  route('GET', '/v1/prices/:id', noParams, ({ state, id }) => {
    const price = state.store.prices.get(id);
    if (!price) throw resourceMissing('price', id);
    return price;
  }),
];

/** Adds the monthly and the yearly price, unless they exist. */
export function offerPro(state: PaymentsState): void {
  if (state.store.prices.has(OFFERS[0].id)) return;
  for (const offer of OFFERS) addPrice(state, { ...offer, currency: 'usd' });
}

function addPrice(
  state: PaymentsState,
  given: Pick<PriceDoc, 'currency' | 'unit_amount'> &
    Partial<Pick<PriceDoc, 'id' | 'lookup_key' | 'nickname'>> & { interval: Interval },
): PriceDoc {
  const price: PriceDoc = {
    id: given.id ?? newId('price'),
    object: 'price',
    active: true,
    created: state.clock.nowSeconds(),
    currency: given.currency,
    lookup_key: given.lookup_key ?? null,
    nickname: given.nickname ?? null,
    product: PRODUCT.id,
    recurring: { interval: given.interval, interval_count: 1 },
    type: 'recurring',
    unit_amount: given.unit_amount,
  };
  state.store.prices.set(price.id, price);
  return price;
}
