import { z } from 'zod';
import { paymentMethodFor, paymentMethodFromCard } from '../billing/payment-methods.ts';
import type { IntentDoc, PaymentMethodDoc } from '../documents.ts';
import { address, flag, integer, text } from '../http/params.ts';
import type { PaymentsState } from '../payments-state.ts';
import { invalidRequest } from '../stripe-error.ts';

export const cardParams = z.strictObject({
  number: text,
  exp_month: integer,
  exp_year: integer.transform((year) => (year < 100 ? 2_000 + year : year)),
  cvc: text.optional(),
});
export const billingParams = z
  .strictObject({ address, email: text, name: text, phone: text })
  .partial()
  .optional();
export const methodData = z.strictObject({
  type: z.literal('card'),
  allow_redisplay: text.optional(),
  billing_details: billingParams,
  card: cardParams,
});

/** What confirming an intent takes, from the server or from the browser. */
export const confirmParams = z.strictObject({
  client_secret: text.optional(),
  mandate_data: z.unknown().optional(),
  off_session: flag.optional(),
  payment_method: text.optional(),
  payment_method_data: methodData.optional(),
  payment_method_options: z.unknown().optional(),
  return_url: z.url().optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
  use_stripe_sdk: flag.optional(),
});

/** The method to confirm with; undefined: the intent's own. @throws StripeError for a wrong card or id */
export function givenMethod(
  state: PaymentsState,
  { payment_method, payment_method_data }: z.output<typeof confirmParams>,
): PaymentMethodDoc | undefined {
  if (payment_method !== undefined) return paymentMethodFor(state, payment_method);
  if (payment_method_data === undefined) return undefined;
  return paymentMethodFromCard(state, payment_method_data.card, payment_method_data.billing_details);
}

/** The browser proves with the client secret that the intent was given to it. */
export function requireClientSecret(
  intent: IntentDoc,
  given: string | undefined,
  fromBrowser: boolean,
): void {
  if (given === undefined && !fromBrowser) return;
  if (given === undefined) {
    throw invalidRequest('Missing required param: client_secret.', 'client_secret', 'parameter_missing');
  }
  if (given !== intent.client_secret) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with this intent.',
      'client_secret',
    );
  }
}
