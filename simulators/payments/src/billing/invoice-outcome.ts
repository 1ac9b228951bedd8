import { changeAndTell } from '../change.ts';
import type { InvoiceDoc, PaymentIntentDoc, SubscriptionDoc, SubscriptionStatus } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { DAY_SECONDS } from './calendar.ts';
import { invoiceOf, subscriptionOf } from './lookups.ts';

/** Days from each failed attempt to the next; after the last one the subscription is canceled. */
export const RETRY_AFTER_DAYS = [3, 5, 7] as const;

/** The intent's invoice is paid: an incomplete or past due subscription is active, with its card if it is to keep it. */
export function paymentSucceeded(state: PaymentsState, intent: PaymentIntentDoc): void {
  const found = invoiceOf(state, intent);
  if (!found) return;
  const { invoice, payment } = found;
  const now = state.clock.nowSeconds();
  payment.status = 'paid';
  payment.amount_paid = intent.amount;
  payment.status_transitions.paid_at = now;
  state.events.emit('invoice_payment.paid', payment);
  markPaid(state, invoice, { attempt: invoice.attempt_count === 0 });
  const subscription = subscriptionOf(state, invoice);
  if (!subscription) return;
  const keepsCard = subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  changeAndTell<SubscriptionDoc>(state, 'customer.subscription.updated', subscription, {
    ...(isWaiting(subscription.status) && subscription.latest_invoice === invoice.id
      ? { status: 'active' }
      : {}),
    ...(keepsCard && intent.payment_method ? { default_payment_method: intent.payment_method } : {}),
  });
}

/** Also for an invoice over nothing, which no intent pays. */
export function markPaid(state: PaymentsState, invoice: InvoiceDoc, { attempt }: { attempt: boolean }): void {
  const now = state.clock.nowSeconds();
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.attempted = true;
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  if (attempt) invoice.attempt_count += 1;
  invoice.status_transitions.paid_at = now;
  state.events.emit('invoice.paid', invoice);
  state.events.emit('invoice.payment_succeeded', invoice);
}

/**
 * A failed attempt: a running subscription is past due and tried again on the schedule; an incomplete one stays so.
 * @param automatic the attempt was the schedule's own; the customer's own attempts do not use it up
 */
export function paymentFailed(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  { automatic }: { automatic: boolean },
): void {
  const found = invoiceOf(state, intent);
  if (!found) return;
  const { invoice } = found;
  const isRenewal = invoice.billing_reason !== 'subscription_create';
  if (automatic || invoice.attempt_count === 0) {
    invoice.attempt_count += 1;
    const days = isRenewal ? RETRY_AFTER_DAYS[invoice.attempt_count - 1] : undefined;
    invoice.next_payment_attempt = days === undefined ? null : state.clock.nowSeconds() + days * DAY_SECONDS;
  }
  invoice.attempted = true;
  invoice.auto_advance = invoice.next_payment_attempt !== null;
  state.events.emit('invoice.payment_failed', invoice);
  const subscription = subscriptionOf(state, invoice);
  if (isRenewal && (subscription?.status === 'active' || subscription?.status === 'trialing')) {
    changeAndTell<SubscriptionDoc>(state, 'customer.subscription.updated', subscription, {
      status: 'past_due',
    });
  }
}

/** The customer must come and prove who they are. */
export function paymentNeedsAction(state: PaymentsState, intent: PaymentIntentDoc): void {
  const found = invoiceOf(state, intent);
  if (found) state.events.emit('invoice.payment_action_required', found.invoice);
}

function isWaiting(status: SubscriptionStatus): boolean {
  return status === 'incomplete' || status === 'past_due';
}
