import type { PriceDoc, ProductDoc } from '../documents.ts';
import { newId } from '../ids.ts';
import type { PaymentsState } from '../payments-state.ts';

/** What is on offer from the start; the ids and lookup keys stay the same over restarts. */
const PRODUCT = 'prod_CasewatchPro';
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

/** Puts the product and its prices there, unless they are. */
export function offerPro(state: PaymentsState): void {
  if (state.store.products.has(PRODUCT)) return;
  createProduct(state, { id: PRODUCT, name: 'Casewatch Pro', metadata: {} });
  for (const { id, lookup_key, nickname, interval, unit_amount } of OFFERS) {
    createPrice(state, {
      id,
      lookup_key,
      nickname,
      unit_amount,
      currency: 'usd',
      product: PRODUCT,
      recurring: { interval },
      metadata: {},
    });
  }
}

export function createProduct(
  state: PaymentsState,
  given: {
    id?: string | undefined;
    name: string;
    active?: boolean | undefined;
    description?: string | null | undefined;
    default_price?: string | undefined;
    metadata: Record<string, string>;
  },
): ProductDoc {
  const now = state.clock.nowSeconds();
  const product: ProductDoc = {
    id: given.id ?? newId('prod'),
    object: 'product',
    active: given.active ?? true,
    created: now,
    default_price: given.default_price ?? null,
    description: given.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata,
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  };
  state.store.products.set(product.id, product);
  return product;
}

export function createPrice(
  state: PaymentsState,
  given: {
    id?: string;
    active?: boolean | undefined;
    currency: string;
    lookup_key?: string | undefined;
    metadata: Record<string, string>;
    nickname?: string | undefined;
    product: string;
    recurring: { interval: 'day' | 'week' | 'month' | 'year'; interval_count?: number | undefined };
    unit_amount: number;
  },
): PriceDoc {
  const price: PriceDoc = {
    id: given.id ?? newId('price'),
    object: 'price',
    active: given.active ?? true,
    billing_scheme: 'per_unit',
    created: state.clock.nowSeconds(),
    currency: given.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookup_key ?? null,
    metadata: given.metadata,
    nickname: given.nickname ?? null,
    product: given.product,
    recurring: {
      interval: given.recurring.interval,
      interval_count: given.recurring.interval_count ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: given.unit_amount,
    unit_amount_decimal: String(given.unit_amount),
  };
  state.store.prices.set(price.id, price);
  return price;
}
