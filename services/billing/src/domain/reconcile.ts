import type { Billing } from './billing.ts';
import { changesToPublish } from './changes-to-publish.ts';
import { currentSubscription, type Entitlement, entitlementOf, isOver } from './entitlement.ts';
import { nextReconcileMs } from './next-reconcile.ts';
import { planMilestones } from './plan-milestones.ts';
import {
  CardDeclined,
  CustomerNotFound,
  type Provider,
  ProviderRefusal,
  type ProviderState,
  type ProviderSubscription,
  paymentsUnavailable,
} from './provider.ts';
import type { Account } from './store.ts';
import { keepsTrial } from './trial.ts';

/** The state at the provider, and the account as saved after it. */
export interface Reconciled {
  account: Account;
  state: ProviderState;
}

/**
 * Reads the state of the account's customer from the provider, repairs it where needed, and saves it. Requires the
 * user's lock.
 * @throws AppError PAYMENTS_UNAVAILABLE, also when the account has changed in the meantime
 */
export async function reconcile(billing: Billing, account: Account, customerId: string): Promise<Reconciled> {
  const state = await readState(billing, account, customerId);
  return { account: await save(billing, account, state), state };
}

/**
 * Returns what the provider answers about the account's customer, or `none` where it knows no such customer and nothing is paid for any more.
 * While something is, the key is rather that of another account or mode: nothing ends by it, and nothing is sold a second time.
 * @throws AppError PAYMENTS_UNAVAILABLE
 */
export async function orWithoutCustomer<T>(
  { clock, graceMs, logger }: Billing,
  { entitlement, customerId }: Account,
  answer: Promise<T>,
  none: T,
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CustomerNotFound)) throw error;
    logger.warn({ customerId }, 'billing: customer unknown to the payment provider');
    const isPaid = entitlement?.tier === 'pro' && clock.nowMs() < entitlement.periodEndsMs + graceMs;
    if (isPaid) throw paymentsUnavailable(error);
    return none;
  }
}

/**
 * Returns the provider's state, after repairs. A trial that the account may not have is ended before it counts, and left out.
 * @throws AppError PAYMENTS_UNAVAILABLE, or UNAVAILABLE while identity can't be asked
 */
export async function readState(
  billing: Billing,
  account: Account,
  customerId: string,
): Promise<ProviderState> {
  const { provider, store } = billing;
  const { userId, refusedSubscriptionId } = account;
  const found = await orWithoutCustomer(billing, account, provider.stateOf(customerId), {
    subscriptions: [],
  });
  const state = withoutRefused(found, refusedSubscriptionId);
  const current = currentSubscription(state.subscriptions);
  // A change that is paid from now on would change nothing, also where another subscription goes on.
  for (const each of state.subscriptions) if (isOver(each)) await abandonChange(provider, each);
  if (!current || isOver(current)) {
    // A card that is confirmed from now on would begin nothing.
    const hasJustEnded = current && account.entitlement && !isOver(account.entitlement);
    if (hasJustEnded) await provider.cancelOpenSetups(customerId);
    return state;
  }
  if (!(await keepsTrial(billing, account, current))) {
    await store.refuseTrial(userId, current.id);
    await provider.endSubscription(current.id);
    return withoutRefused(await provider.stateOf(customerId), current.id);
  }
  if (!(await repair(billing, current, customerId))) return state;
  const after = await provider.stateOf(customerId);
  const isUnused = after.subscriptions.some(({ id, cardToUse }) => id === current.id && cardToUse !== null);
  if (isUnused) billing.logger.error({ customerId }, 'billing: the chosen card is not in use, will retry');
  return withoutRefused(after, refusedSubscriptionId);
}

/** Ends what was paid back, abandons a change of what was canceled, and has the card charged that the user chose. Resolves to whether there was something to do. */
async function repair(
  { provider, logger }: Billing,
  current: ProviderSubscription,
  customerId: string,
): Promise<boolean> {
  if (current.paidBack) {
    await abandonChange(provider, current);
    await provider.endSubscription(current.id);
    return true;
  }
  if (current.cancelsMs !== null && (await abandonChange(provider, current))) return true;
  if (current.cardToUse === null) return false;
  try {
    await provider.usePaymentMethod(current.id, customerId, current.cardToUse);
  } catch (error) {
    // The account is shown as it is, without a card that the provider refuses.
    if (!(error instanceof ProviderRefusal || error instanceof CardDeclined)) throw error;
    logger.error({ err: error, customerId }, 'billing: the chosen card was refused, will retry');
  }
  return true;
}

/** Makes the payment useless that a change of the subscription waits for. False where none does, or it has just been paid. */
export async function abandonChange(
  provider: Provider,
  { changePending, latestInvoice }: ProviderSubscription,
): Promise<boolean> {
  return changePending && latestInvoice?.status === 'open' && provider.voidInvoice(latestInvoice.id);
}

/** One whose trial was refused never counts, once it is over. */
function withoutRefused(state: ProviderState, refusedId: string | null): ProviderState {
  if (refusedId === null) return state;
  return { subscriptions: state.subscriptions.filter((each) => each.id !== refusedId || !isOver(each)) };
}

/** Saves the state and publishes a change of it, and the milestones that the user is notified of. Resolves to the saved account. */
export async function save(billing: Billing, account: Account, state: ProviderState): Promise<Account> {
  const { store, clock, graceMs, schedule } = billing;
  const nowMs = clock.nowMs();
  const entitlement = entitlementOf(state, { nowMs, graceMs }) ?? removedAtProvider(account, nowMs);
  const trialUsed = account.trialUsed || (entitlement?.trialUsed ?? false);
  const change = entitlement && changesToPublish(account.published, entitlement);
  const milestones = entitlement && planMilestones(account, entitlement, nowMs);
  const saved = await store.saveReconciled(account, {
    entitlement,
    trialUsed,
    change,
    milestones: milestones?.reached ?? [],
    plan: milestones?.plan ?? account.plan,
    nextReconcileMs: nextReconcileMs(entitlement, nowMs, schedule, changingSinceMs(state)),
  });
  if (!saved) throw paymentsUnavailable(new Error('the account has changed in the meantime'));
  if (change) billing.countChange();
  return (await store.find(account.userId)) ?? account;
}

/** Since when a change of the subscription waits for its payment, or to be made after it; undefined where none does. */
function changingSinceMs({ subscriptions }: ProviderState): number | undefined {
  const current = currentSubscription(subscriptions);
  return current?.changePending ? current.latestInvoice?.finalizedMs : undefined;
}

/** A subscription that the provider no longer knows, because its customer was removed there, has ended. */
function removedAtProvider({ entitlement }: Account, nowMs: number): Entitlement | undefined {
  if (!entitlement) return undefined;
  return {
    ...entitlement,
    status: 'canceled',
    tier: 'free',
    createdMs: nowMs,
    graceEndsMs: null,
    trialEndsMs: null,
    trialReminderMs: null,
    unpaidInvoiceId: null,
    endReason: entitlement.paymentFailed ? 'payment-failed' : 'canceled',
    paymentFailed: false,
    awaitsCard: false,
    trialEndsPro: false,
    pause: null,
  };
}
