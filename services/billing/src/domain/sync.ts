import type { Billing, Subscriber } from './billing.ts';
import { withAccount } from './billing.ts';
import { look } from './look.ts';
import { type Standing, standingOf } from './show-subscription.ts';

/**
 * Brings what is kept of the user in line with the provider.
 * @throws AppError SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export async function sync(billing: Billing, { userId, tier }: Subscriber): Promise<Standing> {
  const known = await billing.store.find(userId);
  if (!known?.customerId) return standingOf(known, tier);
  return withAccount(billing, userId, async (account) => {
    const after = account.customerId ? (await look(billing, account, account.customerId)).account : account;
    return standingOf(after, tier);
  });
}
