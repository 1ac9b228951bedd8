import type { InvoiceDoc, PriceDoc, SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../state.ts';
import { invalidRequest } from '../stripe-error.ts';
import { discounted } from './discounts.ts';
import { askForAuthentication } from './intents.ts';
import { defaultMethodOf, intentOf, voidInvoice } from './invoices.ts';
import { cardOf } from './payment-methods.ts';
import { applyPendingUpdate } from './pending-update.ts';
import { collectInvoice, issueInvoice, periodEnd, theItem } from './subscriptions.ts';

/**
 * Returns what a change to another interval costs at `atSeconds`: a whole period of the new price, less the part of the
 * old one that is not used.
 */
export function amountOfSwitch(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  { price, atSeconds }: { price: PriceDoc; atSeconds: number },
): number {
  const { current_period_start: start, current_period_end: end, price: before } = theItem(subscription);
  if (atSeconds < start || atSeconds > end) {
    throw invalidRequest('Invalid proration_date: it must be within the current period.', 'proration_date');
  }
  const paid = discounted(state, subscription, before.unit_amount);
  const unused = Math.round((paid * (end - atSeconds)) / (end - start));
  return Math.max(0, discounted(state, subscription, price.unit_amount) - unused);
}

/** A change waits this long for its payment, or until the period ends ("Pending updates", "Expired updates"). */
const WAITS_SECONDS = 23 * 3_600;

/**
 * Changes an active subscription to a price of another interval, which begins a period now, once the difference is paid
 * (`pending_if_incomplete`). A change that already waits is replaced.
 */
export function switchPrice(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  { price, atSeconds }: { price: PriceDoc; atSeconds: number },
): void {
  const amount = amountOfSwitch(state, subscription, { price, atSeconds });
  const before = subscription.pending_update && state.store.invoices.get(subscription.latest_invoice ?? '');
  if (before) voidInvoice(state, before);
  const item = {
    ...theItem(subscription),
    price,
    current_period_start: atSeconds,
    current_period_end: periodEnd(atSeconds, atSeconds, price.recurring.interval),
  };
  const { current_period_end } = theItem(subscription);
  const invoice = issueInvoice(state, subscription, { reason: 'subscription_update', amount });
  subscription.latest_invoice = invoice.id;
  subscription.pending_update = {
    billing_cycle_anchor: atSeconds,
    expires_at: Math.min(state.clock.nowSeconds() + WAITS_SECONDS, current_period_end),
    subscription_items: [item],
  };
  tryToCollect(state, subscription, invoice);
  if (invoice.status === 'paid') applyPendingUpdate(state, subscription);
  else state.events.emit('customer.subscription.updated', subscription, { pending_update: null });
}

function tryToCollect(state: PaymentsState, subscription: SubscriptionDoc, invoice: InvoiceDoc): void {
  const method = defaultMethodOf(state, subscription);
  const intent = intentOf(state, invoice);
  const { authentication, renewal } = method ? cardOf(method) : {};
  const asks = renewal === 'authentication' && state.behavior.switchAuthentication === 'requires-action';
  if (asks && method && intent && authentication)
    askForAuthentication(state, intent, { method, authentication });
  else collectInvoice(state, invoice);
}
