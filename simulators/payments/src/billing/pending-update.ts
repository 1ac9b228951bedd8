import type { InvoiceDoc, SubscriptionDoc } from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import type { PaymentsState } from '../state.ts';

/** Returns whether the invoice is the one that a change of the subscription waits for. */
export function awaitsChange(subscription: SubscriptionDoc | undefined, { id }: InvoiceDoc): boolean {
  return subscription?.pending_update != null && subscription.latest_invoice === id;
}

/** Makes the change that waited for its payment. */
export function applyPendingUpdate(state: PaymentsState, subscription: SubscriptionDoc): void {
  const { pending_update } = subscription;
  if (!pending_update) return;
  const { subscription_items: data, billing_cycle_anchor } = pending_update;
  const items = { ...subscription.items, data };
  const changes = { items, billing_cycle_anchor, pending_update: null };
  updateDocument(state, 'customer.subscription.updated', subscription, changes);
  state.events.emit('customer.subscription.pending_update_applied', subscription);
}

/** Discards the change, whose invoice is void. */
export function dropPendingUpdate(state: PaymentsState, subscription: SubscriptionDoc): void {
  updateDocument(state, 'customer.subscription.updated', subscription, { pending_update: null });
  state.events.emit('customer.subscription.pending_update_expired', subscription);
}
