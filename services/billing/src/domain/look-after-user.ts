import type { Billing } from './billing.ts';
import { isOver } from './entitlement.ts';
import { look } from './look.ts';
import type { Account } from './store.ts';

/** Without a customer at the provider there is nothing to ask for until one is made. */
const NOTHING_TO_SEE = { entitlement: undefined, trialUsed: false, news: undefined, nextLookMs: null };

/**
 * What is done for a user in the background: bring them in line with the provider, or close what a deleted user has
 * there.
 * @throws AppError PAYMENTS_UNAVAILABLE
 */
export async function lookAfterUser(billing: Billing, userId: string): Promise<void> {
  await billing.store.alone(userId, async () => {
    const account = await billing.store.find(userId);
    if (!account) return;
    if (account.deleted) await closeCustomer(billing, account);
    else if (account.customerId) await look(billing, account, account.customerId);
    else await billing.store.saveLook(account, NOTHING_TO_SEE);
  });
}

/** Nothing is charged any more, and nothing at the provider names the person. Can be done again at any point. */
async function closeCustomer({ provider, store }: Billing, { userId, customerId }: Account): Promise<void> {
  if (customerId) {
    const { subscriptions } = await provider.stateOf(customerId);
    for (const subscription of subscriptions) {
      if (!isOver(subscription)) await provider.endSubscription(subscription.id);
    }
    await provider.removeCustomer(customerId);
  }
  await store.close(userId);
}
