import type { InvoiceDoc, SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { chargeIntent } from './charge-intent.ts';
import { markPaid, paymentFailed } from './invoice-outcome.ts';
import { defaultMethodOf, intentOf, liveCustomer, subscriptionOf } from './lookups.ts';
import { newPaymentIntent } from './new-intents.ts';
import { type InvoiceFacts, newInvoice, newInvoicePayment } from './new-invoice.ts';
import { theItem } from './subscription-item.ts';

/**
 * Creates and finalizes the invoice of a subscription's current period. One over nothing is paid at once; any other
 * is open, with an intent that waits to be confirmed. Stripe leaves renewals in draft for an hour first; this does not.
 */
export function issueInvoice(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  { reason, isTrial, start }: { reason: InvoiceFacts['reason']; isTrial: boolean; start: number },
): InvoiceDoc {
  const customer = liveCustomer(state, subscription.customer);
  const item = theItem(subscription);
  const amount = isTrial ? 0 : item.price.unit_amount * item.quantity;
  const product = state.store.products.get(item.price.product)?.name ?? item.price.product;
  const now = state.clock.nowSeconds();
  const invoice = newInvoice({
    subscription,
    customer,
    reason,
    amount,
    description: isTrial ? `Trial period for ${product}` : `${item.quantity} × ${product}`,
    period: { start, end: item.current_period_end },
    nowSeconds: now,
  });
  state.store.invoices.set(invoice.id, invoice);
  state.events.emit('invoice.created', invoice);

  invoice.status = amount === 0 ? 'draft' : 'open';
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  customer.next_invoice_sequence += 1;
  invoice.effective_at = now;
  invoice.status_transitions.finalized_at = now;
  if (amount > 0) addIntent(state, invoice, subscription);
  else invoice.status = 'open';
  state.events.emit('invoice.finalized', invoice);
  if (amount === 0) markPaid(state, invoice, { attempt: false });
  return invoice;
}

/** The schedule's attempt to collect an open invoice with the subscription's or customer's card. */
export function collectInvoice(state: PaymentsState, invoice: InvoiceDoc): void {
  const intent = intentOf(state, invoice);
  const subscription = subscriptionOf(state, invoice);
  if (invoice.status !== 'open' || !intent || !subscription || intent.status === 'processing') return;
  const method = defaultMethodOf(state, subscription);
  if (method) chargeIntent(state, intent, method, { offSession: true });
  else paymentFailed(state, intent, { automatic: true });
}

/** The invoice is given up, and with it the intent. */
export function voidInvoice(state: PaymentsState, invoice: InvoiceDoc): void {
  if (invoice.status !== 'open') return;
  const now = state.clock.nowSeconds();
  invoice.status = 'void';
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = now;
  const intent = intentOf(state, invoice);
  if (intent && intent.status !== 'succeeded' && intent.status !== 'canceled') {
    intent.status = 'canceled';
    intent.canceled_at = now;
    intent.cancellation_reason = 'void_invoice';
    intent.next_action = null;
    state.store.settlements.delete(intent.id);
    state.events.emit('payment_intent.canceled', intent);
  }
  state.events.emit('invoice.voided', invoice);
}

function addIntent(state: PaymentsState, invoice: InvoiceDoc, subscription: SubscriptionDoc): void {
  const now = state.clock.nowSeconds();
  const intent = newPaymentIntent({
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    paymentMethod: defaultMethodOf(state, subscription)?.id ?? null,
    setupFutureUsage: 'off_session',
    nowSeconds: now,
  });
  state.store.paymentIntents.set(intent.id, intent);
  const payment = newInvoicePayment(invoice, intent.id, now);
  state.store.invoicePayments.set(payment.id, payment);
  state.events.emit('payment_intent.created', intent);
}
