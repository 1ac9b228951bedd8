import type { Billing, Subscriber } from './billing.ts';
import { noSubscription, withAccount } from './billing.ts';
import { look } from './look.ts';
import { canCancel, canResume } from './show-subscription.ts';
import type { Account } from './store.ts';

/**
 * Lets the subscription end with the time that is paid for, or takes that back. What is already so is no error.
 * @throws AppError NO_SUBSCRIPTION, SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export function changeRenewal(
  billing: Billing,
  { userId }: Subscriber,
  wish: 'cancel' | 'resume',
): Promise<Account> {
  return withAccount(billing, userId, async (account) => {
    if (!account.customerId) throw noSubscription();
    const before = (await look(billing, account, account.customerId)).account;
    const entitlement = before.entitlement;
    const nowMs = billing.clock.nowMs();
    const goesOn = entitlement !== undefined && canCancel(entitlement);
    const ends = entitlement !== undefined && canResume(entitlement, nowMs);
    if (!entitlement || (!goesOn && !ends)) throw noSubscription();
    if (wish === 'cancel' ? ends : goesOn) return before;
    await billing.provider.setCancelAtPeriodEnd(entitlement.subscriptionId, wish === 'cancel');
    return (await look(billing, before, account.customerId)).account;
  });
}
