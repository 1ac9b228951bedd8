import type { Tier } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import type { StripeError } from '@stripe/stripe-js';
import type { Confirmed } from '../../api/billing.ts';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';
import {
  CONFIRMATION_FAILED,
  messageForStatus,
  nextStepOf,
  PAYMENT_ERROR,
  PAYMENT_PROCESSING,
  paymentFailed,
  TRIAL_OVER,
  TRIAL_REFUSED,
} from '../billing/payment-messages.ts';

/** A payment intent, or the setup intent of a trial, as the provider's script reports it. */
export interface Intent {
  id: string;
  status: string;
}

export type BrowserConfirmation = { intent: Intent } | { error: StripeError };

/** What taking a payment needs from outside. */
export interface PaymentSteps {
  confirmInBrowser(): Promise<BrowserConfirmation>;
  /** Gives the state as the server sees it. */
  confirmOnServer(intentId: string): Promise<Confirmed>;
  readTier(): Promise<Tier | undefined>;
  wait(ms: number): Promise<void>;
  /** As `wait`, but rejects as soon as the screen has been left. */
  waitWhileShown(ms: number): Promise<void>;
  show(message: ToastMessage): void;
  /** The message after a successful payment. */
  success: ToastMessage;
  /** The provider has not decided yet. */
  onWaiting(): void;
}

/**
 * - `paid`: all is done, whether the tier has been seen to change or not.
 * - `unconfirmed`: the money went, but the server could not take note of it.
 * - `incomplete`: the form says itself what is missing.
 * - `refused`: not paid, `next` says what to do; another try is possible with the same secret.
 * - `stale`: not paid, and the secret is of no use any more.
 */
export type PaymentResult =
  | 'paid'
  | 'unconfirmed'
  | 'incomplete'
  | { refused: ToastMessage; next?: string; stale: boolean };

const ASK_AGAIN_MS = 2_000;
const ASK_AGAIN_LATER_MS = 10_000;
/** How often it is asked at the shorter distance. */
const SOON_TIMES = 30;

/** Gets a payment confirmed by the browser, then by the server, shows how it went, and stays until the tier has changed. */
export async function takePayment(steps: PaymentSteps): Promise<PaymentResult> {
  let confirmation: BrowserConfirmation;
  try {
    confirmation = await steps.confirmInBrowser();
  } catch {
    return refuse(steps, PAYMENT_ERROR);
  }
  const intent = 'intent' in confirmation ? confirmation.intent : succeededInAnotherTab(confirmation.error);
  if (intent !== undefined) return settle(steps, intent);
  const { error } = 'error' in confirmation ? confirmation : {};
  if (error?.type === 'validation_error') return 'incomplete';
  const refused = refuse(steps, paymentFailed(error?.message), error !== undefined && isStale(error));
  if (error?.type === 'card_error')
    return { ...refused, next: t`Nothing was charged. ${nextStepOf(error.decline_code ?? error.code)}` };
  return refused.stale
    ? { ...refused, next: t`Nothing was charged. Please enter your card again.` }
    : refused;
}

/** The request itself was wrong: its intent is canceled or missing. A failed authentication has the same type, but can be repeated. */
function isStale({ type, code }: StripeError): boolean {
  return type === 'invalid_request_error' && !code?.endsWith('_authentication_failure');
}

/** A second try of what another tab has paid is an error that names the paid intent. */
function succeededInAnotherTab({ payment_intent, setup_intent }: StripeError): Intent | undefined {
  const intent = payment_intent ?? setup_intent;
  return intent?.status === 'succeeded' || intent?.status === 'processing' ? intent : undefined;
}

async function settle(steps: PaymentSteps, { id, status }: Intent): Promise<PaymentResult> {
  let current = status;
  if (current === 'succeeded') {
    try {
      const confirmed = await steps.confirmOnServer(id);
      // The card was a trial's, and has had one: the price that is to be agreed to comes with a new secret.
      if (confirmed.trialRefused) return refuse(steps, TRIAL_REFUSED, true);
      if (confirmed.trialOver) return refuse(steps, TRIAL_OVER, true);
      current = confirmed.paymentStatus;
    } catch {
      steps.show(CONFIRMATION_FAILED);
      return 'unconfirmed';
    }
  }
  if (current === 'processing') current = await outlastProcessing(steps, id);
  if (current !== 'succeeded') return refuse(steps, messageForStatus(current), current === 'canceled');
  steps.show(steps.success);
  await waitForPro(steps);
  return 'paid';
}

/** Asks until the payment is no longer processing: soon at first, then now and then. */
async function outlastProcessing(steps: PaymentSteps, intentId: string): Promise<string> {
  steps.show(PAYMENT_PROCESSING);
  steps.onWaiting();
  for (let times = 0; ; times += 1) {
    await steps.waitWhileShown(times < SOON_TIMES ? ASK_AGAIN_MS : ASK_AGAIN_LATER_MS);
    // An answer that did not come says nothing about the payment.
    const { paymentStatus } = await steps
      .confirmOnServer(intentId)
      .catch(() => ({ paymentStatus: 'processing' }));
    if (paymentStatus !== 'processing') return paymentStatus;
  }
}

function refuse(steps: PaymentSteps, message: ToastMessage, stale = false) {
  steps.show(message);
  return { refused: message, stale };
}

const FIRST_LOOK_MS = 1_000;
const LOOK_EVERY_MS = 500;
const LOOKS_MAX = 20;

interface Look {
  readTier: () => Promise<Tier | undefined>;
  wait: (ms: number) => Promise<void>;
}

/** Looks whether the user has become pro: after a second, then every half second, 20 times at most. False when not. */
async function waitForPro({ readTier, wait }: Look): Promise<boolean> {
  await wait(FIRST_LOOK_MS);
  for (let looks = 1; ; looks += 1) {
    if ((await readTier()) === 'pro') return true;
    if (looks === LOOKS_MAX) return false;
    await wait(LOOK_EVERY_MS);
  }
}
