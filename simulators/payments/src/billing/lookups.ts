import type {
  CustomerDoc,
  InvoiceDoc,
  InvoicePaymentDoc,
  PaymentIntentDoc,
  PaymentMethodDoc,
  SubscriptionDoc,
} from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { resourceMissing } from '../stripe-error.ts';

/** A customer that was not deleted. @throws StripeError `resource_missing` */
export function liveCustomer(state: PaymentsState, id: string, param = 'id'): CustomerDoc {
  const customer = state.store.customers.get(id);
  if (!customer || customer.deleted) throw resourceMissing('customer', id, param, param === 'id' ? 404 : 400);
  return customer;
}

/** The invoice that an intent pays, with what connects them. */
export function invoiceOf(
  state: PaymentsState,
  intent: PaymentIntentDoc,
): { invoice: InvoiceDoc; payment: InvoicePaymentDoc } | undefined {
  for (const payment of state.store.invoicePayments.values()) {
    if (payment.payment.payment_intent !== intent.id) continue;
    const invoice = state.store.invoices.get(payment.invoice);
    if (invoice) return { invoice, payment };
  }
  return undefined;
}

export function intentOf(state: PaymentsState, invoice: InvoiceDoc): PaymentIntentDoc | undefined {
  for (const payment of state.store.invoicePayments.values()) {
    if (payment.invoice === invoice.id) return state.store.paymentIntents.get(payment.payment.payment_intent);
  }
  return undefined;
}

export function subscriptionOf(state: PaymentsState, invoice: InvoiceDoc): SubscriptionDoc | undefined {
  const subscription = invoice.parent?.subscription_details?.subscription;
  return typeof subscription === 'string' ? state.store.subscriptions.get(subscription) : undefined;
}

/** What a renewal is charged to: the subscription's own, else the customer's. */
export function defaultMethodOf(
  state: PaymentsState,
  subscription: SubscriptionDoc,
): PaymentMethodDoc | undefined {
  const id =
    subscription.default_payment_method ??
    state.store.customers.get(subscription.customer)?.invoice_settings.default_payment_method;
  return id ? state.store.paymentMethods.get(id) : undefined;
}
