import type { Price } from '@casewatch/contracts/billing';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { forgetSubscription, type TaxAddress, useBeginSubscription } from '../../api/billing.ts';
import { refreshMe } from '../../api/session.ts';

/**
 * Where the way to a payment is; `secret` is what the browser confirms the card with. `overdue`: it is a renewal that
 * has failed, and not the chosen price that is to be paid. `address`: first the tax has to be computed, for the address of before if there is one;
 * `problem` says what is wrong with that. `due`: what is charged, where it is with tax.
 */
export type Checkout =
  | { state: 'preparing' }
  | { state: 'failed'; error: unknown }
  | { state: 'subscribed' }
  | { state: 'address'; before: TaxAddress | undefined; problem: string | undefined }
  | {
      state: 'ready';
      secret: string;
      intent: 'payment' | 'setup';
      overdue: boolean;
      trialRefused: boolean;
      due: { amount: number; tax: number } | undefined;
    };

export interface BeginCheckout {
  checkout: Checkout;
  begin: () => void;
  /** Begins again, taxed for this address. */
  placeAt: (address: TaxAddress) => void;
  /** Asks for another address. */
  move: () => void;
}

/** Begins to subscribe for the chosen price, anew whenever another one is chosen or `begin` is called. */
export function useCheckout(price: Price | undefined): BeginCheckout {
  const client = useQueryClient();
  const { mutate, data, error, isError, isIdle, isPending, variables } = useBeginSubscription();
  const [isMoving, setIsMoving] = useState(false);
  const priceId = price?.id;

  const begin = useCallback(() => {
    setIsMoving(false);
    if (priceId !== undefined) mutate({ priceId });
  }, [mutate, priceId]);
  const placeAt = (address: TaxAddress) => {
    setIsMoving(false);
    if (priceId !== undefined) mutate({ priceId, address });
  };
  const answer = (checkout: Checkout) => ({ checkout, begin, placeAt, move: () => setIsMoving(true) });
  useEffect(begin, [begin]);

  const isSubscribed = data !== undefined && data.clientSecret === undefined;
  useEffect(() => {
    if (!isSubscribed) return;
    forgetSubscription(client);
    void refreshMe(client);
  }, [client, isSubscribed]);

  if (isIdle || isPending || variables.priceId !== priceId) return answer({ state: 'preparing' });
  const before = variables.address;
  if (isMoving) return answer({ state: 'address', before, problem: undefined });
  if (isError && error instanceof ApiError && error.code === 'ADDRESS_NEEDED')
    return answer({ state: 'address', before, problem: before && error.serverMessage });
  if (isError) return answer({ state: 'failed', error });
  if (data.clientSecret === undefined) return answer({ state: 'subscribed' });
  return answer({
    state: 'ready',
    secret: data.clientSecret,
    intent: data.intent ?? 'payment',
    overdue: data.status === 'past_due' || data.status === 'unpaid',
    trialRefused: data.trialRefused ?? false,
    due: data.due,
  });
}
