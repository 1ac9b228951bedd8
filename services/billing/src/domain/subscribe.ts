import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Billing, Subscriber } from './billing.ts';
import { withAccount } from './billing.ts';
import { awaitsCard, currentSubscription, entitlementOf, isOver } from './entitlement.ts';
import { keep, readState } from './look.ts';
import {
  type Confirmation,
  CustomerGone,
  ProviderRefusal,
  type ProviderState,
  type ProviderSubscription,
} from './provider.ts';
import { type Standing, standingOf } from './show-subscription.ts';
import type { Account } from './store.ts';
import { paymentsUnavailable } from './unavailable.ts';

const DAY_MS = 86_400_000;
/** A trial that was begun and left without a card gets its whole length again when it is taken up later than this. */
const TRIAL_SLACK_MS = 3_600_000;

/** Without a confirmation there is nothing to pay: the user is subscribed. */
export type Subscribing = Standing & { confirmation: Confirmation | undefined };

/**
 * Begins a subscription, or takes up the one that was begun, so that there is never a second. Whatever ended a former
 * try half-way, the provider is asked first what there is.
 * @throws AppError SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export function subscribe(billing: Billing, subscriber: Subscriber, priceId: string): Promise<Subscribing> {
  return withAccount(billing, subscriber.userId, async (account) => {
    if (subscriber.tier === 'pro' && account.announced === null && !account.entitlement) {
      // Pro by other means than a subscription: there is nothing to sell.
      return { ...standingOf(account, subscriber.tier), confirmation: undefined };
    }
    const { subscription, state } = await subscribeOnce(billing, account, subscriber, priceId);
    const after = await keep(billing, account, state);
    return { ...standingOf(after, subscriber.tier), confirmation: confirmationOf(subscription) };
  });
}

interface Outcome {
  subscription: ProviderSubscription;
  state: ProviderState;
}

async function subscribeOnce(
  billing: Billing,
  account: Account,
  subscriber: Subscriber,
  priceId: string,
): Promise<Outcome> {
  const customerId = account.customerId ?? (await createCustomer(billing, account, subscriber));
  const state = await readState(billing, customerId);
  const current = currentSubscription(state.subscriptions);
  const found =
    current && !isOver(current) ? await takeUp(billing, customerId, state, current, priceId) : undefined;
  return found ?? create(billing, account, customerId, state, priceId);
}

/** Undefined when the one that was begun has been put away and a new one is to be made. */
async function takeUp(
  billing: Billing,
  customerId: string,
  state: ProviderState,
  current: ProviderSubscription,
  priceId: string,
): Promise<Outcome | undefined> {
  const { provider } = billing;
  const samePrice = current.price.id === priceId;
  if (awaitsCard(current)) {
    const trialEndsMs = renewedTrial(billing, current);
    if (samePrice && trialEndsMs === undefined) return { subscription: current, state };
    const changed = await provider.changeTrial(current, { priceId, trialEndsMs });
    return { subscription: changed, state: withSubscription(state, changed) };
  }
  if (current.status === 'paused') {
    await provider.endSubscription(current.id);
    return undefined;
  }
  if (current.status !== 'incomplete' || samePrice) return { subscription: current, state };
  // The invoice first: one that has been paid at this very moment can't be voided, and then the subscription stays.
  const invoice = current.latestInvoice;
  if (invoice && !(await provider.voidInvoice(invoice.id))) {
    const now = await readState(billing, customerId);
    const paid = currentSubscription(now.subscriptions);
    if (paid && !isOver(paid)) return { subscription: paid, state: now };
  }
  await provider.endSubscription(current.id);
  return undefined;
}

function renewedTrial(
  { clock, trialDays }: Billing,
  { trialEndsMs }: ProviderSubscription,
): number | undefined {
  const wholeMs = clock.nowMs() + trialDays * DAY_MS;
  return trialEndsMs !== null && trialEndsMs < wholeMs - TRIAL_SLACK_MS ? wholeMs : undefined;
}

async function create(
  billing: Billing,
  account: Account,
  customerId: string,
  state: ProviderState,
  priceId: string,
): Promise<Outcome> {
  const { provider, store, clock, graceMs, trialDays } = billing;
  const seen = entitlementOf(state, { nowMs: clock.nowMs(), graceMs });
  const newest = [...state.subscriptions].sort((a, b) => b.createdMs - a.createdMs)[0];
  const subscription = await countingRefusals(billing, account, () =>
    provider.createSubscription({
      userId: account.userId,
      customerId,
      priceId,
      trialDays: account.trialUsed || seen?.trialUsed ? 0 : trialDays,
      // The same for whoever has seen the same: when an answer was lost, the next try gets that answer.
      idempotencyKey: `casewatch-subscription-${customerId}-${newest?.id ?? 'first'}-${account.attempt}`,
    }),
  ).catch(async (error: unknown) => {
    if (!(error instanceof CustomerGone)) throw error;
    await store.saveCustomer(account.userId, null, clock.nowMs());
    await store.countAttempt(account.userId);
    throw paymentsUnavailable(error);
  });
  return { subscription, state: withSubscription(state, subscription) };
}

/** Kept before anything is made for it, so that whatever is made is found again. */
async function createCustomer(billing: Billing, account: Account, { name }: Subscriber): Promise<string> {
  const { provider, store, clock } = billing;
  const { userId, email, attempt } = account;
  const customerId = await countingRefusals(billing, account, () =>
    provider.createCustomer({
      userId,
      email,
      name: account.name ?? name,
      idempotencyKey: `casewatch-customer-${userId}-${attempt}`,
    }),
  );
  await store.saveCustomer(userId, customerId, clock.nowMs());
  return customerId;
}

/** After a refusal the next try goes under another key: under the same one it would only get the same answer. */
async function countingRefusals<T>(
  { store }: Billing,
  { userId }: Account,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    await store.countAttempt(userId);
    throw paymentsUnavailable(error);
  }
}

function withSubscription(state: ProviderState, subscription: ProviderSubscription): ProviderState {
  const others = state.subscriptions.filter(({ id }) => id !== subscription.id);
  return { ...state, subscriptions: [...others, subscription] };
}

/** What the browser has to confirm: the card of a trial, the first payment, or one that has failed. */
function confirmationOf(subscription: ProviderSubscription): Confirmation | undefined {
  const { setup, latestInvoice, status } = subscription;
  if (awaitsCard(subscription)) {
    return setup?.clientSecret ? { clientSecret: setup.clientSecret, intent: 'setup' } : undefined;
  }
  const wantsPayment = status === 'incomplete' || status === 'past_due' || status === 'unpaid';
  if (!wantsPayment || latestInvoice?.status !== 'open' || !latestInvoice.clientSecret) return undefined;
  return { clientSecret: latestInvoice.clientSecret, intent: 'payment' };
}

/** @throws AppError NOT_FOUND unless the price is offered */
export function requireOffered(offered: readonly { id: string }[], priceId: string): void {
  if (offered.some(({ id }) => id === priceId)) return;
  throw new AppError('NOT_FOUND', 'This price is not offered any more. Reload the page and choose again.');
}
