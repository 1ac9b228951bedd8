import type { Price } from '@casewatch/contracts/billing';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import {
  type BeginSubscription,
  type Discount,
  forgetSubscription,
  type TaxAddress,
  useBeginSubscription,
} from '../../api/billing.ts';
import { refreshMe } from '../../api/session.ts';

/**
 * Where the way to a payment is; `secret` is what the browser confirms the card with. `overdue`: it is a renewal that
 * has failed, and not the chosen price that is to be paid. `address`: first the tax has to be computed, for the address of before if there is one;
 * `problem` says what is wrong with that. `due`: what is charged, where it is with tax or less a discount.
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
      due: Due | undefined;
      discount: Discount | undefined;
    };

/** Dollars. */
export type Due = { amount: number; tax?: number | undefined };

/** The promotion code of a checkout. */
export interface PromotionChoice {
  /** What is in the field: kept while another price is begun, or what was begun begins anew. */
  typed: string;
  type: (text: string) => void;
  /** Tries a code; what was begun stays unless it can be used. */
  apply: (code: string) => void;
  remove: () => void;
  isTrying: boolean;
  /** The field was replaced while its button had the focus, or its code was refused: what stands there next takes it. */
  wantsFocus: RefObject<boolean>;
  /** Why the last one can't be used for the price. */
  problem: unknown;
}

export interface BeginCheckout {
  promotion: PromotionChoice;
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

  const { code, ...promotion } = usePromotion(priceId, () => newest.current?.checkSecret());
  const { wantsFocus } = promotion;
  const { mutate: ask } = useBeginSubscription();

  // Until the server has taken it: a code that is refused with it would lose it, and the tax would be that of before.
  const newPlace = useRef<TaxAddress>(undefined);

  const begin = useCallback(() => {
    setIsMoving(false);
    if (priceId === undefined) return;
    const address = newPlace.current;
    const taken = () => {
      if (newPlace.current === address) newPlace.current = undefined;
    };
    mutate({ priceId, address, promotionCode: code }, { onSuccess: taken });
  }, [mutate, priceId, code]);
  /** Stripe may refuse a code only when what was begun before has ended, and with it the secret that is shown. */
  const newest = useRef<{ priceId: string | undefined; secret: string | undefined; checkSecret: () => void }>(
    null,
  );
  useEffect(() => {
    const checkSecret = () => {
      if (priceId === undefined) return;
      const renew = ({ clientSecret }: { clientSecret?: string | undefined }) => {
        const now = newest.current;
        if (now?.priceId !== priceId || now.secret === clientSecret) return;
        wantsFocus.current = true;
        begin();
      };
      ask({ priceId, promotionCode: code }, { onSuccess: renew });
    };
    newest.current = { priceId, secret: data?.clientSecret, checkSecret };
  }, [ask, begin, wantsFocus, priceId, code, data]);
  const placeAt = (address: TaxAddress) => {
    newPlace.current = address;
    begin();
  };
  const answer = (checkout: Checkout) => ({
    checkout,
    begin,
    placeAt,
    move: () => setIsMoving(true),
    promotion,
  });
  useEffect(begin, [begin]);

  const isSubscribed = data !== undefined && data.clientSecret === undefined;
  useEffect(() => {
    if (!isSubscribed) return;
    forgetSubscription(client);
    void refreshMe(client);
  }, [client, isSubscribed]);

  const isRefused = isError && error instanceof ApiError && error.code === 'PROMOTION_REFUSED';
  const { refuse } = promotion;
  useEffect(() => {
    if (isRefused && variables) refuse(error, variables);
  }, [isRefused, refuse, error, variables]);

  if (isIdle || isPending || isRefused || variables.priceId !== priceId)
    return answer({ state: 'preparing' });
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
    discount: data.promotion,
  });
}

/** Keeps the code that is used, which the server has accepted for the price of then; `onRefused`: another one was not. */
function usePromotion(priceId: string | undefined, onRefused: () => void) {
  const wantsFocus = useRef(false);
  const [code, setCode] = useState<string>();
  const [typed, setTyped] = useState('');
  const [lost, setLost] = useState<{ reason: unknown; priceId: string } | null>(null);
  const { mutate, error, isPending, reset, variables } = useBeginSubscription();
  const refuse = useCallback((reason: unknown, tried: BeginSubscription) => {
    setLost({ reason, priceId: tried.priceId });
    setTyped(tried.promotionCode ?? '');
    setCode(undefined);
  }, []);
  const start = (next: string | undefined) => {
    reset();
    setLost(null);
    setTyped('');
    setCode(next);
    wantsFocus.current = true;
  };
  return {
    code,
    typed,
    type: setTyped,
    wantsFocus,
    /** It can't be used any more, or not for another price. */
    refuse,
    apply: (promotionCode: string) => {
      setLost(null);
      if (priceId === undefined) return;
      const refused = () => {
        wantsFocus.current = true;
        onRefused();
      };
      mutate({ priceId, promotionCode }, { onSuccess: () => start(promotionCode), onError: refused });
    },
    remove: () => start(undefined),
    isTrying: isPending,
    problem:
      (variables?.priceId === priceId ? error : null) ??
      (lost && lost.priceId === priceId ? lost.reason : null),
  };
}
