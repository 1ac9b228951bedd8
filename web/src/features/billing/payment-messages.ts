import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';

/** Messages about payments. Their texts are in the language that is shown when they are read. */
export const PAYMENT_SUCCESSFUL = {
  get title() {
    return t`Payment Successful`;
  },
  get description() {
    return t`Welcome to Pro! You now have access to all premium features.`;
  },
} as const satisfies ToastMessage;

export const TRIAL_STARTED = {
  get title() {
    return t`Trial started`;
  },
  get description() {
    return t`Welcome to Pro! You pay nothing until the trial ends.`;
  },
} as const satisfies ToastMessage;

export const TRIAL_REFUSED = {
  get title() {
    return t`No free trial`;
  },
  get description() {
    return t`One free trial per person: this card or email address was already used for one, or can’t be checked. Nothing was charged.`;
  },
} as const satisfies ToastMessage;

/** The card was confirmed when its trial had ended. */
export const TRIAL_OVER = {
  get title() {
    return t`The trial is over`;
  },
  get description() {
    return t`Your free trial ended before your card was confirmed. Nothing was charged. Subscribe to get Pro.`;
  },
} as const satisfies ToastMessage;

export const PAYMENT_PROCESSING = {
  get title() {
    return t`Payment Processing`;
  },
  get description() {
    return t`Your payment is being processed. Please wait...`;
  },
} as const satisfies ToastMessage;

/** The address of the return names a payment that the user does not have. */
export const PAYMENT_NOT_FOUND = {
  get title() {
    return t`Payment not found`;
  },
  get description() {
    return t`This payment does not belong to your account. Your profile shows your plan and your invoices.`;
  },
  variant: 'destructive',
} as const satisfies ToastMessage;

export const CARD_DECLINED = {
  get title() {
    return t`Payment Failed`;
  },
  get description() {
    return t`Your card was declined. Please try a different payment method.`;
  },
  variant: 'destructive',
} as const satisfies ToastMessage;

export const CONFIRMATION_FAILED = {
  get title() {
    return t`Payment Confirmation Failed`;
  },
  get description() {
    return t`Your payment was processed, but we couldn't activate your Pro tier. Please contact support or try refreshing the page.`;
  },
  support: {
    get otherwise() {
      return t`Your payment was processed, but we couldn't activate your Pro tier. Please try refreshing the page.`;
    },
  },
  variant: 'destructive',
} as const satisfies ToastMessage;

const ACTION_REQUIRED = {
  get title() {
    return t`Action Required`;
  },
  get description() {
    return t`Please complete the additional authentication steps.`;
  },
} as const satisfies ToastMessage;

const notPossible = () => t`Unable to process payment. Please try again.`;

/** The payment could not even be tried. */
export const PAYMENT_ERROR = {
  get title() {
    return t`Payment Error`;
  },
  get description() {
    return notPossible();
  },
  variant: 'destructive',
} as const satisfies ToastMessage;

/** Returns the message that the payment provider refused, in its own words. */
export function paymentFailed(providerMessage: string | undefined): ToastMessage {
  return { title: t`Payment Failed`, description: providerMessage || notPossible(), variant: 'destructive' };
}

/** Returns what to say of a payment, or of the card of a trial, that has come to rest without success. */
export function messageForStatus(status: string): ToastMessage {
  if (status === 'requires_payment_method') return CARD_DECLINED;
  if (status === 'requires_action') return ACTION_REQUIRED;
  return {
    title: t`Payment Status Unknown`,
    description: t`The payment status is "${status}". Please contact support.`,
    support: { otherwise: t`The payment status is "${status}". Please try again later.` },
    variant: 'destructive',
  };
}

const NEXT_STEPS: Readonly<Record<string, MessageDescriptor>> = {
  insufficient_funds: msg`Use another card, or try again when there is enough money in your account.`,
  expired_card: msg`Use a card that has not expired.`,
  incorrect_cvc: msg`Check the security code of the card and try again.`,
  incorrect_number: msg`Check the number of the card and try again.`,
  processing_error: msg`Wait a minute and try again.`,
};

/** Returns what to do after a card was declined, by the provider's code for the reason. */
export function nextStepOf(code: string | undefined): string {
  const known = NEXT_STEPS[code ?? ''];
  return known === undefined
    ? t`Try another card, or ask your bank why it declined this one.`
    : i18n._(known);
}
