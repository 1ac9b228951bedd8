import { normalizedAddress } from '@casewatch/service-kit/http/normalized-address';
import type { Billing } from './billing.ts';
import { awaitsCard, type Entitlement } from './entitlement.ts';
import { addressOf } from './proven-address.ts';
import type { ProviderSubscription } from './provider.ts';
import type { Account, TrialMark } from './store.ts';

/**
 * Returns whether a subscription that is begun now may begin with a trial, as far as is known without a card; `taken`: the address or an
 * earlier card of the account has had another one. While that can't be found out there is none.
 */
export async function trialChance(
  { trials, trialDays }: Pick<Billing, 'trials' | 'trialDays'>,
  { userId, trialUsed, trialRefused }: Pick<Account, 'userId' | 'trialUsed' | 'trialRefused'>,
  email: string | null,
): Promise<'offered' | 'taken' | 'none'> {
  if (trialDays === 0 || trialUsed) return 'none';
  if (trialRefused) return 'taken';
  const isTaken = email !== null && (await trials.isTaken(userId, addressMark(email)));
  if (isTaken === undefined) return 'none';
  return isTaken ? 'taken' : 'offered';
}

/**
 * Returns whether a trial whose card is confirmed may continue. The first time it claims the user's address and the card: of two accounts with
 * the same card that confirm it at once, one gets the trial. A payer that the provider can't recognize gets none.
 */
export async function keepsTrial(
  { trials, services, clock }: Billing,
  { userId, entitlement, refusedSubscriptionId }: Account,
  subscription: ProviderSubscription,
): Promise<boolean> {
  const { id: subscriptionId, payer } = subscription;
  if (!subscription.isFirstTrial || subscription.status !== 'trialing' || awaitsCard(subscription))
    return true;
  if (subscriptionId === refusedSubscriptionId) return false;
  if (hasCounted(entitlement, subscriptionId) || (await trials.has(userId, subscriptionId))) return true;
  const email = await addressOf(services, userId);
  if (email === undefined || payer === null) return false;
  const marks = [addressMark(email), { kind: 'payer' as const, value: payer }];
  return trials.claim({ userId, subscriptionId, nowMs: clock.nowMs() }, marks);
}

function hasCounted(
  entitlement: Pick<Entitlement, 'subscriptionId' | 'tier'> | undefined,
  subscriptionId: string,
): boolean {
  return entitlement?.subscriptionId === subscriptionId && entitlement.tier === 'pro';
}

function addressMark(email: string): TrialMark {
  return { kind: 'address', value: normalizedAddress(email) };
}
