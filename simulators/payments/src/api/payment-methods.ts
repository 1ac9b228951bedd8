import { z } from 'zod';
import { liveCustomer } from '../billing/lookups.ts';
import { attach, paymentMethodFor, paymentMethodFromCard } from '../billing/payment-methods.ts';
import type { PaymentMethodDoc } from '../documents.ts';
import { type ApiCall, idOf, route } from '../http/api-route.ts';
import { listPage } from '../http/list-page.ts';
import { pageParams, text } from '../http/params.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';
import { methodData } from './intent-params.ts';

const filter = { ...pageParams, type: z.literal('card').optional() };

export const paymentMethodRoutes = [
  route(
    'POST',
    '/v1/payment_methods',
    methodData,
    ({ state }, { card, billing_details }) => paymentMethodFromCard(state, card, billing_details),
    'browser',
  ),
  route(
    'GET',
    '/v1/payment_methods',
    z.strictObject({ ...filter, customer: text.optional() }),
    ({ state }, given) => {
      const { customer, type: _card, ...page } = given;
      if (customer === undefined)
        throw invalidRequest('Missing required param: customer.', 'customer', 'parameter_missing');
      liveCustomer(state, customer, 'customer');
      const found = [...state.store.paymentMethods.values()].filter((method) => method.customer === customer);
      return listPage(found, '/v1/payment_methods', page);
    },
  ),
  route(
    'GET',
    '/v1/customers/:id/payment_methods',
    z.strictObject(filter),
    (call, { type: _card, ...page }) => {
      const { id } = liveCustomer(call.state, idOf(call));
      const found = [...call.state.store.paymentMethods.values()].filter(({ customer }) => customer === id);
      return listPage(found, `/v1/customers/${id}/payment_methods`, page);
    },
  ),
  route('GET', '/v1/payment_methods/:id', z.strictObject({}), (call) => theMethod(call)),
  route(
    'POST',
    '/v1/payment_methods/:id/attach',
    z.strictObject({ customer: text }),
    (call, { customer }) => {
      const method = paymentMethodFor(call.state, idOf(call));
      attach(call.state, method, liveCustomer(call.state, customer, 'customer').id);
      return method;
    },
  ),
  route('POST', '/v1/payment_methods/:id/detach', z.strictObject({}), (call) => {
    const method = theMethod(call);
    const customer = method.customer === null ? undefined : call.state.store.customers.get(method.customer);
    if (!customer) {
      throw invalidRequest(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    }
    method.customer = null;
    if (customer.invoice_settings.default_payment_method === method.id) {
      customer.invoice_settings.default_payment_method = null;
    }
    for (const subscription of call.state.store.subscriptions.values()) {
      if (subscription.default_payment_method === method.id) subscription.default_payment_method = null;
    }
    call.state.events.emit('payment_method.detached', method, { customer: customer.id });
    return method;
  }),
];

function theMethod(call: ApiCall): PaymentMethodDoc {
  const method = call.state.store.paymentMethods.get(idOf(call));
  if (!method) throw resourceMissing('PaymentMethod', idOf(call), 'payment_method');
  return method;
}
