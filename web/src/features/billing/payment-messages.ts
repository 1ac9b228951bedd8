import type { ToastMessage } from '../../components/toast/toast-queue.ts';

export const PAYMENT_SUCCESSFUL = {
  title: 'Payment Successful',
  description: 'Welcome to Pro! You now have access to all premium features.',
} as const satisfies ToastMessage;

export const TRIAL_STARTED = {
  title: 'Trial started',
  description: 'Welcome to Pro! You pay nothing until the trial ends.',
} as const satisfies ToastMessage;

export const PAYMENT_PROCESSING = {
  title: 'Payment Processing',
  description: 'Your payment is being processed. Please wait...',
} as const satisfies ToastMessage;

export const CARD_DECLINED = {
  title: 'Payment Failed',
  description: 'Your card was declined. Please try a different payment method.',
  variant: 'destructive',
} as const satisfies ToastMessage;

export const CONFIRMATION_FAILED = {
  title: 'Payment Confirmation Failed',
  description:
    "Your payment was processed, but we couldn't activate your Pro tier. Please contact support or try refreshing the page.",
  support: {
    otherwise:
      "Your payment was processed, but we couldn't activate your Pro tier. Please try refreshing the page.",
  },
  variant: 'destructive',
} as const satisfies ToastMessage;

const ACTION_REQUIRED = {
  title: 'Action Required',
  description: 'Please complete the additional authentication steps.',
} as const satisfies ToastMessage;

const NOT_POSSIBLE = 'Unable to process payment. Please try again.';

/** The payment could not even be tried. */
export const PAYMENT_ERROR = {
  title: 'Payment Error',
  description: NOT_POSSIBLE,
  variant: 'destructive',
} as const satisfies ToastMessage;

/** The payment provider refused, in its own words. */
export function paymentFailed(providerMessage: string | undefined): ToastMessage {
  return { title: 'Payment Failed', description: providerMessage || NOT_POSSIBLE, variant: 'destructive' };
}

/** What to say of a payment, or of the card of a trial, that has come to rest without success. */
export function messageForStatus(status: string): ToastMessage {
  if (status === 'requires_payment_method') return CARD_DECLINED;
  if (status === 'requires_action') return ACTION_REQUIRED;
  return {
    title: 'Payment Status Unknown',
    description: `The payment status is "${status}". Please contact support.`,
    support: { otherwise: `The payment status is "${status}". Please try again later.` },
    variant: 'destructive',
  };
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  insufficient_funds: 'Use another card, or try again when there is enough money in the account.',
  expired_card: 'Use a card that has not expired.',
  incorrect_cvc: 'Check the security code of the card and try again.',
  incorrect_number: 'Check the number of the card and try again.',
  processing_error: 'Wait a minute and try again.',
};

/** What to do after a card was declined, by the provider's code for the reason. */
export function nextStepOf(code: string | undefined): string {
  return NEXT_STEPS[code ?? ''] ?? 'Try another card, or ask your bank why it declined this one.';
}
