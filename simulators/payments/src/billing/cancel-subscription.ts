import { change } from '../change.ts';
import type { SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { voidInvoice } from './invoices.ts';

export type CancellationReason = 'cancellation_requested' | 'payment_failed' | 'payment_disputed';

export function hasEnded({ status }: SubscriptionDoc): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** Ends a subscription now. One that never began is incomplete_expired and its invoice void. */
export function cancelSubscription(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  reason: CancellationReason,
  details: { comment?: string | undefined; feedback?: string | undefined } = {},
): void {
  const now = state.clock.nowSeconds();
  const neverBegan = subscription.status === 'incomplete';
  change<SubscriptionDoc>(subscription, {
    status: neverBegan ? 'incomplete_expired' : 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: {
      comment: details.comment ?? subscription.cancellation_details?.comment ?? null,
      feedback: details.feedback ?? subscription.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason,
    },
    pending_setup_intent: null,
  });
  if (neverBegan) voidOpenInvoices(state, subscription);
  else stopCollecting(state, subscription);
  state.events.emit('customer.subscription.deleted', subscription);
}

/** Nobody paid within 23 hours. */
export function expireSubscription(state: PaymentsState, subscription: SubscriptionDoc): void {
  const previous = change<SubscriptionDoc>(subscription, {
    status: 'incomplete_expired',
    ended_at: state.clock.nowSeconds(),
  });
  voidOpenInvoices(state, subscription);
  state.events.emit('customer.subscription.updated', subscription, previous);
}

function voidOpenInvoices(state: PaymentsState, subscription: SubscriptionDoc): void {
  for (const invoice of invoicesOf(state, subscription)) voidInvoice(state, invoice);
}

function stopCollecting(state: PaymentsState, subscription: SubscriptionDoc): void {
  for (const invoice of invoicesOf(state, subscription)) {
    invoice.next_payment_attempt = null;
    invoice.auto_advance = false;
  }
}

function invoicesOf(state: PaymentsState, { id }: SubscriptionDoc) {
  return [...state.store.invoices.values()].filter(
    (invoice) => invoice.parent?.subscription_details?.subscription === id,
  );
}
