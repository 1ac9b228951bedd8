import type { InvoiceDoc, PriceDoc, SubscriptionDoc } from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import type { PaymentsState } from '../state.ts';
import { invalidRequest, StripeError } from '../stripe-error.ts';
import { defaultMethodOf } from './invoices.ts';
import { cardOf, GENERIC_DECLINE } from './payment-methods.ts';
import { collectInvoice, issueInvoice, periodEnd, theItem } from './subscriptions.ts';

/**
 * Returns what a change to another interval costs at `atSeconds`: a whole period of the new price, less the part of the
 * old one that is not used.
 */
export function amountOfSwitch(subscription: SubscriptionDoc, price: PriceDoc, atSeconds: number): number {
  const { current_period_start: start, current_period_end: end, price: before } = theItem(subscription);
  if (atSeconds < start || atSeconds > end) {
    throw invalidRequest('Invalid proration_date: it must be within the current period.', 'proration_date');
  }
  const unused = Math.round((before.unit_amount * (end - atSeconds)) / (end - start));
  return Math.max(0, price.unit_amount - unused);
}

/**
 * Changes an active subscription to a price of another interval, which begins a period now, and charges the difference.
 * @throws StripeError 402 when the card is declined (`error_if_incomplete`): nothing has changed then
 */
export function switchPrice(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  { price, atSeconds }: { price: PriceDoc; atSeconds: number },
): InvoiceDoc {
  const amount = amountOfSwitch(subscription, price, atSeconds);
  const method = defaultMethodOf(state, subscription);
  const card = method && cardOf(method);
  if (!card || card.charge === 'declined' || card.renewal === 'declined') {
    throw new StripeError(402, { type: 'card_error', ...GENERIC_DECLINE });
  }
  const item = {
    ...theItem(subscription),
    price,
    current_period_start: atSeconds,
    current_period_end: periodEnd(atSeconds, atSeconds, price.recurring.interval),
  };
  const invoice = issueInvoice(state, subscription, { reason: 'subscription_update', amount });
  updateDocument(state, 'customer.subscription.updated', subscription, {
    items: { ...subscription.items, data: [item] },
    billing_cycle_anchor: atSeconds,
    latest_invoice: invoice.id,
  });
  collectInvoice(state, invoice);
  return invoice;
}
