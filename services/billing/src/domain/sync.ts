import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type Billing, type Subscriber, withAccount } from './billing.ts';
import { reconcile } from './reconcile.ts';
import { type Standing, standingOf } from './show-subscription.ts';

/**
 * Reconciles the caller's account with the provider and returns its standing.
 * @throws AppError SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export async function sync(billing: Billing, { userId, tier }: Subscriber): Promise<Standing> {
  const known = await billing.store.find(userId);
  if (!known?.customerId) return standingOf(known, tier);
  return withAccount(billing, userId, async (account) => {
    const after = account.customerId
      ? (await reconcile(billing, account, account.customerId)).account
      : account;
    return standingOf(after, tier);
  });
}

const INTENT = /^(?:pi|seti)_/;

/**
 * Reads the intent and the subscription from the provider: the browser's claim is not trusted.
 * @throws AppError NOT_FOUND unless the intent is the user's own, SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export async function confirmPayment(
  billing: Billing,
  subscriber: Subscriber,
  intentId: string,
): Promise<Standing & { paymentStatus: string; trialOver?: true }> {
  const { store, provider } = billing;
  const account = await store.find(subscriber.userId);
  const intent = account?.customerId && INTENT.test(intentId) ? await provider.intent(intentId) : undefined;
  if (!intent || intent.customerId !== account?.customerId) {
    throw new AppError('NOT_FOUND', 'no-such-payment');
  }
  const standing = await sync(billing, subscriber);
  const isCard = intentId.startsWith('seti_') && intent.status === 'succeeded';
  const isTooLate = isCard && standing.tier === 'free' && !standing.trialRefused;
  return { ...standing, paymentStatus: intent.status, ...(isTooLate ? { trialOver: true as const } : {}) };
}
