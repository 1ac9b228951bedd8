import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Billing, Subscriber } from './billing.ts';
import { signedOut, withAccount } from './billing.ts';
import { awaitsCard, currentSubscription, entitlementOf, isOver } from './entitlement.ts';
import { type DiscountShown, discountOf, promotionOf, promotionRefused } from './promotion.ts';
import {
  type Confirmation,
  CustomerNotFound,
  type Promotion,
  type Provider,
  ProviderRefusal,
  type ProviderState,
  type ProviderSubscription,
  paymentsUnavailable,
  type TaxPlace,
} from './provider.ts';
import { readState, save } from './reconcile.ts';
import { type Standing, standingOf } from './show-subscription.ts';
import type { Account } from './store.ts';
import { trialChance } from './trial.ts';

const DAY_MS = 86_400_000;
/** An unfinished trial without a card gets its whole length again when it is resumed later than this. */
const TRIAL_SLACK_MS = 3_600_000;

/** With the address as it is now, where that is known: the one of the sign-up may have been changed since. */
type Buyer = Subscriber & {
  email: string | undefined;
  /** Just given: it replaces that of before, and with it an amount that was computed for that. */
  place?: TaxPlace | undefined;
  /** The discount that is wanted; without one there is none. */
  promotionCode?: string | undefined;
};

/** Without a confirmation there is nothing to pay: the user is subscribed. */
export type Subscribing = Standing & {
  confirmation: Confirmation | undefined;
  /** Dollars, where it is not the price. */
  due?: { amount: number; tax?: number };
  promotion?: DiscountShown;
};

/**
 * Begins a subscription, or resumes an unfinished one, so that there is never a second. However an earlier attempt was
 * interrupted, the provider is asked first what exists.
 * @throws AppError SIGNED_OUT, ADDRESS_NEEDED, PROMOTION_REFUSED or PAYMENTS_UNAVAILABLE
 */
export function subscribe(billing: Billing, subscriber: Buyer, priceId: string): Promise<Subscribing> {
  return withAccount(billing, subscriber.userId, async (account) => {
    if (subscriber.tier === 'pro' && account.published === null && !account.entitlement) {
      // Pro by other means than a subscription: there is nothing to sell.
      return { ...standingOf(account, subscriber.tier), confirmation: undefined };
    }
    const { subscription, state, promotion } = await subscribeOnce(billing, account, subscriber, priceId);
    const after = await save(billing, account, state);
    const confirmation = confirmationOf(subscription);
    const due = confirmation && (await dueOf(billing, after.customerId, subscription));
    const shown = confirmation && promotion && subscription.promotionId === promotion.id;
    return {
      ...standingOf(after, subscriber.tier),
      confirmation,
      ...(due ? { due } : {}),
      ...(shown ? { promotion: discountOf(promotion, subscription) } : {}),
    };
  });
}

/**
 * The invoice of a renewal says itself what it takes: price, taxes and discounts may have changed since.
 * @throws AppError PROMOTION_REFUSED where a discount is over before the first payment of a trial
 */
async function dueOf(
  { provider }: Billing,
  customerId: string | null,
  subscription: ProviderSubscription,
): Promise<Subscribing['due']> {
  const { promotionId, status, taxed: isTaxed } = subscription;
  const isPrice = !isTaxed && !promotionId && (status === 'incomplete' || status === 'trialing');
  if (isPrice || customerId === null) return undefined;
  const { cents, taxCents, offCents } = await provider.dueOf(customerId, subscription);
  if (promotionId && offCents === 0 && awaitsCard(subscription))
    throw promotionRefused('promotion-not-after-trial');
  return { amount: cents / 100, ...(isTaxed ? { tax: taxCents / 100 } : {}) };
}

/** Makes sure that taxes can be computed for the customer. @throws AppError ADDRESS_NEEDED, CustomerNotFound */
async function requirePlace(
  { provider, computesTax }: Billing,
  customerId: string,
  { place }: Buyer,
): Promise<void> {
  if (!computesTax) return;
  if (place ? await provider.placeCustomer(customerId, place) : await provider.hasPlace(customerId)) return;
  throw new AppError('ADDRESS_NEEDED', place ? 'address-unknown' : 'ADDRESS_NEEDED');
}

interface Wanted {
  account: Account;
  customerId: string;
  state: ProviderState;
  priceId: string;
  promotion: Promotion | undefined;
  subscriber: Buyer;
}

interface Outcome {
  subscription: ProviderSubscription;
  state: ProviderState;
  promotion?: Promotion | undefined;
}

async function subscribeOnce(
  billing: Billing,
  account: Account,
  subscriber: Buyer,
  priceId: string,
): Promise<Outcome> {
  const customerId = account.customerId ?? (await makeCustomer(billing, account, subscriber));
  const state = await readState(billing, account, customerId);
  const promotion = await promotionOf(billing, subscriber.promotionCode, { customerId, priceId, state });
  const wanted = { account, customerId, state, priceId, promotion, subscriber };
  const current = currentSubscription(state.subscriptions);
  const found = current && !isOver(current) ? await resume(billing, { ...wanted, current }) : undefined;
  if (found) return { ...found, promotion };
  try {
    await requirePlace(billing, customerId, subscriber);
    return { ...(await create(billing, wanted)), promotion };
  } catch (error) {
    if (!(error instanceof CustomerNotFound)) throw error;
    await billing.store.saveCustomer(account.userId, null, billing.clock.nowMs());
    await billing.store.countAttempt(account.userId);
    if (account.customerId === null) throw paymentsUnavailable(error);
    const forgotten = { ...account, customerId: null, attempt: account.attempt + 1 };
    return subscribeOnce(billing, forgotten, subscriber, priceId);
  }
}

/** Undefined when the unfinished subscription has been ended and a new one is needed. */
async function resume(
  billing: Billing,
  {
    account,
    customerId,
    state,
    current,
    priceId,
    promotion,
    subscriber,
  }: Wanted & { current: ProviderSubscription },
): Promise<Outcome | undefined> {
  const { provider } = billing;
  // What is shown of an unfinished one is what is charged only with the price, discount, taxes and place of now.
  const isAsWanted =
    current.price.id === priceId &&
    current.promotionId === promotion?.id &&
    (current.taxed ?? false) === billing.computesTax &&
    !subscriber.place;
  if (subscriber.place) await requirePlace(billing, customerId, subscriber);
  const lacksCard = awaitsCard(current);
  const isOffered =
    lacksCard && (await trialChance(billing, account, subscriber.email ?? account.email)) === 'offered';
  if (lacksCard && isOffered && isAsWanted && current.setup?.clientSecret) {
    const trialEndsMs = renewedTrial(billing, current);
    if (trialEndsMs === undefined) return { subscription: current, state };
    const changed = await provider.changeTrial(current, { priceId, trialEndsMs });
    return { subscription: changed, state: withSubscription(state, changed) };
  }
  if (current.status === 'paused' || isUnpayable(current)) {
    await provider.endSubscription(current.id);
    return undefined;
  }
  if (!lacksCard && (current.status !== 'incomplete' || isAsWanted)) return { subscription: current, state };
  // What the browser confirms first: one that has just been confirmed cannot be revoked, and then the subscription stays.
  if (!(await revoke(provider, current))) {
    const now = await readState(billing, account, customerId);
    const paid = currentSubscription(now.subscriptions);
    if (paid && !isOver(paid) && !awaitsCard(paid)) return { subscription: paid, state: now };
  }
  await provider.endSubscription(current.id);
  return undefined;
}

/** Makes the secret that the browser has useless: another tab may still show the price that it was for. */
async function revoke(provider: Provider, subscription: ProviderSubscription): Promise<boolean> {
  const { latestInvoice, setup } = subscription;
  if (awaitsCard(subscription)) return !setup || provider.cancelSetup(setup.id);
  return !latestInvoice || provider.voidInvoice(latestInvoice.id);
}

/** The provider keeps the invoices of an unpaid subscription as drafts, and a draft cannot be paid. */
function isUnpayable({ status, latestInvoice }: ProviderSubscription): boolean {
  return status === 'unpaid' && latestInvoice?.status !== 'open';
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
  { account: known, customerId, state, priceId, promotion, subscriber }: Wanted,
): Promise<Outcome> {
  const { store, provider, clock, graceMs, trialDays } = billing;
  // A trial may just have been refused.
  const account = (await store.find(known.userId)) ?? known;
  const seen = entitlementOf(state, { nowMs: clock.nowMs(), graceMs });
  const newest = [...state.subscriptions].sort((a, b) => b.createdMs - a.createdMs)[0];
  const begun = { ...account, trialUsed: account.trialUsed || (seen?.trialUsed ?? false) };
  const chance = await trialChance(billing, begun, subscriber.email ?? account.email);
  if (chance === 'taken' && !account.trialRefused) await store.refuseTrial(account.userId, null);
  const refused = (cause: ProviderRefusal) =>
    promotion && cause.isOfRequest ? promotionRefused(undefined, cause) : paymentsUnavailable(cause);
  const make = () =>
    provider.createSubscription({
      userId: account.userId,
      customerId,
      priceId,
      trialDays: chance === 'offered' ? trialDays : 0,
      promotionId: promotion?.id,
      // The same for every caller that saw the same state: after a lost answer the next attempt gets that answer.
      idempotencyKey: `casewatch-subscription-${customerId}-${newest?.id ?? 'first'}-${account.attempt}`,
    });
  const subscription = await countingRefusals(billing, account, make, refused);
  // Of the others each is over by now: one that was ended for this one must not count in its place.
  const over = state.subscriptions.filter(isOver);
  return { subscription, state: withSubscription({ ...state, subscriptions: over }, subscription) };
}

/** Saves the customer before creating anything for it, so that everything created is found again. */
async function makeCustomer(billing: Billing, account: Account, buyer: Buyer): Promise<string> {
  const { provider, store, clock } = billing;
  const { userId, customerAskedMs } = account;
  // The provider remembers an idempotency key for a day, and refuses it for another name or address.
  const [found] = customerAskedMs === null ? [] : await provider.findCustomers(userId, customerAskedMs);
  const customerId = found ?? (await createCustomer(billing, account, buyer));
  await store.saveCustomer(userId, customerId, clock.nowMs());
  return customerId;
}

async function createCustomer(billing: Billing, account: Account, { name, email }: Buyer): Promise<string> {
  const { provider, store, clock } = billing;
  const { userId, attempt } = account;
  if (!(await store.askForCustomer(userId, clock.nowMs()))) throw signedOut();
  return countingRefusals(billing, account, () =>
    provider.createCustomer({
      userId,
      email: email ?? account.email,
      name: account.name ?? name,
      idempotencyKey: `casewatch-customer-${userId}-${attempt}`,
    }),
  );
}

/** After a refusal the next attempt uses another idempotency key: the same key would get the same answer. */
async function countingRefusals<T>(
  { store }: Billing,
  { userId }: Account,
  make: () => Promise<T>,
  refused: (cause: ProviderRefusal) => AppError = paymentsUnavailable,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    await store.countAttempt(userId);
    throw refused(error);
  }
}

function withSubscription(state: ProviderState, subscription: ProviderSubscription): ProviderState {
  const others = state.subscriptions.filter(({ id }) => id !== subscription.id);
  return { ...state, subscriptions: [...others, subscription] };
}

/** Returns what the browser has to confirm: the card of a trial, the first payment, or a failed one. */
function confirmationOf(subscription: ProviderSubscription): Confirmation | undefined {
  const { latestInvoice, status } = subscription;
  if (awaitsCard(subscription)) {
    const clientSecret = subscription.setup?.clientSecret;
    return clientSecret ? { clientSecret, intent: 'setup' } : undefined;
  }
  const wantsPayment = status === 'incomplete' || status === 'past_due' || status === 'unpaid';
  if (!wantsPayment || latestInvoice?.status !== 'open' || !latestInvoice.clientSecret) return undefined;
  return { clientSecret: latestInvoice.clientSecret, intent: 'payment' };
}

/** @throws AppError NOT_FOUND unless the price is offered */
export function requireOffered(offered: readonly { id: string }[], priceId: string): void {
  if (offered.some(({ id }) => id === priceId)) return;
  throw new AppError('NOT_FOUND', 'price-not-offered');
}
