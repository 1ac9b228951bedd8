import {
  type CancellationReason,
  type DiscountDoc,
  type Interval,
  type InvoiceDoc,
  newId,
  type PaymentPause,
  type PriceDoc,
  type SubscriptionDoc,
  type SubscriptionItem,
} from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import type { PaymentsState } from '../state.ts';
import { discounted, dropUsed } from './discounts.ts';
import { addPaymentIntent, addSetupIntent, cancelSetup, chargeIntent } from './intents.ts';
import {
  addPayment,
  DAY_SECONDS,
  defaultMethodOf,
  intentOf,
  invoicesOf,
  markPaid,
  paymentFailed,
  subscriptionOf,
  voidInvoice,
} from './invoices.ts';
import { awaitsChange } from './pending-update.ts';
import { taxOn } from './taxes.ts';

/**
 * With a trial: trialing at once, with a setup intent to save a card. Otherwise incomplete, with an open invoice and a
 * payment intent to pay it. Whichever card succeeds is kept for the renewals.
 */
export function createSubscription(
  state: PaymentsState,
  facts: {
    customer: string;
    price: PriceDoc;
    metadata: Record<string, string>;
    trialDays: number | undefined;
    automaticTax: boolean;
    discounts: DiscountDoc[];
  },
): SubscriptionDoc {
  const { customer, price, trialDays } = facts;
  const now = state.clock.nowSeconds();
  const trialEnd = trialDays === undefined ? null : now + trialDays * DAY_SECONDS;
  const id = newId('sub');
  const item: SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    current_period_end: trialEnd ?? periodEnd(now, now, price.recurring.interval),
    current_period_start: now,
    price,
  };
  const url = `/v1/subscription_items?subscription=${id}`;
  const subscription: SubscriptionDoc = {
    id,
    object: 'subscription',
    automatic_tax: { enabled: facts.automaticTax },
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { reason: null },
    created: now,
    currency: price.currency,
    customer,
    default_payment_method: null,
    discounts: facts.discounts,
    ended_at: null,
    items: { object: 'list', data: [item], has_more: false, url },
    latest_invoice: null,
    metadata: facts.metadata,
    pause_collection: null,
    pending_setup_intent: trialEnd === null ? null : addSetupIntent(state, customer).id,
    pending_update: null,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : now,
  };
  state.store.subscriptions.set(id, subscription);
  const isTrial = trialEnd !== null;
  subscription.latest_invoice = issueInvoice(state, subscription, {
    reason: 'subscription_create',
    ...(isTrial ? { amount: 0 } : {}),
  }).id;
  state.events.emit('customer.subscription.created', subscription);
  return subscription;
}

/** Returns the one item that every subscription has here. */
export function theItem(subscription: SubscriptionDoc): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}

export function hasEnded({ status }: SubscriptionDoc): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/**
 * Schedules the end of the subscription for the end of its period: by the flag, or by its date alone, as the portal does
 * (Stripe docs, "Compare classic and flexible billing mode").
 */
export function scheduleEnd(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  by: 'period-end' | 'date',
): void {
  updateDocument(state, 'customer.subscription.updated', subscription, {
    cancel_at_period_end: by === 'period-end',
    cancel_at: theItem(subscription).current_period_end,
    canceled_at: subscription.canceled_at ?? state.clock.nowSeconds(),
    cancellation_details: { reason: 'cancellation_requested' },
  });
}

/** Takes a scheduled end back. */
export function unscheduleEnd(state: PaymentsState, subscription: SubscriptionDoc): void {
  updateDocument(state, 'customer.subscription.updated', subscription, {
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null },
  });
}

/** Ends a subscription now. One that was never paid becomes incomplete_expired and its invoice void. */
export function cancelSubscription(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  reason: CancellationReason,
): void {
  const now = state.clock.nowSeconds();
  const wasPaid = subscription.status !== 'incomplete';
  subscription.status = wasPaid ? 'canceled' : 'incomplete_expired';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  subscription.cancellation_details = { reason };
  const setup = state.store.setupIntents.get(subscription.pending_setup_intent ?? '');
  if (setup?.status.startsWith('requires_') && state.behavior.setupAfterTrial === 'canceled')
    cancelSetup(state, setup);
  subscription.pending_setup_intent = null;
  for (const invoice of invoicesOf(state, subscription)) {
    const isVoided = awaitsChange(subscription, invoice) && state.behavior.switchOfEnded === 'voided';
    if (!wasPaid || isVoided) voidInvoice(state, invoice);
    else invoice.next_payment_attempt = null;
  }
  state.events.emit('customer.subscription.deleted', subscription);
}

/** Ends an incomplete subscription that was not paid in time. */
export function expireSubscription(state: PaymentsState, subscription: SubscriptionDoc): void {
  for (const invoice of invoicesOf(state, subscription)) voidInvoice(state, invoice);
  updateDocument(state, 'customer.subscription.updated', subscription, {
    status: 'incomplete_expired',
    ended_at: state.clock.nowSeconds(),
  });
}

/** At the end of the period or the trial: ends the subscription if that was requested, or charges the next period. */
export function renewSubscription(state: PaymentsState, subscription: SubscriptionDoc): void {
  const hasCard = defaultMethodOf(state, subscription) !== undefined;
  if (subscription.cancel_at !== null) {
    cancelSubscription(state, subscription, 'cancellation_requested');
  } else if (subscription.status === 'trialing' && !hasCard) {
    cancelSubscription(state, subscription, 'payment_failed');
  } else {
    beginNextPeriod(state, subscription);
  }
}

function beginNextPeriod(state: PaymentsState, subscription: SubscriptionDoc): void {
  const item = theItem(subscription);
  const start = item.current_period_end;
  const end = periodEnd(subscription.billing_cycle_anchor, start, item.price.recurring.interval);
  const next = { ...item, current_period_start: start, current_period_end: end };
  const invoice = issueInvoice(state, subscription, { reason: 'subscription_cycle' });
  updateDocument(state, 'customer.subscription.updated', subscription, {
    items: { ...subscription.items, data: [next] },
    latest_invoice: invoice.id,
    ...(subscription.status === 'trialing' ? { status: 'active' } : {}),
  });
  collectInvoice(state, invoice);
}

/**
 * Creates a finalized invoice of a subscription, for a period unless another amount is given. One over nothing is paid at once; any other is open,
 * with an intent that waits to be confirmed, unless payments are paused. Stripe leaves renewals in draft for an hour first; this does not.
 */
export function issueInvoice(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  { reason, amount: given }: { reason: InvoiceDoc['billing_reason']; amount?: number },
): InvoiceDoc {
  const now = state.clock.nowSeconds();
  const { currency, customer } = subscription;
  const id = newId('in');
  const net = given ?? discounted(state, subscription, theItem(subscription).price.unit_amount);
  const discounts = subscription.discounts ?? [];
  const hasDiscount = (subscription.discounts ?? []).length > 0;
  if (hasDiscount && (given === undefined || state.behavior.onceOverTrial === 'used'))
    dropUsed(state, subscription);
  const tax = taxOn(state, subscription, net);
  const amount = net + tax;
  const invoice: InvoiceDoc = {
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: 0,
    attempt_count: 0,
    attempted: false,
    billing_reason: reason,
    created: now,
    currency,
    customer,
    discounts,
    hosted_invoice_url: `${state.baseUrl}/pages/invoice/${id}`,
    next_payment_attempt: null,
    number: `CASEWATCH-${String(state.store.invoices.size + 1).padStart(4, '0')}`,
    parent: { type: 'subscription_details', subscription_details: { subscription: subscription.id } },
    status: 'open',
    status_transitions: { finalized_at: now, paid_at: null, voided_at: null },
    total_taxes: [{ amount: tax, tax_behavior: 'exclusive' }],
  };
  state.store.invoices.set(invoice.id, invoice);
  state.events.emit('invoice.created', invoice);
  if (subscription.pause_collection) {
    leaveUncollected(state, invoice, subscription.pause_collection.behavior);
    return invoice;
  }
  if (amount > 0) {
    const paymentMethod = subscription.default_payment_method;
    addPayment(state, invoice, addPaymentIntent(state, { amount, currency, customer, paymentMethod }));
  }
  state.events.emit('invoice.finalized', invoice);
  if (amount === 0) markPaid(state, invoice);
  return invoice;
}

/** What a pause makes of an invoice (Stripe docs, "Pause payment collection"). */
function leaveUncollected(
  state: PaymentsState,
  invoice: InvoiceDoc,
  behavior: PaymentPause['behavior'],
): void {
  if (behavior === 'keep_as_draft') {
    invoice.status = 'draft';
    invoice.status_transitions.finalized_at = null;
    return;
  }
  state.events.emit('invoice.finalized', invoice);
  if (behavior === 'void') voidInvoice(state, invoice);
  else {
    invoice.status = 'uncollectible';
    state.events.emit('invoice.marked_uncollectible', invoice);
  }
}

/** Makes the schedule's attempt to collect an open invoice with the subscription's card. */
export function collectInvoice(state: PaymentsState, invoice: InvoiceDoc): void {
  const intent = intentOf(state, invoice);
  const subscription = subscriptionOf(state, invoice);
  if (invoice.status !== 'open' || !intent || !subscription || intent.status === 'processing') return;
  const method = defaultMethodOf(state, subscription);
  if (method) chargeIntent(state, intent, method, { isRenewal: true });
  else paymentFailed(state, intent, { automatic: true });
}

/**
 * Returns when the period that begins at `startSeconds` ends. Counted from the anchor, so that a subscription of
 * January 31 renews on February 28 and then on March 31.
 */
export function periodEnd(anchorSeconds: number, startSeconds: number, interval: Interval): number {
  let end = anchorSeconds;
  for (let count = 1; end <= startSeconds; count += 1) end = addIntervals(anchorSeconds, interval, count);
  return end;
}

/** Returns the instant `count` intervals after the anchor, on its day or on the last day of a shorter month (UTC). */
function addIntervals(anchorSeconds: number, interval: Interval, count: number): number {
  if (interval === 'week') return anchorSeconds + count * 7 * DAY_SECONDS;
  const anchor = new Date(anchorSeconds * 1000);
  const months = anchor.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const moved = new Date(anchor);
  moved.setUTCFullYear(anchor.getUTCFullYear(), months, Math.min(anchor.getUTCDate(), lastDay));
  return moved.getTime() / 1000;
}
