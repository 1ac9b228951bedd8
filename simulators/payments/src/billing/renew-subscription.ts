import { change } from '../change.ts';
import type { SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { periodEnd } from './calendar.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { collectInvoice, issueInvoice } from './invoices.ts';
import { defaultMethodOf } from './lookups.ts';
import { theItem } from './subscription-item.ts';

/** The current period, or the trial, is over: it ends as was asked for, or goes on and is charged. */
export function renewSubscription(state: PaymentsState, subscription: SubscriptionDoc): void {
  switch (whatFollows(state, subscription)) {
    case 'end':
      cancelSubscription(state, subscription, 'cancellation_requested');
      break;
    case 'cancel':
      cancelSubscription(state, subscription, 'payment_failed');
      break;
    case 'pause':
      pause(state, subscription);
      break;
    case 'next-period':
      beginNextPeriod(state, subscription);
  }
}

function whatFollows(
  state: PaymentsState,
  subscription: SubscriptionDoc,
): 'end' | 'cancel' | 'pause' | 'next-period' {
  if (subscription.cancel_at_period_end) return 'end';
  if (subscription.status !== 'trialing' || defaultMethodOf(state, subscription)) return 'next-period';
  const behavior = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (behavior === 'cancel') return 'cancel';
  return behavior === 'pause' ? 'pause' : 'next-period';
}

function beginNextPeriod(state: PaymentsState, subscription: SubscriptionDoc): void {
  const item = theItem(subscription);
  const before = structuredClone(subscription.items);
  const start = item.current_period_end;
  const end = periodEnd(subscription.billing_cycle_anchor, start, item.price.recurring);
  item.current_period_end = end;
  const invoice = issueInvoice(state, subscription, { reason: 'subscription_cycle', isTrial: false, start });
  item.current_period_start = start;
  const previous = change<SubscriptionDoc>(subscription, {
    latest_invoice: invoice.id,
    ...(subscription.status === 'trialing' ? { status: 'active' } : {}),
  });
  state.events.emit('customer.subscription.updated', subscription, { ...previous, items: before });
  collectInvoice(state, invoice);
}

function pause(state: PaymentsState, subscription: SubscriptionDoc): void {
  const previous = change<SubscriptionDoc>(subscription, { status: 'paused' });
  state.events.emit('customer.subscription.updated', subscription, previous);
  state.events.emit('customer.subscription.paused', subscription);
}
