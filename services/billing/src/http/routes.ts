import * as contract from '@casewatch/contracts/billing';
import type { AnswerOf } from '@casewatch/contracts/route-contract';
import * as switchContract from '@casewatch/contracts/switch-plan';
import { type Route, type RouteInput, route } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type Billing, noSubscription } from '../domain/billing.ts';
import { changeRenewal } from '../domain/change-renewal.ts';
import type { PriceList } from '../domain/price-list.ts';
import { promotionRefused } from '../domain/promotion.ts';
import { requireProvenAddress } from '../domain/proven-address.ts';
import { paymentsOff } from '../domain/provider.ts';
import { orWithoutCustomer } from '../domain/reconcile.ts';
import { showSubscription, toPrice } from '../domain/show-subscription.ts';
import type { Account, ProviderEvent, Store } from '../domain/store.ts';
import { requireOffered, subscribe } from '../domain/subscribe.ts';
import { previewSwitch, switchToYearly } from '../domain/switch-plan.ts';
import { confirmPayment, sync } from '../domain/sync.ts';
import { trialChance } from '../domain/trial.ts';
import type { PromotionGuesses } from './promotion-guesses.ts';

/** The dependencies of the routes that need a configured provider. */
export interface Payments {
  readonly billing: Billing;
  readonly prices: PriceList;
  readonly browser: AnswerOf<typeof contract.getBillingConfig>;
  readonly portalReturnUrl: string;
  /** Undefined where promotion codes are not taken. */
  readonly guesses: PromotionGuesses | undefined;
  /** Undefined without a signing secret. */
  readonly readEvent:
    | ((body: Uint8Array, signature: string | undefined) => ProviderEvent | undefined)
    | undefined;
  /** Starts the job's next pass now instead of at its next poll. */
  notify(): void;
}

/** Whether a trial is promised. */
async function isTrialOffered(
  account: Account | undefined,
  payments: Payments | undefined,
): Promise<boolean> {
  if (!payments || payments.browser.trialDays === 0) return false;
  if (!account) return true;
  return (await trialChance(payments.billing, account, account.email)) === 'offered';
}

/** What browsers get without a provider: nothing is for sale. */
const NOT_OFFERED: Payments['browser'] = {
  offered: false,
  publishableKey: '',
  scriptUrl: null,
  testPayments: false,
  trialDays: 0,
  tax: null,
  promotionCodes: false,
};

/** Maps contracts to use cases. Without a provider nothing is offered, and the stored subscription is still shown. */
export function createRoutes(store: Store, clock: Clock, payments: Payments | undefined): Route[] {
  const required = (): Payments => {
    if (!payments) throw paymentsOff();
    return payments;
  };
  const show = async (
    account: Account | undefined,
    { tier }: RouteInput<typeof contract.getSubscription>['caller'],
  ) => ({
    body: showSubscription(account, {
      callerTier: tier,
      nowMs: clock.nowMs(),
      mayHaveTrial: await isTrialOffered(account, payments),
      offered: (await payments?.prices.lastKnown()) ?? [],
    }),
  });

  return [
    route(contract.listPrices, async () => ({
      body: payments?.browser.offered ? (await payments.prices.offered()).map(toPrice) : [],
    })),

    route(contract.getBillingConfig, async () => ({ body: payments?.browser ?? NOT_OFFERED })),

    route(contract.getSubscription, async ({ caller }) => show(await store.find(caller.userId), caller)),

    route(contract.createSubscription, async ({ caller, body: { priceId, address, promotionCode } }) => {
      const { billing, prices, browser, guesses } = required();
      if (priceId === undefined) return { body: await sync(billing, caller) };
      if (!browser.offered) throw paymentsOff();
      requireOffered(await prices.offered(), priceId);
      const email =
        caller.tier === 'free' ? await requireProvenAddress(billing.services, caller.userId) : undefined;
      const begin = () => subscribe(billing, { ...caller, email, place: address, promotionCode }, priceId);
      if (promotionCode && !guesses) throw promotionRefused();
      const { confirmation, ...standing } =
        promotionCode && guesses ? await guesses(caller.userId, begin) : await begin();
      return { body: { ...standing, ...confirmation } };
    }),

    route(contract.confirmPayment, async ({ caller, body }) => ({
      body: await confirmPayment(required().billing, caller, body.paymentIntentId),
    })),

    route(contract.cancelSubscription, async ({ caller }) =>
      show(await changeRenewal(required().billing, caller, 'cancel'), caller),
    ),

    route(contract.resumeSubscription, async ({ caller }) =>
      show(await changeRenewal(required().billing, caller, 'resume'), caller),
    ),

    route(switchContract.previewSwitch, async ({ caller }) => {
      const { billing, prices } = required();
      return { body: await previewSwitch(billing, caller, await prices.offered()) };
    }),

    route(switchContract.switchToYearly, async ({ caller, body }) => {
      const { billing, prices } = required();
      const choice = { offered: await prices.offered(), atMs: Date.parse(body.at) };
      const { account, confirmation } = await switchToYearly(billing, caller, choice);
      return { body: { ...(await show(account, caller)).body, ...confirmation } };
    }),

    route(contract.listInvoices, async ({ caller }) => {
      const { billing } = required();
      const account = await store.find(caller.userId);
      if (!account?.customerId || account.deleted) return { body: [] };
      const invoices = billing.provider.listInvoices(account.customerId);
      return { body: await orWithoutCustomer(billing, account, invoices, []) };
    }),

    route(contract.openBillingPortal, async ({ caller }) => {
      const { billing, portalReturnUrl } = required();
      const account = await store.find(caller.userId);
      if (!account?.customerId || account.deleted) throw noSubscription();
      const opened = billing.provider.openPortal(account.customerId, portalReturnUrl);
      const url = await orWithoutCustomer(billing, account, opened, undefined);
      if (url === undefined) throw noSubscription();
      return { body: { url } };
    }),

    route(contract.receiveStripeEvent, async ({ request: { rawBody, signature } }) => {
      const { readEvent, notify } = required();
      if (!readEvent) throw paymentsOff();
      const event = readEvent(rawBody ?? new Uint8Array(), signature);
      if (event && (await store.saveEvent(event, clock.nowMs()))) notify();
      return { body: { received: true as const } };
    }),
  ];
}
