import { hash } from 'node:crypto';

/** How the bank treats a card. */
export interface CardBehaviour {
  /** What every attempt to charge it meets. */
  charge: 'succeeds' | 'processing' | Decline;
  /** What charges without the customer at the screen meet; as `charge` unless given. */
  offSession?: Decline;
  /** The customer must prove who they are when at the screen. */
  authentication?: 'dialog' | 'redirect';
  /** Saving it without a payment fails too; else it can be saved although it can't be charged. */
  refusesSetup?: boolean;
  /** The bank takes each payment back as fraudulent. */
  disputed?: boolean;
}

export interface Decline {
  code: string;
  decline_code: string;
  message: string;
}

export interface TestCard extends CardBehaviour {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex' | 'discover';
  /** Names that stand for it on the server: `pm_card_visa`. */
  names: readonly string[];
}

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});
const refused = (code: string, message: string): Decline => ({ code, decline_code: code, message });
export const GENERIC_DECLINE = declined('generic_decline');
export const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** Stripe's test cards (docs, "Test cards"), and at the end three of our own for what those have no number for. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', names: ['pm_card_visa', 'pm_card_us'], charge: 'succeeds' },
  { number: '4000056655665556', brand: 'visa', names: ['pm_card_visa_debit'], charge: 'succeeds' },
  { number: '5555555555554444', brand: 'mastercard', names: ['pm_card_mastercard'], charge: 'succeeds' },
  { number: '378282246310005', brand: 'amex', names: ['pm_card_amex'], charge: 'succeeds' },
  { number: '6011111111111117', brand: 'discover', names: ['pm_card_discover'], charge: 'succeeds' },
  {
    number: '4000000000000002',
    brand: 'visa',
    names: ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined'],
    charge: GENERIC_DECLINE,
    refusesSetup: true,
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    names: ['pm_card_chargeDeclinedInsufficientFunds', 'pm_card_visa_chargeDeclinedInsufficientFunds'],
    charge: declined('insufficient_funds', 'Your card has insufficient funds.'),
    refusesSetup: true,
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    names: ['pm_card_chargeDeclinedExpiredCard'],
    charge: refused('expired_card', 'Your card has expired.'),
    refusesSetup: true,
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    names: ['pm_card_chargeDeclinedIncorrectCvc'],
    charge: refused('incorrect_cvc', "Your card's security code is incorrect."),
    refusesSetup: true,
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    names: ['pm_card_chargeDeclinedProcessingError'],
    charge: refused(
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ),
    refusesSetup: true,
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    names: ['pm_card_chargeCustomerFail'],
    charge: GENERIC_DECLINE,
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    names: ['pm_card_authenticationRequiredOnSetup'],
    charge: 'succeeds',
    authentication: 'dialog',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    names: ['pm_card_authenticationRequired'],
    charge: 'succeeds',
    offSession: AUTHENTICATION_REQUIRED,
    authentication: 'dialog',
  },
  {
    number: '4000000000003220',
    brand: 'visa',
    names: ['pm_card_threeDSecure2Required'],
    charge: 'succeeds',
    offSession: AUTHENTICATION_REQUIRED,
    authentication: 'dialog',
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    names: ['pm_card_createDispute'],
    charge: 'succeeds',
    disputed: true,
  },
  { number: '4000000000001976', brand: 'visa', names: ['pm_card_processing'], charge: 'processing' },
  {
    number: '4000000000002024',
    brand: 'visa',
    names: ['pm_card_redirect'],
    charge: 'succeeds',
    authentication: 'redirect',
  },
  {
    number: '4000000000002255',
    brand: 'visa',
    names: ['pm_card_renewalDeclined'],
    charge: 'succeeds',
    offSession: GENERIC_DECLINE,
  },
];

export function cardByName(name: string): TestCard | undefined {
  return TEST_CARDS.find(({ names }) => names.includes(name));
}

export function cardByNumber(number: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.number === number);
}

/** The card behind a payment method, which keeps no number. */
export function cardByFingerprint(fingerprint: string): TestCard | undefined {
  return TEST_CARDS.find(({ number }) => fingerprintOf(number) === fingerprint);
}

/** The same for every use of a number. */
export function fingerprintOf(number: string): string {
  return hash('sha256', `card ${number}`, 'base64url').replaceAll(/[-_]/g, '').slice(0, 16);
}
