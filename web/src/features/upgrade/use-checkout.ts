import type { Price } from '@casewatch/contracts/billing';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { forgetSubscription, useBeginSubscription } from '../../api/billing.ts';
import { refreshMe } from '../../api/session.ts';

/**
 * Where the way to a payment is; `secret` is what the browser confirms the card with. `overdue`: it is a renewal that
 * has failed, and not the chosen price that is to be paid.
 */
export type Checkout =
  | { state: 'preparing' }
  | { state: 'failed'; error: unknown }
  | { state: 'subscribed' }
  | { state: 'ready'; secret: string; intent: 'payment' | 'setup'; overdue: boolean; trialRefused: boolean };

/** Begins to subscribe for the chosen price, anew whenever another one is chosen or `begin` is called. */
export function useCheckout(price: Price | undefined): { checkout: Checkout; begin: () => void } {
  const client = useQueryClient();
  const { mutate, data, error, isError, isIdle, isPending, variables } = useBeginSubscription();
  const priceId = price?.id;

  const begin = useCallback(() => {
    if (priceId !== undefined) mutate(priceId);
  }, [mutate, priceId]);
  useEffect(begin, [begin]);

  const isSubscribed = data !== undefined && data.clientSecret === undefined;
  useEffect(() => {
    if (!isSubscribed) return;
    forgetSubscription(client);
    void refreshMe(client);
  }, [client, isSubscribed]);

  if (isIdle || isPending || variables !== priceId) return { checkout: { state: 'preparing' }, begin };
  if (isError) return { checkout: { state: 'failed', error }, begin };
  if (data.clientSecret === undefined) return { checkout: { state: 'subscribed' }, begin };
  return {
    checkout: {
      state: 'ready',
      secret: data.clientSecret,
      intent: data.intent ?? 'payment',
      overdue: data.status === 'past_due' || data.status === 'unpaid',
      trialRefused: data.trialRefused ?? false,
    },
    begin,
  };
}
