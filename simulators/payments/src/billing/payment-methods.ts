import type { PaymentMethodDoc } from '../documents.ts';
import { newId } from '../ids.ts';
import type { PaymentsState } from '../payments-state.ts';
import { invalidRequest, resourceMissing, StripeError } from '../stripe-error.ts';
import { cardByName, cardByNumber, fingerprintOf, type TestCard } from './test-cards.ts';

export interface CardDetails {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc?: string | undefined;
}

export interface BillingDetails {
  address?:
    | { [K in 'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state']?: string | undefined }
    | undefined;
  email?: string | undefined;
  name?: string | undefined;
  phone?: string | undefined;
}

const YEARS_AHEAD = 50;

/** The payment method of an id: a kept one, or a new one for the name of a test card. @throws `resource_missing` */
export function paymentMethodFor(state: PaymentsState, id: string): PaymentMethodDoc {
  const kept = state.store.paymentMethods.get(id);
  if (kept) return kept;
  const card = cardByName(id);
  if (!card) throw resourceMissing('PaymentMethod', id, 'payment_method', 400);
  const year = new Date(state.clock.nowMs()).getUTCFullYear();
  return keep(state, card, { exp_month: 12, exp_year: year + 5 }, {});
}

/** @throws StripeError (402) as for a wrongly typed or real card */
export function paymentMethodFromCard(
  state: PaymentsState,
  details: CardDetails,
  billing: BillingDetails = {},
): PaymentMethodDoc {
  const number = details.number.replaceAll(/[\s-]/g, '');
  if (!/^[0-9]{12,19}$/.test(number) || !passesLuhn(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  checkExpiry(state, details);
  if (details.cvc !== undefined && !/^[0-9]{3,4}$/.test(details.cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  const card = cardByNumber(number);
  if (!card) {
    throw new StripeError(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message: 'Your card was declined. Your request was in test mode, but used a non test card.',
    });
  }
  return keep(state, card, details, billing);
}

/** Gives a method to a customer; again for the same customer changes nothing. @throws when it is another's */
export function attach(state: PaymentsState, method: PaymentMethodDoc, customer: string): void {
  if (method.customer === customer) return;
  if (method.customer !== null) {
    throw invalidRequest(
      'The payment method you provided has already been attached to a customer.',
      'payment_method',
    );
  }
  method.customer = customer;
  state.events.emit('payment_method.attached', method);
}

function keep(
  state: PaymentsState,
  { number, brand }: TestCard,
  expiry: { exp_month: number; exp_year: number },
  { address, email, name, phone }: BillingDetails,
): PaymentMethodDoc {
  const method: PaymentMethodDoc = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: {
        city: address?.city ?? null,
        country: address?.country ?? null,
        line1: address?.line1 ?? null,
        line2: address?.line2 ?? null,
        postal_code: address?.postal_code ?? null,
        state: address?.state ?? null,
      },
      email: email ?? null,
      name: name ?? null,
      phone: phone ?? null,
      tax_id: null,
    },
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: address?.postal_code ? 'pass' : null,
        cvc_check: 'pass',
      },
      country: 'US',
      display_brand: brand,
      exp_month: expiry.exp_month,
      exp_year: expiry.exp_year,
      fingerprint: fingerprintOf(number),
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: state.clock.nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  state.store.paymentMethods.set(method.id, method);
  return method;
}

function checkExpiry(state: PaymentsState, { exp_month, exp_year }: CardDetails): void {
  const now = new Date(state.clock.nowMs());
  const year = now.getUTCFullYear();
  if (exp_month < 1 || exp_month > 12) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  const isPast = exp_year < year || (exp_year === year && exp_month < now.getUTCMonth() + 1);
  if (isPast || exp_year > year + YEARS_AHEAD) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
}

function cardError(code: string, message: string, param: string): StripeError {
  return new StripeError(402, { type: 'card_error', code, message, param });
}

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
