import type { IntentError, PaymentIntentDoc, PaymentMethodDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { docUrl } from '../stripe-error.ts';
import { paymentFailed, paymentNeedsAction, paymentSucceeded } from './invoice-outcome.ts';
import { newCharge } from './new-charge.ts';
import { openDispute } from './open-dispute.ts';
import { attach } from './payment-methods.ts';
import {
  AUTHENTICATION_REQUIRED,
  type CardBehaviour,
  cardByFingerprint,
  type Decline,
  GENERIC_DECLINE,
} from './test-cards.ts';

/** How the bank treats this method's card. */
export function behaviourOf(method: PaymentMethodDoc): CardBehaviour {
  const card = cardByFingerprint(method.card.fingerprint);
  if (!card) throw new Error(`${method.id} is no test card`);
  return card;
}

/** One attempt to take the money, and everything that follows from it. */
export function chargeIntent(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  method: PaymentMethodDoc,
  { offSession }: { offSession: boolean },
): void {
  const card = behaviourOf(method);
  intent.payment_method = method.id;
  intent.next_action = null;
  const decline = (offSession ? card.offSession : undefined) ?? declineOf(card);
  if (decline) {
    declined(state, intent, method, decline, { offSession });
  } else if (card.charge === 'processing') {
    intent.status = 'processing';
    state.store.settlements.set(intent.id, state.clock.nowMs() + state.settleAfterMs);
    state.events.emit('payment_intent.processing', intent);
  } else {
    succeeded(state, intent, method, card);
  }
}

/** Ends a payment that is under way. Does nothing for one that is not. */
export function settlePayment(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  outcome: 'succeeded' | 'failed',
): void {
  state.store.settlements.delete(intent.id);
  const method = intent.payment_method ? state.store.paymentMethods.get(intent.payment_method) : undefined;
  if (intent.status !== 'processing' || !method) return;
  if (outcome === 'succeeded') succeeded(state, intent, method, behaviourOf(method));
  else declined(state, intent, method, GENERIC_DECLINE, { offSession: false });
}

export function toIntentError(
  { code, decline_code, message }: Decline,
  details: { charge?: string; method?: PaymentMethodDoc },
): IntentError {
  return {
    type: 'card_error',
    code,
    decline_code,
    message,
    doc_url: docUrl(code),
    ...(details.charge === undefined ? {} : { charge: details.charge }),
    ...(details.method === undefined ? {} : { payment_method: structuredClone(details.method) }),
  };
}

function declineOf(card: CardBehaviour): Decline | undefined {
  return typeof card.charge === 'string' ? undefined : card.charge;
}

function succeeded(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  method: PaymentMethodDoc,
  { disputed = false }: CardBehaviour,
): void {
  const charge = newCharge(intent, method, undefined, state.clock.nowSeconds());
  state.store.charges.set(charge.id, charge);
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.latest_charge = charge.id;
  intent.last_payment_error = null;
  state.events.emit('charge.succeeded', charge);
  if (intent.customer !== null && intent.setup_future_usage !== null) attach(state, method, intent.customer);
  state.events.emit('payment_intent.succeeded', intent);
  paymentSucceeded(state, intent);
  if (disputed) openDispute(state, charge, 'fraudulent');
}

function declined(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  method: PaymentMethodDoc,
  decline: Decline,
  { offSession }: { offSession: boolean },
): void {
  const charge = newCharge(intent, method, decline, state.clock.nowSeconds());
  state.store.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  intent.last_payment_error = toIntentError(decline, { charge: charge.id, method });
  const mustAuthenticate = decline === AUTHENTICATION_REQUIRED;
  if (mustAuthenticate) {
    // The customer can still pay with this card, once they are at the screen.
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: '' },
    };
  } else {
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
  }
  state.events.emit('charge.failed', charge);
  state.events.emit(
    mustAuthenticate ? 'payment_intent.requires_action' : 'payment_intent.payment_failed',
    intent,
  );
  paymentFailed(state, intent, { automatic: offSession });
  if (mustAuthenticate) paymentNeedsAction(state, intent);
}
