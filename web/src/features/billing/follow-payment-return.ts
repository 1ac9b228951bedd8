import type { Tier } from '@casewatch/contracts/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { syncSubscription } from '../../api/billing.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';
import { sleep } from '../../lib/sleep.ts';
import {
  CARD_DECLINED,
  PAYMENT_PROCESSING,
  PAYMENT_SUCCESSFUL,
  TRIAL_REFUSED,
  TRIAL_STARTED,
} from './payment-messages.ts';

/** Takes up a payment that led away from the page and back to '/'. Shows nothing but toasts. */
export function PaymentReturn() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { pathname, search } = useLocation();
  const followed = useRef('');

  useEffect(() => {
    const query = new URLSearchParams(search);
    if (pathname !== '/' || !(query.has('payment_intent') || query.has('setup_intent'))) return;
    // Before the address has changed, an effect can come twice.
    if (followed.current === search) return;
    followed.current = search;
    navigate('/', { replace: true });
    void followPaymentReturn(query.get('redirect_status'), {
      sync: () => syncSubscription(client),
      wait: (ms) => sleep(ms),
      success: query.has('setup_intent') ? TRIAL_STARTED : PAYMENT_SUCCESSFUL,
    }).then(toast);
  }, [client, navigate, pathname, search, toast]);
  return null;
}

export const RETRY_EVERY_MS = 2_000;
export const RETRIES_MAX = 10;

interface ReturnSteps {
  /** Has the server ask the payment provider, and gives the tier that the user has then, and whether a trial was refused. */
  sync(): Promise<{ tier: Tier | undefined; trialRefused: boolean }>;
  wait(ms: number): Promise<void>;
  /** The message when Pro has begun. */
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
