import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { confirmPayment, forgetSubscription } from '../../api/billing.ts';
import { refreshMe } from '../../api/session.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { sleep } from '../../lib/sleep.ts';
import { PAYMENT_SUCCESSFUL, TRIAL_STARTED } from '../billing/payment-messages.ts';
import { type BrowserConfirmation, takePayment } from './take-payment.ts';

/**
 * - `open`: the form can be filled in and sent.
 * - `working`: a payment is in progress.
 * - `waiting`: the provider has not decided yet; nothing to do but wait.
 * - `unconfirmed`: paid, but the server has not taken note of it.
 */
export type PaymentPhase = 'open' | 'working' | 'waiting' | 'unconfirmed';

interface Payment {
  phase: PaymentPhase;
  /** Why the last try failed. */
  problem: string | undefined;
  pay: (stripe: Stripe, elements: StripeElements, kind: 'payment' | 'setup') => void;
  /** For a secret that the provider makes no form of: it may have been paid already, here or in another tab. */
  takeUp: (secret: string) => void;
}

/** Takes a payment, shows how it goes and leads to '/' when it is done. `onStale` is called when a new secret is needed. */
export function usePayment(onStale: () => void): Payment {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [phase, setPhase] = useState<PaymentPhase>('open');
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), []);
  useRestoredPage(
    useCallback(() => {
      if (running.current === null) return;
      running.current.abort();
      running.current = null;
      setPhase('open');
      onStale();
    }, [onStale]),
  );

  const run = async (kind: 'payment' | 'setup', confirm: () => Promise<BrowserConfirmation>) => {
    // A second press can come before the button has been drawn disabled.
    if (running.current !== null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const page = window.location.pathname;
    running.current = controller;
    setPhase('working');
    setProblem(undefined);
    try {
      const result = await takePayment({
        confirmInBrowser: confirm,
        confirmOnServer: confirmPayment,
        readTier: async () => (await refreshMe(client))?.tier,
        wait: (ms) => sleep(ms),
        waitWhileShown: (ms) => sleep(ms, signal),
        show: toast,
        success: kind === 'setup' ? TRIAL_STARTED : PAYMENT_SUCCESSFUL,
        onWaiting: () => setPhase('waiting'),
      });
      if (signal.aborted) return;
      if (result === 'paid') {
        // The next screen may still be loading: until then this one is shown, but the address is that of the next one.
        if (window.location.pathname === page) navigate('/');
        return;
      }
      running.current = null;
      if (result === 'unconfirmed') return setPhase('unconfirmed');
      setPhase('open');
      if (result === 'incomplete') return;
      setProblem([result.refused.description, result.next].filter(Boolean).join(' '));
      if (result.stale) onStale();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      forgetSubscription(client);
    }
  };

  const takeUp = async (secret: string) => {
    const id = intentIdOf(secret);
    const status = (await confirmPayment(id).catch(() => undefined))?.paymentStatus;
    if (status !== 'succeeded' && status !== 'processing') return onStale();
    await run(id.startsWith('seti_') ? 'setup' : 'payment', async () => ({ intent: { id, status } }));
  };

  return {
    phase,
    problem,
    pay: (stripe, elements, kind) => void run(kind, () => confirmInBrowser(stripe, elements, kind)),
    takeUp: (secret) => void takeUp(secret),
  };
}

/** The provider's secrets begin with the id of what they belong to. */
function intentIdOf(secret: string): string {
  return secret.split('_secret_')[0] ?? '';
}

/** Coming back from the bank's page by the Back button may show this page as it was left: in the middle of a payment. */
function useRestoredPage(onRestored: () => void): void {
  useEffect(() => {
    const restored = ({ persisted }: PageTransitionEvent) => persisted && onRestored();
    window.addEventListener('pageshow', restored);
    return () => window.removeEventListener('pageshow', restored);
  }, [onRestored]);
}

/** Confirms a payment now, or the card of a trial, on this page unless the card's bank demands to be visited. */
async function confirmInBrowser(
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
