import { z } from 'zod';
import { cancelSubscription, hasEnded } from '../billing/cancel-subscription.ts';
import { liveCustomer } from '../billing/lookups.ts';
import { attach, paymentMethodFor } from '../billing/payment-methods.ts';
import { changeAndTell } from '../change.ts';
import type { CustomerDoc } from '../documents.ts';
import { idOf, route } from '../http/api-route.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { address, clearable, metadata, pageParams, text, timeRange } from '../http/params.ts';
import { newId, randomText } from '../ids.ts';
import type { PaymentsState } from '../payments-state.ts';
import { resourceMissing } from '../stripe-error.ts';
import { searchCustomers } from './customer-search.ts';
import { mergeMetadata } from './metadata.ts';

const writable = {
  address: address.optional(),
  description: clearable.optional(),
  email: clearable.optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearable.optional() }).optional(),
  metadata: metadata.optional(),
  name: clearable.optional(),
  phone: clearable.optional(),
  preferred_locales: z.array(text).optional(),
};
const createParams = z.strictObject({ ...writable, payment_method: text.optional() });
const updateParams = z.strictObject(writable);
const listParams = z.strictObject({ ...pageParams, email: text.optional(), created: timeRange.optional() });
const searchParams = z.strictObject({ query: text, limit: pageParams.limit, page: text.optional() });

export const customerRoutes = [
  route('POST', '/v1/customers', createParams, ({ state }, given) => create(state, given)),
  route('GET', '/v1/customers', listParams, ({ state }, { email, created, ...page }) => {
    const found = [...state.store.customers.values()].filter(
      (customer) =>
        !customer.deleted &&
        (email === undefined || customer.email === email) &&
        isWithin(customer.created, created),
    );
    return listPage(found, '/v1/customers', page);
  }),
  route('GET', '/v1/customers/search', searchParams, ({ state }, given) => searchCustomers(state, given)),
  route('GET', '/v1/customers/:id', z.strictObject({}), (call) => {
    const customer = call.state.store.customers.get(idOf(call));
    if (!customer) throw resourceMissing('customer', idOf(call));
    return customer;
  }),
  route('POST', '/v1/customers/:id', updateParams, (call, given) => {
    const customer = liveCustomer(call.state, idOf(call));
    changeAndTell(call.state, 'customer.updated', customer, valuesOf(call.state, customer, given));
    return customer;
  }),
  route('DELETE', '/v1/customers/:id', z.strictObject({}), (call) => remove(call.state, idOf(call))),
];

function create(
  state: PaymentsState,
  { payment_method, ...given }: z.output<typeof createParams>,
): CustomerDoc {
  const customer: CustomerDoc = {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: state.clock.nowSeconds(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
  };
  const method = payment_method === undefined ? undefined : paymentMethodFor(state, payment_method);
  if (method) attach(state, method, customer.id);
  Object.assign(customer, valuesOf(state, customer, given));
  state.store.customers.set(customer.id, customer);
  state.events.emit('customer.created', customer);
  return customer;
}

function valuesOf(
  state: PaymentsState,
  customer: CustomerDoc,
  given: z.output<typeof updateParams>,
): Partial<CustomerDoc> {
  const { address: place, metadata: labels, invoice_settings, ...plain } = given;
  const values: Partial<CustomerDoc> = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  );
  if (labels !== undefined) values.metadata = mergeMetadata(customer.metadata, labels);
  if (place !== undefined) {
    const { city, country, line1, line2, postal_code, state: region } = place;
    values.address = {
      city: city ?? null,
      country: country ?? null,
      line1: line1 ?? null,
      line2: line2 ?? null,
      postal_code: postal_code ?? null,
      state: region ?? null,
    };
  }
  const method = invoice_settings?.default_payment_method;
  if (method !== undefined) {
    if (method !== null && state.store.paymentMethods.get(method)?.customer !== customer.id) {
      throw resourceMissing('PaymentMethod', method, 'invoice_settings[default_payment_method]', 400);
    }
    values.invoice_settings = { ...customer.invoice_settings, default_payment_method: method };
  }
  return values;
}

/** Ends the customer's subscriptions at once; the id stays known as deleted. */
function remove(state: PaymentsState, id: string): unknown {
  const customer = liveCustomer(state, id);
  for (const subscription of state.store.subscriptions.values()) {
    if (subscription.customer === id && !hasEnded(subscription)) {
      cancelSubscription(state, subscription, 'cancellation_requested');
    }
  }
  for (const method of state.store.paymentMethods.values())
    if (method.customer === id) method.customer = null;
  state.events.emit('customer.deleted', customer);
  const stub = { id, object: 'customer', deleted: true } as const;
  for (const name of Object.keys(customer)) if (!(name in stub)) Reflect.deleteProperty(customer, name);
  Object.assign(customer, stub);
  return stub;
}
