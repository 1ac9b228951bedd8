import type { IntentDoc, NextAction, PaymentIntentDoc, PaymentMethodDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { docUrl, invalidRequest, StripeError } from '../stripe-error.ts';
import { behaviourOf, chargeIntent } from './charge-intent.ts';
import { paymentFailed, paymentNeedsAction } from './invoice-outcome.ts';

export interface Confirmation {
  /** Undefined: the one that the intent has. */
  method: PaymentMethodDoc | undefined;
  returnUrl: string | undefined;
  /** The browser script can show the authentication dialog; otherwise the customer is sent to a page. */
  useStripeSdk: boolean;
  offSession: boolean;
}

/**
 * Tries to pay. The intent is then succeeded, processing, or waits for the customer's authentication.
 * @throws StripeError 402 when the card is declined, 400 when the intent is not to be confirmed
 */
export function confirmPayment(state: PaymentsState, intent: PaymentIntentDoc, given: Confirmation): void {
  requireConfirmable(intent, 'payment_intent');
  const method = given.method ?? methodOf(state, intent);
  if (!method) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message:
        "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      payment_intent: intent,
    });
  }
  requireOwnMethod(method, intent);
  const { authentication } = behaviourOf(method);
  if (authentication && !given.offSession) {
    intent.payment_method = method.id;
    intent.status = 'requires_action';
    intent.next_action = nextAction(state, intent, authentication, given);
    state.events.emit('payment_intent.requires_action', intent);
    paymentNeedsAction(state, intent);
    return;
  }
  chargeIntent(state, intent, method, { offSession: given.offSession });
  throwIfDeclined(intent);
}

/** The customer has proved who they are, or has not. Does nothing unless the intent waits for it. */
export function finishPaymentAuthentication(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  outcome: 'succeeded' | 'failed',
): void {
  const method = methodOf(state, intent);
  if (intent.status !== 'requires_action' || !method) return;
  if (outcome === 'succeeded') {
    chargeIntent(state, intent, method, { offSession: false });
    return;
  }
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: AUTHENTICATION_FAILED,
    doc_url: docUrl('payment_intent_authentication_failure'),
    payment_method: structuredClone(method),
  };
  state.events.emit('payment_intent.payment_failed', intent);
  paymentFailed(state, intent, { automatic: false });
}

export const AUTHENTICATION_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

export function nextAction(
  state: PaymentsState,
  intent: IntentDoc,
  authentication: 'dialog' | 'redirect',
  { returnUrl, useStripeSdk }: Pick<Confirmation, 'returnUrl' | 'useStripeSdk'>,
): NextAction {
  const query = new URLSearchParams({ client_secret: intent.client_secret });
  if (authentication === 'dialog' && (useStripeSdk || returnUrl === undefined)) {
    const stripe_js = `${state.baseUrl}/pages/authenticate?${query}`;
    return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js } };
  }
  if (returnUrl === undefined) {
    throw invalidRequest(
      'This payment method sends the customer to another page: return_url is required.',
      'return_url',
    );
  }
  query.set('return_url', returnUrl);
  const url = `${state.baseUrl}/pages/authorize?${query}`;
  return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
}

export function methodOf(state: PaymentsState, intent: IntentDoc): PaymentMethodDoc | undefined {
  return intent.payment_method === null ? undefined : state.store.paymentMethods.get(intent.payment_method);
}

/** @throws StripeError when the intent has ended or is under way */
export function requireConfirmable(intent: IntentDoc, kind: 'payment_intent' | 'setup_intent'): void {
  if (intent.status.startsWith('requires_')) return;
  const name = kind === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent';
  const why =
    intent.status === 'succeeded'
      ? 'it has already succeeded after being previously confirmed'
      : `it has a status of ${intent.status}`;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    code: `${kind}_unexpected_state`,
    message: `You cannot confirm this ${name} because ${why}.`,
    [kind]: intent,
  });
}

export function requireOwnMethod(method: PaymentMethodDoc, intent: IntentDoc): void {
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalidRequest(
      'The provided PaymentMethod belongs to another customer than this intent.',
      'payment_method',
      'payment_method_unexpected_state',
    );
  }
}

function throwIfDeclined(intent: PaymentIntentDoc): void {
  const error = intent.last_payment_error;
  if (!error || intent.status !== 'requires_payment_method') return;
  const { payment_method, ...body } = error;
  throw new StripeError(402, { ...body, payment_intent: intent, payment_method });
}
