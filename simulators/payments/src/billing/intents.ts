import {
  type IntentDoc,
  type IntentError,
  type NextAction,
  newId,
  type PaymentIntentDoc,
  type PaymentMethodDoc,
  randomText,
  type SetupIntentDoc,
} from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import type { PaymentsState } from '../state.ts';
import { invalidRequest, StripeError } from '../stripe-error.ts';
import { recordCharge } from './charges.ts';
import { paymentFailed, paymentSucceeded } from './invoices.ts';
import {
  AUTHENTICATION_DECLINE,
  attachMethod,
  cardOf,
  type Decline,
  GENERIC_DECLINE,
} from './payment-methods.ts';

export type Outcome = 'succeeded' | 'failed';

/** Adds a payment that waits for a card, or for its confirmation when it has one. */
export function addPaymentIntent(
  state: PaymentsState,
  facts: { amount: number; currency: string; customer: string; paymentMethod: string | null },
): PaymentIntentDoc {
  const intent: PaymentIntentDoc = {
    ...newIntent(state, 'pi', facts.customer),
    object: 'payment_intent',
    amount: facts.amount,
    currency: facts.currency,
    last_payment_error: null,
    latest_charge: null,
    payment_method: facts.paymentMethod,
    status: facts.paymentMethod === null ? 'requires_payment_method' : 'requires_confirmation',
  };
  state.store.paymentIntents.set(intent.id, intent);
  state.events.emit('payment_intent.created', intent);
  return intent;
}

/** Adds a card to be saved for later charges. */
export function addSetupIntent(state: PaymentsState, customer: string): SetupIntentDoc {
  const intent: SetupIntentDoc = {
    ...newIntent(state, 'seti', customer),
    object: 'setup_intent',
    last_setup_error: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  state.store.setupIntents.set(intent.id, intent);
  state.events.emit('setup_intent.created', intent);
  return intent;
}

function newIntent(state: PaymentsState, prefix: 'pi' | 'seti', customer: string) {
  const id = newId(prefix);
  const client_secret = `${id}_secret_${randomText(25)}`;
  return { id, client_secret, created: state.clock.nowSeconds(), customer, next_action: null };
}

/**
 * Charges or saves the card. The intent has then succeeded, is processing, or waits for the customer's authentication.
 * @throws StripeError 402 when the card is declined, 400 when the intent cannot be confirmed
 */
export function confirmIntent(
  state: PaymentsState,
  intent: IntentDoc,
  { method, returnUrl }: { method: PaymentMethodDoc; returnUrl: string | undefined },
): void {
  if (!intent.status.startsWith('requires_')) throw unexpectedState(intent, 'confirm');
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalidRequest('The provided PaymentMethod belongs to another customer.', 'payment_method');
  }
  const { authentication } = cardOf(method);
  if (authentication) {
    askForAuthentication(state, intent, { method, authentication, returnUrl });
    return;
  }
  complete(state, intent, method);
  const error = errorOf(intent);
  if (error && intent.status === 'requires_payment_method') {
    throw new StripeError(402, { ...error, [intent.object]: publicPartOf(intent) });
  }
}

/** Leaves the intent to wait for the customer's authentication. */
export function askForAuthentication(
  state: PaymentsState,
  intent: IntentDoc,
  {
    method,
    authentication,
    returnUrl,
  }: {
    method: PaymentMethodDoc;
    authentication: 'dialog' | 'redirect';
    returnUrl?: string | undefined;
  },
): void {
  intent.payment_method = method.id;
  intent.status = 'requires_action';
  intent.next_action = nextAction(state, intent, authentication, returnUrl);
  state.events.emit(`${intent.object}.requires_action`, intent);
}

/** Abandons the setup: its secret saves no card any more. @throws StripeError 400 unless it waits for the customer */
export function cancelSetup(state: PaymentsState, intent: SetupIntentDoc): void {
  if (!intent.status.startsWith('requires_')) throw unexpectedState(intent, 'cancel');
  intent.status = 'canceled';
  intent.next_action = null;
  state.events.emit('setup_intent.canceled', intent);
}

/** The customer has authenticated, or has failed to. Does nothing unless the intent waits for it. */
export function finishAuthentication(state: PaymentsState, intent: IntentDoc, outcome: Outcome): void {
  const method = state.store.paymentMethods.get(intent.payment_method ?? '');
  if (intent.status !== 'requires_action' || !method) return;
  if (outcome === 'succeeded') complete(state, intent, method);
  else {
    fail(state, intent, {
      type: 'invalid_request_error',
      code: `${intent.object}_authentication_failure`,
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      payment_method: structuredClone(method),
    });
    if (intent.object === 'payment_intent') paymentFailed(state, intent, { automatic: false });
  }
}

/** Makes one attempt to take the money, with everything that follows from it. */
export function chargeIntent(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  method: PaymentMethodDoc,
  { isRenewal }: { isRenewal: boolean },
): void {
  const card = cardOf(method);
  intent.payment_method = method.id;
  intent.next_action = null;
  if (card.charge === 'declined' || (isRenewal && card.renewal !== undefined)) {
    const decline = card.renewal === 'authentication' ? AUTHENTICATION_DECLINE : GENERIC_DECLINE;
    declinePayment(state, intent, method, { decline, automatic: isRenewal });
  } else if (card.charge === 'processing') {
    intent.status = 'processing';
    state.store.settlements.set(intent.id, state.clock.nowMs() + state.settleAfterMs);
    state.events.emit('payment_intent.processing', intent);
  } else {
    succeedPayment(state, intent, method);
  }
}

/** Ends a processing payment. Does nothing for another one. */
export function settlePayment(state: PaymentsState, intent: PaymentIntentDoc, outcome: Outcome): void {
  state.store.settlements.delete(intent.id);
  const method = state.store.paymentMethods.get(intent.payment_method ?? '');
  if (intent.status !== 'processing' || !method) return;
  if (outcome === 'succeeded') succeedPayment(state, intent, method);
  else declinePayment(state, intent, method, { decline: GENERIC_DECLINE, automatic: false });
}

/** @throws StripeError 400 that carries the intent, from which callers see that it was paid in another tab */
function unexpectedState(intent: IntentDoc, action: 'confirm' | 'cancel'): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    code: `${intent.object}_unexpected_state`,
    message: `You cannot ${action} this ${intent.object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'} because it has a status of ${intent.status}.`,
    [intent.object]: publicPartOf(intent),
  });
}

/** Returns what a browser may see of an intent. */
export function publicPartOf(intent: IntentDoc): object {
  const { customer: _customer, ...visible } = intent;
  return visible;
}

function complete(state: PaymentsState, intent: IntentDoc, method: PaymentMethodDoc): void {
  if (intent.object === 'payment_intent') chargeIntent(state, intent, method, { isRenewal: false });
  else if (cardOf(method).charge === 'declined') {
    fail(state, intent, cardError(GENERIC_DECLINE, method));
  } else saveCard(state, intent, method);
}

function saveCard(state: PaymentsState, intent: SetupIntentDoc, method: PaymentMethodDoc): void {
  intent.status = 'succeeded';
  intent.payment_method = method.id;
  intent.next_action = null;
  intent.last_setup_error = null;
  attachMethod(state, method, intent.customer);
  state.events.emit('setup_intent.succeeded', intent);
  const subscription = [...state.store.subscriptions.values()].find(
    ({ pending_setup_intent }) => pending_setup_intent === intent.id,
  );
  if (!subscription) return;
  updateDocument(state, 'customer.subscription.updated', subscription, {
    pending_setup_intent: null,
    ...(state.behavior.trialCard === 'on-subscription' ? { default_payment_method: method.id } : {}),
  });
}

function succeedPayment(state: PaymentsState, intent: PaymentIntentDoc, method: PaymentMethodDoc): void {
  intent.status = 'succeeded';
  intent.last_payment_error = null;
  recordCharge(state, intent, method);
  attachMethod(state, method, intent.customer);
  state.events.emit('payment_intent.succeeded', intent);
  paymentSucceeded(state, intent);
}

function declinePayment(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  method: PaymentMethodDoc,
  { decline, automatic }: { decline: Decline; automatic: boolean },
): void {
  recordCharge(state, intent, method, decline);
  fail(state, intent, cardError(decline, method));
  paymentFailed(state, intent, { automatic });
}

function cardError(decline: Decline, method: PaymentMethodDoc): IntentError {
  return { type: 'card_error', ...decline, payment_method: structuredClone(method) };
}

function fail(state: PaymentsState, intent: IntentDoc, error: IntentError): void {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  if (intent.object === 'payment_intent') {
    intent.last_payment_error = error;
    state.events.emit('payment_intent.payment_failed', intent);
  } else {
    intent.last_setup_error = error;
    state.events.emit('setup_intent.setup_failed', intent);
  }
}

function errorOf(intent: IntentDoc): IntentError | null {
  return intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error;
}

function nextAction(
  { baseUrl }: PaymentsState,
  { client_secret }: IntentDoc,
  authentication: 'dialog' | 'redirect',
  returnUrl: string | undefined,
): NextAction {
  const query = new URLSearchParams({ client_secret });
  if (authentication === 'dialog') {
    const stripe_js = `${baseUrl}/pages/authenticate?${query}`;
    return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js } };
  }
  if (returnUrl === undefined) {
    throw invalidRequest('This payment method redirects the customer: return_url is required.', 'return_url');
  }
  query.set('return_url', returnUrl);
  const url = `${baseUrl}/pages/authorize?${query}`;
  return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
}
