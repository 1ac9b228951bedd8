import type { Billing, Subscriber } from './billing.ts';
import { withAccount } from './billing.ts';
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
