import { z } from 'zod';
import { createPrice, createProduct } from '../billing/catalog.ts';
import { changeAndTell } from '../change.ts';
import type { PriceDoc, ProductDoc } from '../documents.ts';
import { type ApiCall, idOf, route } from '../http/api-route.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { clearable, flag, integer, metadata, pageParams, text, timeRange } from '../http/params.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';
import { mergeMetadata } from './metadata.ts';

const interval = z.enum(['day', 'week', 'month', 'year']);
const productParams = {
  active: flag.optional(),
  default_price: text.optional(),
  description: clearable.optional(),
  metadata: metadata.optional(),
};
const priceParams = z.strictObject({
  active: flag.optional(),
  currency: z.string().length(3).toLowerCase(),
  lookup_key: text.optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  product: text,
  recurring: z.strictObject({ interval, interval_count: integer.optional() }),
  unit_amount: integer.pipe(z.number().nonnegative()),
});
const priceChanges = z.strictObject({
  active: flag.optional(),
  lookup_key: clearable.optional(),
  metadata: metadata.optional(),
  nickname: clearable.optional(),
});
const priceFilter = z.strictObject({
  ...pageParams,
  active: flag.optional(),
  created: timeRange.optional(),
  currency: text.optional(),
  lookup_keys: z.array(text).max(10).optional(),
  product: text.optional(),
  recurring: z
    .strictObject({ interval: interval.optional(), usage_type: z.enum(['licensed', 'metered']).optional() })
    .optional(),
  type: z.enum(['one_time', 'recurring']).optional(),
});
const productFilter = z.strictObject({
  ...pageParams,
  active: flag.optional(),
  created: timeRange.optional(),
  ids: z.array(text).optional(),
});

export const catalogRoutes = [
  route(
    'POST',
    '/v1/products',
    z.strictObject({ ...productParams, id: text.optional(), name: text.min(1) }),
    ({ state }, given) => {
      const made = createProduct(state, { ...given, metadata: mergeMetadata({}, given.metadata ?? {}) });
      state.events.emit('product.created', made);
      return made;
    },
  ),
  route('GET', '/v1/products', productFilter, ({ state }, { active, created, ids, ...page }) =>
    listPage(
      [...state.store.products.values()].filter(
        (product) =>
          (active === undefined || product.active === active) &&
          (ids === undefined || ids.includes(product.id)) &&
          isWithin(product.created, created),
      ),
      '/v1/products',
      page,
    ),
  ),
  route('GET', '/v1/products/:id', z.strictObject({}), (call) => product(call)),
  route(
    'POST',
    '/v1/products/:id',
    z.strictObject({ ...productParams, name: text.optional() }),
    (call, given) => {
      const changed = product(call);
      const { metadata: labels, ...plain } = given;
      changeAndTell<ProductDoc>(call.state, 'product.updated', changed, {
        ...definedOf(plain),
        ...(labels === undefined ? {} : { metadata: mergeMetadata(changed.metadata, labels) }),
        updated: call.state.clock.nowSeconds(),
      });
      return changed;
    },
  ),
  route('POST', '/v1/prices', priceParams, ({ state }, given) => {
    if (!state.store.products.has(given.product))
      throw resourceMissing('product', given.product, 'product', 400);
    requireFreeKey([...state.store.prices.values()], given.lookup_key);
    const made = createPrice(state, { ...given, metadata: mergeMetadata({}, given.metadata ?? {}) });
    state.events.emit('price.created', made);
    return made;
  }),
  route('GET', '/v1/prices', priceFilter, ({ state }, { limit, starting_after, ending_before, ...filter }) =>
    listPage(
      [...state.store.prices.values()].filter((each) => fits(each, filter)),
      '/v1/prices',
      { limit, starting_after, ending_before },
    ),
  ),
  route('GET', '/v1/prices/:id', z.strictObject({}), (call) => price(call)),
  route('POST', '/v1/prices/:id', priceChanges, (call, given) => {
    const changed = price(call);
    const { metadata: labels, ...plain } = given;
    if (plain.lookup_key && plain.lookup_key !== changed.lookup_key) {
      requireFreeKey([...call.state.store.prices.values()], plain.lookup_key);
    }
    changeAndTell<PriceDoc>(call.state, 'price.updated', changed, {
      ...definedOf(plain),
      ...(labels === undefined ? {} : { metadata: mergeMetadata(changed.metadata, labels) }),
    });
    return changed;
  }),
];

function fits(each: PriceDoc, filter: Omit<z.output<typeof priceFilter>, keyof typeof pageParams>): boolean {
  const { active, created, currency, lookup_keys, product: of, recurring, type } = filter;
  return (
    (active === undefined || each.active === active) &&
    (currency === undefined || each.currency === currency) &&
    (lookup_keys === undefined || (each.lookup_key !== null && lookup_keys.includes(each.lookup_key))) &&
    (of === undefined || each.product === of) &&
    (recurring?.interval === undefined || each.recurring.interval === recurring.interval) &&
    (recurring?.usage_type === undefined || each.recurring.usage_type === recurring.usage_type) &&
    (type === undefined || each.type === type) &&
    isWithin(each.created, created)
  );
}

function product(call: ApiCall): ProductDoc {
  const found = call.state.store.products.get(idOf(call));
  if (!found) throw resourceMissing('product', idOf(call));
  return found;
}

function price(call: ApiCall): PriceDoc {
  const found = call.state.store.prices.get(idOf(call));
  if (!found) throw resourceMissing('price', idOf(call));
  return found;
}

function requireFreeKey(prices: PriceDoc[], key: string | undefined): void {
  const taken = key === undefined ? undefined : prices.find(({ lookup_key }) => lookup_key === key);
  if (taken) {
    throw invalidRequest(
      `A price (\`${taken.id}\`) already uses that lookup key. You can transfer it over by setting \`transfer_lookup_key=true\`.`,
      'lookup_key',
    );
  }
}

/** Without what was not given. */
function definedOf<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the names: these are the entries of `given` without those that were undefined.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
