import { hash } from 'node:crypto';
import { newId, type PaymentMethodDoc } from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import type { PaymentsState } from '../state.ts';
import { resourceMissing, StripeError } from '../stripe-error.ts';

export interface Decline {
  code: string;
  decline_code: string;
  message: string;
}
export const GENERIC_DECLINE: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};

export const AUTHENTICATION_DECLINE: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard';
  /** Stands for the card in requests. */
  name: string;
  charge: 'succeeds' | 'processing' | 'declined';
  /** Charges without the customer present are declined, or need the customer's authentication. */
  renewal?: 'declined' | 'authentication';
  /** The customer must authenticate when present: in a dialog, or on another page. */
  authentication?: 'dialog' | 'redirect';
}

/** Stripe's test cards (docs, "Test cards"), then three of the simulator's own for what those have no number for. */
const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', name: 'pm_card_visa', charge: 'succeeds' },
  { number: '5555555555554444', brand: 'mastercard', name: 'pm_card_mastercard', charge: 'succeeds' },
  { number: '4000000000000002', brand: 'visa', name: 'pm_card_chargeDeclined', charge: 'declined' },
  {
    number: '4000002500003155',
    brand: 'visa',
    name: 'pm_card_authenticationRequiredOnSetup',
    charge: 'succeeds',
    authentication: 'dialog',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    name: 'pm_card_authenticationRequired',
    charge: 'succeeds',
    renewal: 'authentication',
    authentication: 'dialog',
  },
  { number: '4000000000001976', brand: 'visa', name: 'pm_card_processing', charge: 'processing' },
  {
    number: '4000000000002024',
    brand: 'visa',
    name: 'pm_card_redirect',
    charge: 'succeeds',
    authentication: 'redirect',
  },
  {
    number: '4000000000002255',
    brand: 'visa',
    name: 'pm_card_renewalDeclined',
    charge: 'succeeds',
    renewal: 'declined',
  },
];
/** Cards of the simulator's own that succeed, each with a fingerprint of its own: for trials, of which one card has one. */
const OWN_CARDS: readonly TestCard[] = Array.from({ length: 999 }, (_, index) => ({
  number: withCheckDigit(`424242000000${String(index + 1).padStart(3, '0')}`),
  brand: 'visa',
  name: `pm_card_visa_${index + 1}`,
  charge: 'succeeds',
}));
const CARDS = [...TEST_CARDS, ...OWN_CARDS];
const BY_FINGERPRINT = new Map(CARDS.map((card) => [fingerprintOf(card.number), card]));
const MAX_MONTHS_AHEAD = 600;

/** Returns the card behind a payment method, which stores no number. */
export function cardOf({ id, card }: PaymentMethodDoc): TestCard {
  const found = BY_FINGERPRINT.get(card.fingerprint);
  if (!found) throw new Error(`${id} is no test card`);
  return found;
}

/** Returns the payment method of an id, or a new one for the name of a test card. @throws `resource_missing` */
export function paymentMethodFor(state: PaymentsState, id: string): PaymentMethodDoc {
  const existing = state.store.paymentMethods.get(id);
  if (existing) return existing;
  const card = CARDS.find(({ name }) => name === id);
  if (!card) throw resourceMissing('PaymentMethod', id, 'payment_method', 400);
  const year = new Date(state.clock.nowMs()).getUTCFullYear();
  return addPaymentMethod(state, card, { exp_month: 12, exp_year: year + 5 });
}

/** @throws StripeError (402) for an expired card or a number that is no test card */
export function paymentMethodFromCard(
  state: PaymentsState,
  given: { number: string; exp_month: number; exp_year: number },
): PaymentMethodDoc {
  const number = given.number.replaceAll(/[\s-]/g, '');
  checkExpiry(state, given);
  const card = CARDS.find((each) => each.number === number);
  if (!card) {
    throw new StripeError(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message: 'Your card was declined. Your request was in test mode, but used a non test card.',
    });
  }
  return addPaymentMethod(state, card, given);
}

export function attachMethod(state: PaymentsState, method: PaymentMethodDoc, customer: string): void {
  updateDocument(state, 'payment_method.attached', method, { customer });
}

/** Removes the card from its customer, who is then no longer charged to it. */
export function detachMethod(state: PaymentsState, method: PaymentMethodDoc): void {
  const { customers, subscriptions } = state.store;
  for (const customer of customers.values()) {
    if ('deleted' in customer || customer.invoice_settings.default_payment_method !== method.id) continue;
    updateDocument(state, 'customer.updated', customer, {
      invoice_settings: { default_payment_method: null },
    });
  }
  for (const subscription of subscriptions.values()) {
    if (subscription.default_payment_method !== method.id || state.behavior.detachedCard !== 'forgotten')
      continue;
    updateDocument(state, 'customer.subscription.updated', subscription, { default_payment_method: null });
  }
  updateDocument(state, 'payment_method.detached', method, { customer: null });
}

function addPaymentMethod(
  state: PaymentsState,
  { number, brand }: TestCard,
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
): PaymentMethodDoc {
  const method: PaymentMethodDoc = {
    id: newId('pm'),
    object: 'payment_method',
    card: { brand, exp_month, exp_year, fingerprint: fingerprintOf(number), last4: number.slice(-4) },
    created: state.clock.nowSeconds(),
    customer: null,
    type: 'card',
  };
  state.store.paymentMethods.set(method.id, method);
  return method;
}

/** The same for every use of a number. */
function fingerprintOf(number: string): string {
  return hash('sha256', `card ${number}`, 'base64url').replaceAll(/[-_]/g, '').slice(0, 16);
}

/** Adds the last digit of a card number (ISO/IEC 7812-1, Luhn). */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function checkExpiry(
  state: PaymentsState,
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
): void {
  const now = new Date(state.clock.nowMs());
  const monthsAhead = (exp_year - now.getUTCFullYear()) * 12 + exp_month - 1 - now.getUTCMonth();
  if (exp_month >= 1 && exp_month <= 12 && monthsAhead >= 0 && monthsAhead <= MAX_MONTHS_AHEAD) return;
  throw new StripeError(402, {
    type: 'card_error',
    code: 'invalid_expiry_year',
    message: "Your card's expiration date is invalid.",
    param: 'exp_year',
  });
}
