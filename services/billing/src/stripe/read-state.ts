import type Stripe from 'stripe';
import type { Provider, ProviderSubscription } from '../domain/provider.ts';
import { createCardReader } from './chosen-card.ts';
import {
  isPaidBack,
  type Reversal,
  readSubscription,
  SUBSCRIPTION_PARTS,
  unpaidSinceMs,
} from './read-subscription.ts';
import { idOf } from './references.ts';
import { ALL, LIST_LIMIT, type StripeCalls } from './stripe-calls.ts';

const GOES_ON: ReadonlySet<string> = new Set(['trialing', 'active', 'past_due', 'unpaid', 'paused']);
const EXPAND_IN_LIST = SUBSCRIPTION_PARTS.map((part) => `data.${part}`);

/** Returns the function that reads the subscriptions of a customer, since when they are unpaid, and what was paid back. */
export function createStateReader(stripe: Stripe, calls: StripeCalls): Provider['stateOf'] {
  const { ask, askOfCustomer } = calls;
  const chosenCard = createCardReader(stripe, calls);

  /** What has ended, or has not begun, is charged to nothing. */
  async function withCard(subscription: Stripe.Subscription): Promise<ProviderSubscription> {
    const goesOn = GOES_ON.has(subscription.status);
    return readSubscription(subscription, goesOn ? await chosenCard(subscription) : undefined);
  }

  async function readReversals(customer: string): Promise<Map<string, Reversal>> {
    const charges = await askOfCustomer(() =>
      stripe.charges.list({ customer, limit: LIST_LIMIT }).autoPagingToArray(ALL),
    );
    const reversals = new Map<string, Reversal>();
    for (const charge of charges) {
      const payment = idOf(charge.payment_intent);
      if (payment && charge.disputed && (await isLost(payment))) reversals.set(payment, 'lost');
      else if (payment && charge.refunded) reversals.set(payment, 'refunded');
    }
    return reversals;
  }

  async function isLost(payment_intent: string): Promise<boolean> {
    const disputes = await ask(() => stripe.disputes.list({ payment_intent, limit: LIST_LIMIT }));
    return disputes.data.some(({ status }) => status === 'lost');
  }

  /** A charge does not say which subscription it paid. */
  async function withPaidBack(
    customer: string,
    subscriptions: readonly ProviderSubscription[],
    reversals: ReadonlyMap<string, Reversal>,
  ): Promise<readonly ProviderSubscription[]> {
    if (reversals.size === 0) return subscriptions;
    const invoices = await askOfCustomer(() =>
      stripe.invoices.list({ customer, limit: LIST_LIMIT, expand: ['data.payments'] }).autoPagingToArray(ALL),
    );
    return subscriptions.map((subscription) => {
      const own = invoices.filter(
        ({ parent }) => idOf(parent?.subscription_details?.subscription) === subscription.id,
      );
      return { ...subscription, paidBack: isPaidBack(own, reversals) };
    });
  }

  /** The latest invoice does not say that those before it are unpaid, too. */
  async function withUnpaidSince(subscription: ProviderSubscription): Promise<ProviderSubscription> {
    const { id, status } = subscription;
    if (status !== 'past_due' && status !== 'unpaid') return subscription;
    const { data } = await ask(() => stripe.invoices.list({ subscription: id, limit: LIST_LIMIT }));
    return { ...subscription, unpaidSinceMs: unpaidSinceMs(data) };
  }

  return async (customer) => {
    const [subscriptions, reversals] = await Promise.all([
      askOfCustomer(() =>
        stripe.subscriptions
          .list({ customer, status: 'all', limit: LIST_LIMIT, expand: EXPAND_IN_LIST })
          .autoPagingToArray(ALL),
      ).then((found) => Promise.all(found.map(async (each) => withUnpaidSince(await withCard(each))))),
      readReversals(customer),
    ]);
    return { subscriptions: await withPaidBack(customer, subscriptions, reversals) };
  };
}
