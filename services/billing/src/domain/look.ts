import { newsOf } from './announcement.ts';
import type { Billing } from './billing.ts';
import { currentSubscription, type Entitlement, entitlementOf, isOver } from './entitlement.ts';
import { nextLookMs } from './next-look.ts';
import type { ProviderState } from './provider.ts';
import type { Account } from './store.ts';
import { paymentsUnavailable } from './unavailable.ts';

/** What was seen at the provider, and the account as it is kept after it. */
export interface Look {
  account: Account;
  state: ProviderState;
}

/**
 * Asks the provider how things stand for an account that has a customer there, brings right what is not, and keeps what
 * it saw. Only while nobody else works for the user.
 * @throws AppError PAYMENTS_UNAVAILABLE, also when the account has changed meanwhile
 */
export async function look(billing: Billing, account: Account, customerId: string): Promise<Look> {
  const state = await readState(billing, customerId);
  return { account: await keep(billing, account, state), state };
}

/** How things stand, after what had to be brought right. */
export async function readState({ provider }: Billing, customerId: string): Promise<ProviderState> {
  const state = await provider.stateOf(customerId);
  return (await bringRight()) ? provider.stateOf(customerId) : state;

  /** Resolves to whether something was to be done. */
  async function bringRight(): Promise<boolean> {
    const current = currentSubscription(state.subscriptions);
    if (!current || isOver(current)) return false;
    const paid = current.latestInvoice?.paymentIntentIds ?? [];
    if (paid.some((id) => state.reversedPaymentIntentIds.has(id))) {
      await provider.endSubscription(current.id);
      return true;
    }
    const { setup, hasPaymentMethod } = current;
    if (setup?.succeeded && setup.paymentMethodId && !hasPaymentMethod) {
      await provider.usePaymentMethod(current.id, setup.paymentMethodId);
      return true;
    }
    return false;
  }
}

/** Keeps what was seen; the other services hear of it when it is news. Resolves to the account as it is then. */
export async function keep(billing: Billing, account: Account, state: ProviderState): Promise<Account> {
  const { store, clock, graceMs, pace } = billing;
  const nowMs = clock.nowMs();
  const entitlement = entitlementOf(state, { nowMs, graceMs }) ?? vanished(account, nowMs);
  const trialUsed = account.trialUsed || (entitlement?.trialUsed ?? false);
  const news = entitlement && newsOf(account.announced, entitlement);
  const kept = await store.saveLook(account, {
    entitlement,
    trialUsed,
    news,
    nextLookMs: nextLookMs(entitlement, nowMs, pace),
  });
  if (!kept) throw paymentsUnavailable(new Error('the account has changed meanwhile'));
  return (await store.find(account.userId)) ?? account;
}

/** A subscription that the provider does not know any more, as when somebody removed its customer there, is over. */
function vanished({ entitlement }: Account, nowMs: number): Entitlement | undefined {
  if (!entitlement) return undefined;
  return {
    ...entitlement,
    status: 'canceled',
    tier: 'free',
    createdMs: nowMs,
    graceEndsMs: null,
    trialEndsMs: null,
    paymentFailed: false,
    awaitsCard: false,
  };
}
