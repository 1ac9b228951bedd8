import { z } from 'zod';
import { cancelSubscription, hasEnded } from '../billing/subscriptions.ts';
import { requireTaxLocation } from '../billing/taxes.ts';
import {
  type CustomerDoc,
  type DeletedCustomer,
  newId,
  type PortalSessionDoc,
  randomText,
} from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import { listPage, route } from '../http/api-route.ts';
import { integer, metadata, noParams, page, text } from '../http/params.ts';
import type { PaymentsState } from '../state.ts';
import { resourceMissing } from '../stripe-error.ts';

const customerParams = z.strictObject({
  email: z.email({ pattern: z.regexes.html5Email }).or(z.literal('')).optional(),
  name: text.optional(),
  metadata: metadata.optional(),
});
const updateParams = customerParams.extend({
  address: z.strictObject({ country: text, postal_code: z.string() }).optional(),
  invoice_settings: z.strictObject({ default_payment_method: text }).optional(),
  tax: z.strictObject({ validate_location: z.literal('immediately') }).optional(),
});
const listParams = z.strictObject({
  ...page,
  created: z.strictObject({ gte: integer.optional(), lte: integer.optional() }).optional(),
});
const portalParams = z.strictObject({ customer: text, return_url: z.url().optional() });

export const customerRoutes = [
  route('POST', '/v1/customers', customerParams, ({ state }, { email, name, metadata }) => {
    const customer: CustomerDoc = {
      id: newId('cus'),
      object: 'customer',
      created: state.clock.nowSeconds(),
      email: email ?? null,
      invoice_settings: { default_payment_method: null },
      name: name ?? null,
      metadata: metadata ?? {},
    };
    state.store.customers.set(customer.id, customer);
    state.events.emit('customer.created', customer);
    return customer;
  }),
  route('GET', '/v1/customers', listParams, ({ state }, { created: { gte, lte } = {}, ...given }) => {
    const listed = [...state.store.customers.values()].filter(
      (customer) =>
        !('deleted' in customer) &&
        customer.created >= (gte ?? customer.created) &&
        customer.created <= (lte ?? customer.created),
    );
    return listPage(listed, '/v1/customers', given);
  }),
  route('GET', '/v1/customers/:id', noParams, ({ state, id }) => {
    const customer = state.store.customers.get(id);
    if (!customer) throw resourceMissing('customer', id);
    return customer;
  }),
  route('POST', '/v1/customers/:id', updateParams, ({ state, id }, given) => {
    const customer = presentCustomer(state, id);
    const { address, email, name, metadata, invoice_settings, tax } = given;
    if (tax) requireTaxLocation({ address });
    if (invoice_settings) requireOwnMethod(state, id, invoice_settings.default_payment_method);
    updateDocument(state, 'customer.updated', customer, {
      ...(email === undefined ? {} : { email: email || null }),
      ...(name === undefined ? {} : { name: name || null }),
      ...(metadata === undefined ? {} : { metadata: { ...customer.metadata, ...metadata } }),
      ...(invoice_settings ? { invoice_settings } : {}),
      ...(address ? { address } : {}),
    });
    return customer;
  }),
  route('DELETE', '/v1/customers/:id', noParams, ({ state, id }) => removeCustomer(state, id)),
  route('POST', '/v1/billing_portal/sessions', portalParams, ({ state }, { customer, return_url }) => {
    const session: PortalSessionDoc = {
      id: newId('bps'),
      object: 'billing_portal.session',
      created: state.clock.nowSeconds(),
      customer: presentCustomer(state, customer, 'customer').id,
      return_url: return_url ?? null,
      url: `${state.baseUrl}/pages/portal/${randomText(40)}`,
    };
    state.store.portalSessions.set(session.id, session);
    return session;
  }),
];

/** Returns a customer that was not deleted. @throws StripeError `resource_missing` */
export function presentCustomer({ store }: PaymentsState, id: string, param = 'id'): CustomerDoc {
  const customer = store.customers.get(id);
  if (!customer || 'deleted' in customer) {
    throw resourceMissing('customer', id, param, param === 'id' ? 404 : 400);
  }
  return customer;
}

/** @throws StripeError `resource_missing` for a payment method that is not attached to the customer */
export function requireOwnMethod({ store }: PaymentsState, customer: string, id: string): void {
  if (store.paymentMethods.get(id)?.customer === customer) return;
  throw resourceMissing('PaymentMethod', id, 'default_payment_method', 400);
}

/** Lists of a deleted customer show its history. @throws StripeError `resource_missing` for one that never was */
export function requireKnown({ store }: PaymentsState, id: string | undefined): void {
  if (id !== undefined && !store.customers.has(id)) throw resourceMissing('customer', id, 'customer', 400);
}

/** Ends the customer's subscriptions at once; the id stays known as deleted. */
function removeCustomer(state: PaymentsState, id: string): DeletedCustomer {
  const customer = presentCustomer(state, id);
  for (const subscription of state.store.subscriptions.values()) {
    if (subscription.customer === id && !hasEnded(subscription)) {
      cancelSubscription(state, subscription, 'cancellation_requested');
    }
  }
  for (const method of state.store.paymentMethods.values())
    if (method.customer === id) method.customer = null;
  state.events.emit('customer.deleted', customer);
  const deleted: DeletedCustomer = { id, object: 'customer', deleted: true };
  state.store.customers.set(id, deleted);
  return deleted;
}
