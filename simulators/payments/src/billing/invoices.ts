import {
  type InvoiceDoc,
  type InvoicePaymentDoc,
  newId,
  type PaymentIntentDoc,
  type PaymentMethodDoc,
  type SubscriptionDoc,
} from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import type { PaymentsState } from '../state.ts';
import { redeemPaid } from './discounts.ts';
import { applyPendingUpdate, awaitsChange, dropPendingUpdate } from './pending-update.ts';

export const DAY_SECONDS = 86_400;

/** Days from each failed attempt to the next; after the last one the subscription is canceled. */
export const RETRY_AFTER_DAYS = [3, 5, 7] as const;

/** Voids an open invoice and cancels its intent. */
export function voidInvoice(state: PaymentsState, invoice: InvoiceDoc): void {
  if (invoice.status !== 'open') return;
  invoice.status = 'void';
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = state.clock.nowSeconds();
  const intent = intentOf(state, invoice);
  if (intent && intent.status !== 'succeeded' && intent.status !== 'canceled') {
    intent.status = 'canceled';
    intent.next_action = null;
    state.store.settlements.delete(intent.id);
    state.events.emit('payment_intent.canceled', intent);
  }
  state.events.emit('invoice.voided', invoice);
  const subscription = subscriptionOf(state, invoice);
  if (subscription && awaitsChange(subscription, invoice)) dropPendingUpdate(state, subscription);
}

/** Marks the intent's invoice as paid: an incomplete or past due subscription becomes active, with its card. */
export function paymentSucceeded(state: PaymentsState, intent: PaymentIntentDoc): void {
  const payment = paymentOf(state, intent);
  const invoice = payment && state.store.invoices.get(payment.invoice);
  if (!invoice) return;
  payment.status = 'paid';
  if (invoice.attempt_count === 0) invoice.attempt_count = 1;
  invoice.attempted = true;
  markPaid(state, invoice);
  const subscription = subscriptionOf(state, invoice);
  if (!subscription) return;
  const isWaiting = subscription.status === 'incomplete' || subscription.status === 'past_due';
  updateDocument(state, 'customer.subscription.updated', subscription, {
    ...(isWaiting && subscription.latest_invoice === invoice.id ? { status: 'active' } : {}),
    default_payment_method: intent.payment_method,
  });
  if (awaitsChange(subscription, invoice) && state.behavior.paidSwitch === 'made-at-once')
    applyPendingUpdate(state, subscription);
}

/**
 * Records a failed attempt: a running subscription is past due and retried on the schedule; an incomplete one stays so.
 * @param automatic the attempt was the schedule's own; the customer's own attempts do not use it up
 */
export function paymentFailed(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  { automatic }: { automatic: boolean },
): void {
  const invoice = state.store.invoices.get(paymentOf(state, intent)?.invoice ?? '');
  if (!invoice) return;
  const subscription = subscriptionOf(state, invoice);
  // A change that is not paid leaves the subscription as it is, and is not retried.
  const isRenewal = invoice.billing_reason !== 'subscription_create' && !awaitsChange(subscription, invoice);
  if (automatic || invoice.attempt_count === 0) {
    invoice.attempt_count += 1;
    invoice.attempted = true;
    const days = isRenewal ? RETRY_AFTER_DAYS[invoice.attempt_count - 1] : undefined;
    invoice.next_payment_attempt = days === undefined ? null : state.clock.nowSeconds() + days * DAY_SECONDS;
  }
  state.events.emit('invoice.payment_failed', invoice);
  if (isRenewal && subscription?.status === 'active') {
    updateDocument(state, 'customer.subscription.updated', subscription, { status: 'past_due' });
  }
}

export function invoicesOf(state: PaymentsState, { id }: SubscriptionDoc): InvoiceDoc[] {
  return [...state.store.invoices.values()].filter(
    ({ parent }) => parent.subscription_details.subscription === id,
  );
}

export function subscriptionOf(state: PaymentsState, invoice: InvoiceDoc): SubscriptionDoc | undefined {
  return state.store.subscriptions.get(invoice.parent.subscription_details.subscription);
}

/** Returns the card that renewals are charged to: the subscription's own before the customer's. One that was detached can't be charged. */
export function defaultMethodOf(
  { store }: PaymentsState,
  { default_payment_method: own, customer: id }: SubscriptionDoc,
): PaymentMethodDoc | undefined {
  const customer = store.customers.get(id);
  const fallback =
    customer && !('deleted' in customer) ? customer.invoice_settings.default_payment_method : null;
  const method = store.paymentMethods.get(own ?? fallback ?? '');
  return method?.customer === id ? method : undefined;
}

export function intentOf({ store }: PaymentsState, { id }: InvoiceDoc): PaymentIntentDoc | undefined {
  const payment = [...store.invoicePayments.values()].find(({ invoice }) => invoice === id);
  return payment && store.paymentIntents.get(payment.payment.payment_intent);
}

function paymentOf({ store }: PaymentsState, { id }: PaymentIntentDoc): InvoicePaymentDoc | undefined {
  return [...store.invoicePayments.values()].find(({ payment }) => payment.payment_intent === id);
}

/** Connects an open invoice with the intent that will pay it. */
export function addPayment(state: PaymentsState, invoice: InvoiceDoc, intent: PaymentIntentDoc): void {
  const payment: InvoicePaymentDoc = {
    id: newId('inpay'),
    object: 'invoice_payment',
    created: invoice.created,
    invoice: invoice.id,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
  };
  state.store.invoicePayments.set(payment.id, payment);
}

export function markPaid(state: PaymentsState, invoice: InvoiceDoc): void {
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = state.clock.nowSeconds();
  redeemPaid(state, invoice);
  state.events.emit('invoice.paid', invoice);
  state.events.emit('invoice.payment_succeeded', invoice);
}
