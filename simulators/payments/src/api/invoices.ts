import { z } from 'zod';
import { confirmPayment } from '../billing/confirm-payment.ts';
import { voidInvoice } from '../billing/invoices.ts';
import { defaultMethodOf, intentOf, subscriptionOf } from '../billing/lookups.ts';
import { paymentMethodFor } from '../billing/payment-methods.ts';
import type { InvoiceDoc } from '../documents.ts';
import { type ApiCall, idOf, route } from '../http/api-route.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { flag, pageParams, text, timeRange } from '../http/params.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';

const listParams = z.strictObject({
  ...pageParams,
  created: timeRange.optional(),
  customer: text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  subscription: text.optional(),
});
const payParams = z.strictObject({ off_session: flag.optional(), payment_method: text.optional() });
const paymentsParams = z.strictObject({
  ...pageParams,
  invoice: text.optional(),
  payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text }).optional(),
  status: z.enum(['canceled', 'open', 'paid']).optional(),
});

export const invoiceRoutes = [
  route(
    'GET',
    '/v1/invoices',
    listParams,
    ({ state }, { created, customer, status, subscription, ...page }) =>
      listPage(
        [...state.store.invoices.values()].filter(
          (invoice) =>
            (customer === undefined || invoice.customer === customer) &&
            (status === undefined || invoice.status === status) &&
            (subscription === undefined || subscriptionOf(state, invoice)?.id === subscription) &&
            isWithin(invoice.created, created),
        ),
        '/v1/invoices',
        page,
      ),
  ),
  route('GET', '/v1/invoices/:id', z.strictObject({}), (call) => theInvoice(call)),
  route('POST', '/v1/invoices/:id/pay', payParams, (call, given) => {
    const { state } = call;
    const invoice = theInvoice(call);
    const intent = intentOf(state, invoice);
    const subscription = subscriptionOf(state, invoice);
    if (invoice.status !== 'open' || !intent || !subscription)
      throw invalidRequest('Invoice is already paid or can no longer be paid.');
    const method = given.payment_method
      ? paymentMethodFor(state, given.payment_method)
      : defaultMethodOf(state, subscription);
    confirmPayment(state, intent, {
      method,
      returnUrl: undefined,
      useStripeSdk: true,
      offSession: given.off_session ?? true,
    });
    return invoice;
  }),
  route('POST', '/v1/invoices/:id/void', z.strictObject({}), (call) => {
    const invoice = theInvoice(call);
    if (invoice.status !== 'open') throw invalidRequest('You can only void open invoices.');
    voidInvoice(call.state, invoice);
    return invoice;
  }),
  route('GET', '/v1/invoice_payments', paymentsParams, ({ state }, { invoice, payment, status, ...page }) =>
    listPage(
      [...state.store.invoicePayments.values()].filter(
        (each) =>
          (invoice === undefined || each.invoice === invoice) &&
          (payment === undefined || each.payment.payment_intent === payment.payment_intent) &&
          (status === undefined || each.status === status),
      ),
      '/v1/invoice_payments',
      page,
    ),
  ),
];

function theInvoice(call: ApiCall): InvoiceDoc {
  const invoice = call.state.store.invoices.get(idOf(call));
  if (!invoice) throw resourceMissing('invoice', idOf(call));
  return invoice;
}
