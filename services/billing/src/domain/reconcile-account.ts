import type { Billing } from './billing.ts';
import { isOver } from './entitlement.ts';
import { reconcile } from './reconcile.ts';
import type { Account } from './store.ts';

/**
 * Reconciles a user's account with the provider, or closes the customer of a deleted user.
 * @throws AppError PAYMENTS_UNAVAILABLE
 */
export async function reconcileAccount(billing: Billing, userId: string): Promise<void> {
  await billing.store.withUserLock(userId, async () => {
    const account = await billing.store.find(userId);
    if (!account) return;
    if (account.deleted) await closeCustomer(billing, account);
    else if (account.customerId) await reconcile(billing, account, account.customerId);
    // Without a customer at the provider there is nothing to reconcile until one is created.
    else
      await billing.store.saveReconciled(account, {
        entitlement: undefined,
        trialUsed: false,
        change: undefined,
        milestones: [],
        plan: account.plan,
        nextReconcileMs: null,
      });
  });
}

/** Ends all charges and removes the personal data at the provider. Idempotent. */
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
