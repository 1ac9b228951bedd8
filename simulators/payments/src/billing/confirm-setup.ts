import { changeAndTell } from '../change.ts';
import type { PaymentMethodDoc, SetupIntentDoc, SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { docUrl, StripeError } from '../stripe-error.ts';
import { behaviourOf, toIntentError } from './charge-intent.ts';
import {
  AUTHENTICATION_FAILED,
  type Confirmation,
  methodOf,
  nextAction,
  requireConfirmable,
  requireOwnMethod,
} from './confirm-payment.ts';
import { attach } from './payment-methods.ts';

/**
 * Saves the card. The intent has then succeeded or waits for the customer's authentication.
 * @throws StripeError 402 when the bank refuses, 400 when the intent is not to be confirmed
 */
export function confirmSetup(
  state: PaymentsState,
  intent: SetupIntentDoc,
  given: Omit<Confirmation, 'offSession'>,
): void {
  requireConfirmable(intent, 'setup_intent');
  const method = given.method ?? methodOf(state, intent);
  if (!method) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: 'setup_intent_unexpected_state',
      message:
        "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.",
      setup_intent: intent,
    });
  }
  requireOwnMethod(method, intent);
  intent.payment_method = method.id;
  const { authentication, charge, refusesSetup = false } = behaviourOf(method);
  if (refusesSetup && typeof charge === 'object') {
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_setup_error = toIntentError(charge, { method });
    state.events.emit('setup_intent.setup_failed', intent);
    const { payment_method, ...body } = intent.last_setup_error;
    throw new StripeError(402, { ...body, setup_intent: intent, payment_method });
  }
  if (authentication) {
    intent.status = 'requires_action';
    intent.next_action = nextAction(state, intent, authentication, given);
    state.events.emit('setup_intent.requires_action', intent);
    return;
  }
  succeeded(state, intent, method);
}

/** The customer has proved who they are, or has not. Does nothing unless the intent waits for it. */
export function finishSetupAuthentication(
  state: PaymentsState,
  intent: SetupIntentDoc,
  outcome: 'succeeded' | 'failed',
): void {
  const method = methodOf(state, intent);
  if (intent.status !== 'requires_action' || !method) return;
  if (outcome === 'succeeded') {
    succeeded(state, intent, method);
    return;
  }
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_setup_error = {
    type: 'invalid_request_error',
    code: 'setup_intent_authentication_failure',
    message: AUTHENTICATION_FAILED,
    doc_url: docUrl('setup_intent_authentication_failure'),
    payment_method: structuredClone(method),
  };
  state.events.emit('setup_intent.setup_failed', intent);
}

function succeeded(state: PaymentsState, intent: SetupIntentDoc, method: PaymentMethodDoc): void {
  intent.status = 'succeeded';
  intent.next_action = null;
  intent.last_setup_error = null;
  if (intent.customer !== null) attach(state, method, intent.customer);
  state.events.emit('setup_intent.succeeded', intent);
  const subscription = [...state.store.subscriptions.values()].find(
    ({ pending_setup_intent }) => pending_setup_intent === intent.id,
  );
  if (!subscription) return;
  const keepsCard = subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  changeAndTell<SubscriptionDoc>(state, 'customer.subscription.updated', subscription, {
    pending_setup_intent: null,
    ...(keepsCard ? { default_payment_method: method.id } : {}),
  });
}
