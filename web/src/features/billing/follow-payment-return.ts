import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { confirmPayment, type Standing, syncSubscription } from '../../api/billing.ts';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';
import { sleep } from '../../lib/sleep.ts';
import {
  CARD_DECLINED,
  messageForStatus,
  PAYMENT_NOT_FOUND,
  PAYMENT_PROCESSING,
  PAYMENT_SUCCESSFUL,
  TRIAL_OVER,
  TRIAL_REFUSED,
  TRIAL_STARTED,
} from './payment-messages.ts';

/** Follows what the bank's page has sent back in the address, until there is something to say. */
export async function followRedirect(
  client: QueryClient,
  query: URLSearchParams,
  show: (message: ToastMessage) => void,
): Promise<void> {
  const setup = query.get('setup_intent');
  const intentId = setup ?? query.get('payment_intent') ?? '';
  const message = await followPaymentReturn(query.get('redirect_status'), {
    sync: () => syncSubscription(client),
    readPayment: () => readPayment(intentId),
    wait: (ms) => sleep(ms),
    success: setup === null ? PAYMENT_SUCCESSFUL : TRIAL_STARTED,
  });
  show(message);
}

export const RETRY_EVERY_MS = 2_000;
export const RETRIES_MAX = 10;

interface ReturnSteps {
  /** Has the server ask the payment provider, and gives what the user has then. */
  sync(): Promise<Standing>;
  /** Gives the provider's word for the payment: 'not-found' when the user has no such one, 'trial-over' of a card that came too late, undefined when it can't be read now. */
  readPayment(): Promise<string | undefined>;
  wait(ms: number): Promise<void>;
  /** The message when the payment has gone through. */
  success?: ToastMessage;
}

/**
 * Finds out how a payment went, after the bank has sent a person back, and gives the words for it. The payment itself
 * decides: the address can be changed by anyone, and who pays an overdue invoice has Pro before. Of a payment that can't be
 * read, the address is believed when it says failed, and the subscription has to be paid otherwise.
 */
export async function followPaymentReturn(
  redirectStatus: string | null,
  { sync, readPayment, wait, success = PAYMENT_SUCCESSFUL }: ReturnSteps,
): Promise<ToastMessage> {
  for (let retries = 0; ; retries += 1) {
    const { tier, status, trialRefused } = await sync();
    if (trialRefused && success === TRIAL_STARTED) return TRIAL_REFUSED;
    const payment = await readPayment();
    const isOpen = payment !== 'succeeded' && payment !== 'processing' && payment !== 'trial-over';
    if (isOpen && redirectStatus === 'failed') return CARD_DECLINED;
    if (payment === 'trial-over') return TRIAL_OVER;
    if (payment === 'not-found') return PAYMENT_NOT_FOUND;
    if (isOpen && payment !== undefined) return messageForStatus(payment);
    const isPaid =
      payment === 'succeeded' ||
      (payment === undefined && redirectStatus === 'succeeded' && PAID.has(status ?? ''));
    if (isPaid && tier === 'pro') return success;
    if (retries === RETRIES_MAX) return PAYMENT_PROCESSING;
    await wait(RETRY_EVERY_MS);
  }
}

/** The provider's words for a subscription without an open invoice. */
const PAID: ReadonlySet<string> = new Set(['active', 'trialing']);

async function readPayment(intentId: string): Promise<string | undefined> {
  try {
    const { paymentStatus, trialOver } = await confirmPayment(intentId);
    return trialOver ? 'trial-over' : paymentStatus;
  } catch (error) {
    // 400: the address has no id at all.
    return error instanceof ApiError && (error.status === 404 || error.status === 400)
      ? 'not-found'
      : undefined;
  }
}
