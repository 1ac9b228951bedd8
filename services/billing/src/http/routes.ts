import * as contract from '@casewatch/contracts/billing';
import type { AnswerOf } from '@casewatch/contracts/route-contract';
import { type Route, type RouteInput, route } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type Billing, noSubscription } from '../domain/billing.ts';
import { changeRenewal } from '../domain/change-renewal.ts';
import { confirmPayment } from '../domain/confirm-payment.ts';
import type { PriceList } from '../domain/price-list.ts';
import { showSubscription, toPrice } from '../domain/show-subscription.ts';
import type { Account, ProviderEvent, Store } from '../domain/store.ts';
import { requireOffered, subscribe } from '../domain/subscribe.ts';
import { sync } from '../domain/sync.ts';
import { paymentsOff } from '../domain/unavailable.ts';

/** What there is while a provider is set up. */
export interface Payments {
  readonly billing: Billing;
  readonly prices: PriceList;
  readonly browser: AnswerOf<typeof contract.getBillingConfig>;
  readonly portalReturnUrl: string;
  /** Undefined without a signing secret. */
  readonly readEvent:
    | ((body: Uint8Array, signature: string | undefined) => ProviderEvent | undefined)
    | undefined;
  /** Something is to be looked at: now is better than at the next poll. */
  wake(): void;
}

/** Contract -> use case. Without a provider what is kept is still shown. */
export function createRoutes(store: Store, clock: Clock, payments: Payments | undefined): Route[] {
  const needed = (): Payments => {
    if (!payments) throw paymentsOff();
    return payments;
  };
  const show = (
    account: Account | undefined,
    { tier }: RouteInput<typeof contract.getSubscription>['caller'],
  ) => ({
    body: showSubscription(account, {
      callerTier: tier,
      nowMs: clock.nowMs(),
      trialDays: payments?.billing.trialDays ?? 0,
    }),
  });

  return [
    route(contract.listPrices, async () => ({ body: (await needed().prices.offered()).map(toPrice) })),

    route(contract.getBillingConfig, async () => ({ body: needed().browser })),

    route(contract.getSubscription, async ({ caller }) => show(await store.find(caller.userId), caller)),

    route(contract.createSubscription, async ({ caller, body: { priceId } }) => {
      const { billing, prices } = needed();
      if (priceId === undefined) return { body: await sync(billing, caller) };
      requireOffered(await prices.offered(), priceId);
      const { confirmation, ...standing } = await subscribe(billing, caller, priceId);
      return { body: { ...standing, ...confirmation } };
    }),

    route(contract.confirmPayment, async ({ caller, body }) => ({
      body: await confirmPayment(needed().billing, caller, body.paymentIntentId),
    })),

    route(contract.cancelSubscription, async ({ caller }) =>
      show(await changeRenewal(needed().billing, caller, 'cancel'), caller),
    ),

    route(contract.resumeSubscription, async ({ caller }) =>
      show(await changeRenewal(needed().billing, caller, 'resume'), caller),
    ),

    route(contract.openBillingPortal, async ({ caller }) => {
      const { billing, portalReturnUrl } = needed();
      const account = await store.find(caller.userId);
      if (!account?.customerId || account.deleted) throw noSubscription();
      return { body: { url: await billing.provider.openPortal(account.customerId, portalReturnUrl) } };
    }),

    route(contract.receiveStripeEvent, async ({ request: { rawBody, signature } }) => {
      const { readEvent, wake } = needed();
      if (!readEvent) throw paymentsOff();
      const event = readEvent(rawBody ?? new Uint8Array(), signature);
      if (event && (await store.keepEvent(event, clock.nowMs()))) wake();
      return { body: { received: true as const } };
    }),
  ];
}
