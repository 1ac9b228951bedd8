import type { createSubscription, getBillingConfig, Subscription } from '@casewatch/contracts/billing';
import type { User } from '@casewatch/contracts/identity';
import type { AnswerOf, Sent } from '@casewatch/contracts/route-contract';
import type { switchToYearly } from '@casewatch/contracts/switch-plan';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { refreshMe } from './session.ts';
import { meQueryKey, readUnlessSignedOut } from './user-data.ts';

export type BillingConfig = AnswerOf<typeof getBillingConfig>;
export type TaxAddress = NonNullable<NonNullable<Sent<(typeof createSubscription)['body']>>['address']>;
export type BeginSubscription = {
  priceId: string;
  address?: TaxAddress | undefined;
  promotionCode?: string | undefined;
};
/** What is taken off the price. */
export type Discount = NonNullable<AnswerOf<typeof createSubscription>['promotion']>;
export type Switched = AnswerOf<typeof switchToYearly>;

const invoicesQueryKey = ['billing', 'invoices'] as const;
const subscriptionQueryKey = ['billing', 'subscription'] as const;

/** Returns what Pro costs. A failure is written to the console, since a user cannot act on it. */
export function usePrices() {
  return useQuery({
    queryKey: ['billing', 'prices'],
    queryFn: async ({ signal }) => {
      try {
        return await callApi(endpoints.listPrices, { signal });
      } catch (error) {
        if (!signal.aborted) console.error('The prices could not be loaded', error);
        throw error;
      }
    },
  });
}

/** Returns what the browser needs to take a payment. */
export function readBillingConfig(signal?: AbortSignal): Promise<BillingConfig> {
  return callApi(endpoints.getBillingConfig, signal ? { signal } : {});
}

/** Returns how many days a first subscription is free; undefined while that is not known. */
export function useTrialDays(): number | undefined {
  return useBillingConfig().data?.trialDays;
}

/** Returns whether Pro can be bought on this site; until the server has answered, it is taken to be. */
export function useOffersPro(): boolean {
  return useBillingConfig().data?.offered ?? true;
}

/** Returns whether prices are without the tax that comes on top. */
export function useAddsTax(): boolean {
  return useBillingConfig().data?.tax === 'exclusive';
}

/** Returns whether promotion codes are taken. */
export function useTakesPromotionCodes(): boolean {
  return useBillingConfig().data?.promotionCodes ?? false;
}

function useBillingConfig() {
  return useQuery({
    queryKey: ['billing', 'config'],
    queryFn: ({ signal }) => readBillingConfig(signal),
  });
}

/** Returns the subscription of the signed-in user; null when the session has ended. A screen that shows it alone reads it anew. */
export function useSubscription({ fresh = false } = {}) {
  return useQuery({
    queryKey: subscriptionQueryKey,
    queryFn: async ({ client, signal }) => {
      const subscription = await readUnlessSignedOut(client, () =>
        callApi(endpoints.getSubscription, { signal }),
      );
      if (subscription !== null) followTier(client, subscription);
      return subscription;
    },
    ...(fresh ? { refetchOnMount: 'always' as const } : {}),
  });
}

/** Begins to subscribe for a price, or takes up what was begun. Several are sent one after the other: the last one counts. */
export function useBeginSubscription() {
  return useMutation({
    scope: { id: 'begin subscription' },
    mutationFn: (body: BeginSubscription) => callApi(endpoints.createSubscription, { body }),
  });
}

/** What the user has after the payment provider was asked; undefined and null where there was no answer. */
export interface Standing {
  tier: User['tier'] | undefined;
  status: Subscription['status'];
  trialRefused: boolean;
}

/** Makes the server ask the payment provider how things stand, then shows the user as they are now. */
export async function syncSubscription(client: QueryClient): Promise<Standing> {
  // The provider's own messages bring the tier as well: without an answer, what the user is now counts.
  const answer = await callApi(endpoints.createSubscription, { body: {} }).catch(() => undefined);
  forgetSubscription(client);
  return {
    tier: (await refreshMe(client))?.tier,
    status: answer?.status ?? null,
    trialRefused: answer?.trialRefused ?? false,
  };
}

/** Makes the server ask the payment provider, and shows the subscription as it is then; undefined where there was no answer. */
export async function readSubscriptionAnew(client: QueryClient): Promise<Subscription | undefined> {
  try {
    await callApi(endpoints.createSubscription, { body: {} });
    const subscription = await callApi(endpoints.getSubscription);
    showSubscription(client, subscription);
    return subscription;
  } catch {
    return undefined;
  }
}

/** The state of a payment or of a trial's card as the server sees it. */
export interface Confirmed {
  paymentStatus: string;
  /** There is no trial after all, and nothing was charged. */
  trialRefused: boolean;
  /** The card was confirmed when its trial had ended: there is no Pro, and nothing was charged. */
  trialOver: boolean;
}

/** Reports a payment or card confirmed in the browser to the server. */
export async function confirmPayment(intentId: string): Promise<Confirmed> {
  const answer = await callApi(endpoints.confirmPayment, { body: { paymentIntentId: intentId } });
  const { paymentStatus, trialRefused = false, trialOver = false } = answer;
  return { paymentStatus, trialRefused, trialOver };
}

/** Returns the subscription as far as it is known, without asking for it. */
export function knownSubscription(client: QueryClient): Subscription | null | undefined {
  return client.getQueryData(subscriptionQueryKey);
}

/** Forgets what was read of the subscription. */
export function forgetSubscription(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: subscriptionQueryKey });
}

/** Reads the plan anew after it has changed at the server: what was read of it, and of the user's tier, is out of date. */
export function refreshPlan(client: QueryClient): void {
  forgetSubscription(client);
  void refreshMe(client);
}

export function useCancelSubscription() {
  return useMutation({
    mutationFn: () => callApi(endpoints.cancelSubscription),
    onSuccess: (subscription, _none, _result, { client }) => showSubscription(client, subscription),
    onError: (_error, _none, _result, { client }) => forgetSubscription(client),
  });
}

export function useResumeSubscription() {
  return useMutation({
    mutationFn: () => callApi(endpoints.resumeSubscription),
    onSuccess: (subscription, _none, _result, { client }) => showSubscription(client, subscription),
    onError: (_error, _none, _result, { client }) => forgetSubscription(client),
  });
}

/** Returns what a change to yearly payment costs now; read anew each time that it is asked for. */
export function useSwitchPreview(enabled: boolean) {
  return useQuery({
    queryKey: ['billing', 'switch'],
    queryFn: ({ signal }) => callApi(endpoints.previewSwitch, { signal }),
    enabled,
    gcTime: 0,
    staleTime: 0,
  });
}

export function useSwitchToYearly() {
  return useMutation({
    mutationFn: (at: string) => callApi(endpoints.switchToYearly, { body: { at } }),
    onSuccess: (
      { clientSecret: _secret, paymentMethodId: _method, ...subscription },
      _at,
      _result,
      { client },
    ) => showSubscription(client, subscription),
    onError: (_error, _at, _result, { client }) => forgetSubscription(client),
  });
}

/** Returns the newest invoices of the signed-in user. */
export function useInvoices(enabled = true) {
  return useQuery({
    queryKey: invoicesQueryKey,
    queryFn: ({ signal }) => callApi(endpoints.listInvoices, { signal }),
    enabled,
  });
}

/** Returns whether the plan, its invoices and the offer have been answered, or refused; once they are, what stands below them stays. */
export function useIsPlanAnswered(): boolean {
  const config = useBillingConfig();
  const { data: subscription, isFetched } = useSubscription();
  const hasInvoices = Boolean(subscription?.status);
  const invoices = useInvoices(hasInvoices);
  const isAnswered = config.isFetched && isFetched && (!hasInvoices || invoices.isFetched);
  const [wasAnswered, setWasAnswered] = useState(isAnswered);
  if (isAnswered && !wasAnswered) setWasAnswered(true);
  return isAnswered || wasAnswered;
}

/** Gives the address of the payment provider's page for card and invoices. */
export function useOpenPortal() {
  return useMutation({ mutationFn: () => callApi(endpoints.openBillingPortal) });
}

function showSubscription(client: QueryClient, subscription: Subscription): void {
  client.setQueryData<Subscription | null>(subscriptionQueryKey, subscription);
  void client.invalidateQueries({ queryKey: invoicesQueryKey });
  followTier(client, subscription);
}

/** The billing service knows first when Pro begins or ends. */
function followTier(client: QueryClient, { tier }: Subscription): void {
  const user = client.getQueryData<User | null>(meQueryKey);
  if (user && user.tier !== tier) void refreshMe(client);
}
