import type { SubscriptionDoc, SubscriptionItemDoc } from '../documents.ts';

/** The one item that every subscription has here. */
export function theItem(subscription: SubscriptionDoc): SubscriptionItemDoc {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}
