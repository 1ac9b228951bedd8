import type { Stripe, StripeElements } from '@stripe/stripe-js';
import type { BrowserConfirmation } from './take-payment.ts';

/** Confirms a payment now, or the card of a trial, on this page unless the card's bank demands to be visited. */
export async function confirmInBrowser(
  stripe: Stripe,
  elements: StripeElements,
  kind: 'payment' | 'setup',
): Promise<BrowserConfirmation> {
  const options = {
    elements,
    confirmParams: { return_url: `${window.location.origin}/` },
    redirect: 'if_required' as const,
  };
  if (kind === 'setup') {
    const { setupIntent, error } = await stripe.confirmSetup(options);
    return error ? { error } : { intent: setupIntent };
  }
  const { paymentIntent, error } = await stripe.confirmPayment(options);
  return error ? { error } : { intent: paymentIntent };
}
