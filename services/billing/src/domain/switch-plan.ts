import type { SwitchPreview } from '@casewatch/contracts/switch-plan';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type Billing, noSubscription, type Subscriber, withAccount } from './billing.ts';
import { currentSubscription } from './entitlement.ts';
import {
  CardDeclined,
  type IntentFacts,
  type PlanPrice,
  ProviderRefusal,
  type ProviderSubscription,
  paymentsUnavailable,
  type SwitchConfirmation,
} from './provider.ts';
import { abandonChange, type Reconciled, reconcile } from './reconcile.ts';
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
      ...(subscription.taxed ? { taxed: true } : {}),
      ...(subscription.promotionId ? { discounted: true } : {}),
    };
  });
}

/** Without a confirmation it is done, or paid and about to be. */
export interface Switching {
  account: Account;
  confirmation: SwitchConfirmation | undefined;
}

/**
 * Changes from monthly to yearly payment for the amount of the preview at `atMs`, once that is paid: the card's bank may want the payer to
 * authenticate it first. Until then the monthly plan stays; another try makes the payment of an earlier one useless. Idempotent.
 * @throws AppError CARD_DECLINED, NO_SUBSCRIPTION, VALIDATION, SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export function switchToYearly(
  billing: Billing,
  { userId }: Subscriber,
  { offered, atMs }: { offered: readonly PlanPrice[]; atMs: number },
): Promise<Switching> {
  return withAccount(billing, userId, async (account) => {
    const price = yearlyOf(offered);
    const before = await withoutChange(billing, await read(billing, account));
    if (before.account.entitlement?.tier === 'pro' && before.account.entitlement.price.id === price.id)
      return { account: before.account, confirmation: undefined };
    const { subscription } = switchable(before);
    // Its payment is in progress, or done and the provider makes it in a moment.
    if (subscription.changePending && subscription.latestInvoice?.status !== 'void')
      return { account: before.account, confirmation: undefined };
    const nowMs = billing.clock.nowMs();
    // What was paid of a period before this one can't be counted any more.
    if (atMs > nowMs || atMs < Math.max(nowMs - PREVIEW_LASTS_MS, subscription.periodStartsMs)) {
      throw new AppError('VALIDATION', 'amount-changed');
    }
    let confirmation: SwitchConfirmation | undefined;
    try {
      if (subscription.status === 'trialing')
        await billing.provider.changeTrial(subscription, { priceId: price.id, trialEndsMs: undefined });
      else {
        const changed = await billing.provider.switchPrice(subscription, { priceId: price.id, atMs });
        if (changed.changePending) confirmation = await confirmationOf(billing, changed);
      }
    } catch (error) {
      if (error instanceof ProviderRefusal) throw paymentsUnavailable(error);
      if (!(error instanceof CardDeclined)) throw error;
      throw new AppError('CARD_DECLINED', 'CARD_DECLINED', { cause: error });
    }
    return { account: (await read(billing, before.account)).account, confirmation };
  });
}

/** Abandons an earlier change that waits for its payment: what another tab shows of it can't be paid beside this one. */
async function withoutChange(billing: Billing, before: Reconciled): Promise<Reconciled> {
  const subscription = currentSubscription(before.state.subscriptions);
  if (!subscription?.changePending || subscription.latestInvoice?.status !== 'open') return before;
  if ((await paymentOf(billing, subscription))?.status === 'processing') return before;
  await abandonChange(billing.provider, subscription);
  return read(billing, before.account);
}

/** Returns what the payer has to authenticate; undefined for a payment in progress. @throws CardDeclined, when nothing waits any more */
async function confirmationOf(
  billing: Billing,
  changed: ProviderSubscription,
): Promise<SwitchConfirmation | undefined> {
  const { clientSecret } = changed.latestInvoice ?? {};
  const intent = await paymentOf(billing, changed);
  if (clientSecret && intent?.needsAuthentication && intent.paymentMethodId !== null)
    return { clientSecret, paymentMethodId: intent.paymentMethodId };
  if (intent?.status === 'processing' || intent?.status === 'succeeded') return undefined;
  await abandonChange(billing.provider, changed);
  throw new CardDeclined(intent?.status ?? 'no payment');
}

async function paymentOf(
  { provider }: Billing,
  { latestInvoice }: ProviderSubscription,
): Promise<IntentFacts | undefined> {
  const secret = latestInvoice?.clientSecret;
  return secret ? provider.intent(secret.split('_secret_')[0] ?? '') : undefined;
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

/** Returns what can be switched. @throws AppError NO_SUBSCRIPTION, also while support has paused its payments */
function switchable({ account, state }: Reconciled): {
  customerId: string;
  subscription: ProviderSubscription;
} {
  const subscription = currentSubscription(state.subscriptions);
  const { customerId, entitlement } = account;
  // A tab that was open before the pause still offers it.
  if (entitlement?.pause && canSwitchToYearly({ ...entitlement, pause: null }))
    throw new AppError('NO_SUBSCRIPTION', 'payments-paused');
  if (!customerId || !subscription || !entitlement || !canSwitchToYearly(entitlement)) throw noSubscription();
  return { customerId, subscription };
}
