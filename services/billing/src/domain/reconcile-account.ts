import type { Billing } from './billing.ts';
import { isOver } from './entitlement.ts';
import { addressOf } from './proven-address.ts';
import { ProviderRefusal } from './provider.ts';
import { abandonChange, reconcile } from './reconcile.ts';
import type { Account } from './store.ts';

/**
 * Reconciles a user's account with the provider, and its customer with the user's name and address, or closes the customer of a deleted user.
 * @throws AppError PAYMENTS_UNAVAILABLE
 */
export async function reconcileAccount(billing: Billing, userId: string): Promise<void> {
  const work = async () => {
    const account = await billing.store.find(userId);
    if (!account) return;
    if (account.deleted) await closeCustomer(billing, account);
    else if (account.customerId) {
      await reconcile(billing, account, account.customerId);
      if (account.contactChanged) await updateContact(billing, account, account.customerId);
    }
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
  };
  // The user's own requests must not delay it.
  await billing.store.withUserLock(userId, work, { skipQueue: true });
}

/**
 * Identity is asked for the address: events come in any order, and this is the one that counts now. After a failure the next
 * reconcile tries again; what the provider refuses it would refuse again.
 */
async function updateContact(
  { provider, services, store, logger }: Billing,
  account: Account,
  customerId: string,
): Promise<void> {
  try {
    const email = await addressOf(services, account.userId);
    // A deleted account: its customer is removed with its event.
    if (email === undefined) return;
    await provider.updateCustomer(customerId, { email, name: account.name }).catch((error: unknown) => {
      if (!(error instanceof ProviderRefusal && error.isOfRequest)) throw error;
    });
    await store.saveContact(account, email);
  } catch (error) {
    logger.warn({ err: error }, 'reconcile accounts: name and address of the customer stay, will retry');
  }
}

/** Ends all charges and removes the personal data at the provider. Idempotent. */
async function closeCustomer({ provider, store }: Billing, account: Account): Promise<void> {
  const { userId, customerId, customerAskedMs } = account;
  const customers = customerAskedMs === null ? [] : await provider.findCustomers(userId, customerAskedMs);
  if (customerId) customers.push(customerId);
  for (const customerId of customers) {
    const { subscriptions } = await provider.stateOf(customerId);
    for (const subscription of subscriptions) {
      await abandonChange(provider, subscription);
      if (isOver(subscription)) continue;
      await provider.endSubscription(subscription.id);
    }
    await provider.removeCustomer(customerId);
  }
  await store.close(userId);
}
