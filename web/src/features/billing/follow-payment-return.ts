import type { Tier } from '@casewatch/contracts/limits';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';
import {
  CARD_DECLINED,
  PAYMENT_PROCESSING,
  PAYMENT_SUCCESSFUL,
  TRIAL_REFUSED,
  TRIAL_STARTED,
} from './payment-messages.ts';

export const RETRY_EVERY_MS = 2_000;
export const RETRIES_MAX = 10;

interface ReturnSteps {
  /** Has the server ask the payment provider, and gives the tier that the user has then, and whether a trial was refused. */
  sync(): Promise<{ tier: Tier | undefined; trialRefused: boolean }>;
  wait(ms: number): Promise<void>;
  /** What is said when Pro has begun. */
  success?: ToastMessage;
}

/**
 * Finds out, after the bank has sent a person back, whether Pro has begun, and gives the words for it. A payment
 * that the address calls failed is not waited for.
 */
export async function followPaymentReturn(
  redirectStatus: string | null,
  { sync, wait, success = PAYMENT_SUCCESSFUL }: ReturnSteps,
): Promise<ToastMessage> {
  for (let retries = 0; ; retries += 1) {
    const { tier, trialRefused } = await sync();
    if (tier === 'pro') return success;
    if (trialRefused && success === TRIAL_STARTED) return TRIAL_REFUSED;
    if (redirectStatus === 'failed') return CARD_DECLINED;
    if (retries === RETRIES_MAX) return PAYMENT_PROCESSING;
    await wait(RETRY_EVERY_MS);
  }
}
