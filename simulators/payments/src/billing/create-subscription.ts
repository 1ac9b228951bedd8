import type { SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { StripeError } from '../stripe-error.ts';
import { DAY_SECONDS, periodEnd } from './calendar.ts';
import { confirmPayment } from './confirm-payment.ts';
import { issueInvoice } from './invoices.ts';
import { defaultMethodOf, intentOf } from './lookups.ts';
import { newSetupIntent } from './new-intents.ts';
import { newSubscriptionDocument, type SubscriptionFacts } from './new-subscription-document.ts';

export interface NewSubscription
  extends Pick<
    SubscriptionFacts,
    | 'customer'
    | 'price'
    | 'quantity'
    | 'metadata'
    | 'defaultPaymentMethod'
    | 'saveDefaultPaymentMethod'
    | 'paymentMethodTypes'
    | 'missingPaymentMethod'
    | 'description'
  > {
  paymentBehavior: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete';
  /** Unix seconds; null for no trial. */
  trialEnd: number | null;
  cancelAtPeriodEnd: boolean;
}

/** Within these many days of its end a trial is announced as ending at once. */
export const TRIAL_REMINDER_DAYS = 3;

/**
 * With a trial: trialing at once, with a setup intent to save a card unless one is there. Otherwise incomplete, with
 * an open invoice; the other payment behaviors than `default_incomplete` charge the default card right away.
 * @throws StripeError when there is nothing to charge, or 402 for `error_if_incomplete`
 */
export function createSubscription(state: PaymentsState, given: NewSubscription): SubscriptionDoc {
  const now = state.clock.nowSeconds();
  const { trialEnd, paymentBehavior } = given;
  const end = trialEnd ?? periodEnd(now, now, given.price.recurring);
  const subscription = newSubscriptionDocument({ ...given, nowSeconds: now, periodEnd: end });
  const method = defaultMethodOf(state, subscription);
  const paysNow = trialEnd === null && paymentBehavior !== 'default_incomplete';
  if (paysNow && !method) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message:
        'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    });
  }
  state.store.subscriptions.set(subscription.id, subscription);
  const invoice = issueInvoice(state, subscription, {
    reason: 'subscription_create',
    isTrial: trialEnd !== null,
    start: now,
  });
  subscription.latest_invoice = invoice.id;
  if (trialEnd !== null && !method) addSetupIntent(state, subscription);
  if (given.cancelAtPeriodEnd) {
    subscription.cancel_at_period_end = true;
    subscription.cancel_at = end;
    subscription.canceled_at = now;
  }
  state.events.emit('customer.subscription.created', subscription);
  if (trialEnd !== null && trialEnd - now <= TRIAL_REMINDER_DAYS * DAY_SECONDS) {
    remindOfTrialEnd(state, subscription);
  }
  const intent = intentOf(state, invoice);
  if (paysNow && intent)
    payNow(state, subscription, () => confirmPayment(state, intent, OFF_SCREEN), paymentBehavior);
  return subscription;
}

export function remindOfTrialEnd(state: PaymentsState, subscription: SubscriptionDoc): void {
  state.store.trialReminders.set(subscription.id, state.clock.nowMs());
  state.events.emit('customer.subscription.trial_will_end', subscription);
}

const OFF_SCREEN = { method: undefined, returnUrl: undefined, useStripeSdk: true, offSession: false };

function payNow(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  pay: () => void,
  behavior: NewSubscription['paymentBehavior'],
): void {
  try {
    pay();
  } catch (error) {
    if (!(error instanceof StripeError) || error.status !== 402) throw error;
    if (behavior === 'error_if_incomplete') {
      state.store.subscriptions.delete(subscription.id);
      throw error;
    }
  }
}

function addSetupIntent(state: PaymentsState, subscription: SubscriptionDoc): void {
  const intent = newSetupIntent({
    customer: subscription.customer,
    paymentMethod: null,
    nowSeconds: state.clock.nowSeconds(),
  });
  state.store.setupIntents.set(intent.id, intent);
  subscription.pending_setup_intent = intent.id;
  state.events.emit('setup_intent.created', intent);
}
