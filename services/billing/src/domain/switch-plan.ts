import type { SwitchPreview } from '@casewatch/contracts/billing';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type Billing, noSubscription, type Subscriber, withAccount } from './billing.ts';
import { currentSubscription } from './entitlement.ts';
import {
  CardDeclined,
  type PlanPrice,
  ProviderRefusal,
  type ProviderSubscription,
  paymentsUnavailable,
} from './provider.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { canSwitchToYearly, toPrice } from './show-subscription.ts';
import type { Account } from './store.ts';

const PREVIEW_LASTS_MS = 3_600_000;

/**
 * Returns what a change from monthly to yearly payment costs now. In a trial it is nothing: the yearly price is paid when
 * the trial ends.
 * @throws AppError NO_SUBSCRIPTION, SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export function previewSwitch(
  billing: Billing,
  { userId }: Subscriber,
  offered: readonly PlanPrice[],
): Promise<SwitchPreview> {
  return withAccount(billing, userId, async (account) => {
    const price = yearlyOf(offered);
    const { customerId, subscription } = switchable(await read(billing, account));
    const atMs = Math.floor(billing.clock.nowMs() / 1000) * 1000;
    const isTrial = subscription.status === 'trialing';
    const dueNow = isTrial
      ? 0
      : await billing.provider.previewSwitch(customerId, subscription, { priceId: price.id, atMs });
    return {
      price: toPrice(price),
      at: new Date(atMs).toISOString(),
      dueNow: dueNow / 100,
      nextPaymentAt: new Date(isTrial ? subscription.periodEndsMs : yearAfter(atMs)).toISOString(),
    };
  });
}

/**
 * Changes from monthly to yearly payment for the amount of the preview at `atMs`. Idempotent.
 * @throws AppError CARD_DECLINED, NO_SUBSCRIPTION, VALIDATION, SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export function switchToYearly(
  billing: Billing,
  { userId }: Subscriber,
  { offered, atMs }: { offered: readonly PlanPrice[]; atMs: number },
): Promise<Account> {
  return withAccount(billing, userId, async (account) => {
    const price = yearlyOf(offered);
    const before = await read(billing, account);
    if (before.account.entitlement?.tier === 'pro' && before.account.entitlement.price.id === price.id)
      return before.account;
    const { subscription } = switchable(before);
    const nowMs = billing.clock.nowMs();
    // What was paid of a period before this one can't be counted any more.
    if (atMs > nowMs || atMs < Math.max(nowMs - PREVIEW_LASTS_MS, subscription.periodStartsMs)) {
      throw new AppError('VALIDATION', 'amount-changed');
    }
    try {
      if (subscription.status === 'trialing')
        await billing.provider.changeTrial(subscription, { priceId: price.id, trialEndsMs: undefined });
      else await billing.provider.switchPrice(subscription, { priceId: price.id, atMs });
    } catch (error) {
      if (error instanceof ProviderRefusal) throw paymentsUnavailable(error);
      if (!(error instanceof CardDeclined)) throw error;
      throw new AppError('CARD_DECLINED', 'CARD_DECLINED', { cause: error });
    }
    return (await read(billing, before.account)).account;
  });
}

/** As the provider counts: a year after February 29 is February 28. */
function yearAfter(ms: number): number {
  const after = new Date(ms);
  after.setUTCFullYear(after.getUTCFullYear() + 1);
  if (after.getUTCMonth() !== new Date(ms).getUTCMonth()) after.setUTCDate(0);
  return after.getTime();
}

function read(billing: Billing, account: Account): Promise<Reconciled> {
  if (!account.customerId) throw noSubscription();
  return reconcile(billing, account, account.customerId);
}

function yearlyOf(offered: readonly PlanPrice[]): PlanPrice {
  const price = offered.find(({ interval }) => interval === 'year');
  if (!price) throw noSubscription();
  return price;
}

/** Returns what can be switched. @throws AppError NO_SUBSCRIPTION */
function switchable({ account, state }: Reconciled): {
  customerId: string;
  subscription: ProviderSubscription;
} {
  const subscription = currentSubscription(state.subscriptions);
  const { customerId, entitlement } = account;
  if (!customerId || !subscription || !entitlement || !canSwitchToYearly(entitlement)) throw noSubscription();
  return { customerId, subscription };
}
