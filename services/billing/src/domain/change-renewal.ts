import type { Billing, Subscriber } from './billing.ts';
import { noSubscription, withAccount } from './billing.ts';
import { currentSubscription } from './entitlement.ts';
import { reconcile } from './reconcile.ts';
import { canCancel, canResume } from './show-subscription.ts';
import type { Account } from './store.ts';

/**
 * Cancels the subscription at the end of its period, or resumes it. Idempotent.
 * @throws AppError NO_SUBSCRIPTION, SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export function changeRenewal(
  billing: Billing,
  { userId }: Subscriber,
  action: 'cancel' | 'resume',
): Promise<Account> {
  return withAccount(billing, userId, async (account) => {
    if (!account.customerId) throw noSubscription();
    const { account: before, state } = await reconcile(billing, account, account.customerId);
    const entitlement = before.entitlement;
    const subscription = currentSubscription(state.subscriptions);
    const nowMs = billing.clock.nowMs();
    const goesOn = entitlement !== undefined && canCancel(entitlement);
    const ends = entitlement !== undefined && canResume(entitlement, nowMs);
    if (!subscription || (!goesOn && !ends)) throw noSubscription();
    if (action === 'cancel' ? ends : goesOn) return before;
    await billing.provider.setCancelAtPeriodEnd(subscription, action === 'cancel');
    return (await reconcile(billing, before, account.customerId)).account;
  });
}
