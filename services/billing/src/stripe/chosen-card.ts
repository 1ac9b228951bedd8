import type Stripe from 'stripe';
import { idOf, whole } from './references.ts';
import { LIST_LIMIT, type StripeCalls } from './stripe-calls.ts';

/** The name in the metadata of a subscription for the payment method that it and its customer were both given last. */
export const CARD_IN_USE = 'payment_method';

/** What a subscription is charged to, now or at the end of its trial. */
export interface ChosenCard {
  /** Undefined where nothing can be charged. */
  method: Stripe.PaymentMethod | undefined;
  /** The setup that saved the card of a trial, where the subscription does not name it any more. */
  setup: Stripe.SetupIntent | undefined;
  /** Its id, or that of the setup's card, where subscription and customer do not both name it yet. */
  toUse: string | null;
}

/** How much earlier than its subscription a setup may seem to be made. */
const SLACK_SECONDS = 60;

/**
 * Returns the function that finds the card that a customer chose. Stripe charges the subscription's own before the customer's ("The
 * Subscription object"), and the portal may change either.
 */
export function createCardReader(stripe: Stripe, { ask, find }: StripeCalls) {
  return async (subscription: Stripe.Subscription): Promise<ChosenCard> => {
    const own = attached(whole(subscription.default_payment_method));
    const customersId = customersDefault(subscription);
    const customers =
      own && (customersId === null || customersId === own.id)
        ? undefined
        : attached(customersId && (await find(() => stripe.paymentMethods.retrieve(customersId))));
    const method = newerChoice(own, customers, subscription.metadata[CARD_IN_USE]);
    const lacksCard = subscription.status === 'trialing' && !method && !subscription.pending_setup_intent;
    const setup = lacksCard ? await confirmedSetup(subscription) : undefined;
    return { method, setup, toUse: toUse(subscription, method ?? cardOf(subscription, setup)) };
  };

  /** The newest one that succeeded, rather with a card that has not been removed since. A setup does not say what it was for. */
  async function confirmedSetup({
    customer,
    created,
  }: Stripe.Subscription): Promise<Stripe.SetupIntent | undefined> {
    const { data } = await ask(() =>
      stripe.setupIntents.list({
        customer: idOf(customer) ?? '',
        limit: LIST_LIMIT,
        expand: ['data.payment_method'],
      }),
    );
    const confirmed = data.filter(
      (setup) => setup.status === 'succeeded' && setup.created >= created - SLACK_SECONDS,
    );
    return confirmed.find((setup) => attached(whole(setup.payment_method))) ?? confirmed[0];
  }
}

/**
 * Of two cards the one that is not `lastSet` was chosen after that; otherwise the one that was added later. So a choice is never
 * replaced by an older one.
 */
export function newerChoice(
  own: Stripe.PaymentMethod | undefined,
  customers: Stripe.PaymentMethod | undefined,
  lastSet: string | undefined,
): Stripe.PaymentMethod | undefined {
  if (!own || !customers) return own ?? customers;
  if (lastSet === own.id) return customers;
  if (lastSet === customers.id) return own;
  return customers.created > own.created ? customers : own;
}

/** Returns the id of the customer's own default; null also for a deleted customer. */
function customersDefault({ customer }: Stripe.Subscription): string | null {
  if (typeof customer === 'string' || customer.deleted) return null;
  return idOf(customer.invoice_settings.default_payment_method);
}

/** One that was detached stays readable, and can't be charged any more ("Detach a PaymentMethod"). */
function attached(method: Stripe.PaymentMethod | null | undefined | ''): Stripe.PaymentMethod | undefined {
  return method && method.customer !== null ? method : undefined;
}

/** Returns the card that the setup of a trial has saved. */
function cardOf(
  { pending_setup_intent }: Stripe.Subscription,
  found: Stripe.SetupIntent | undefined,
): Stripe.PaymentMethod | undefined {
  const setup = whole(pending_setup_intent) ?? found;
  return setup?.status === 'succeeded' ? attached(whole(setup.payment_method)) : undefined;
}

function toUse(subscription: Stripe.Subscription, method: Stripe.PaymentMethod | undefined): string | null {
  const { default_payment_method, metadata } = subscription;
  const named = [idOf(default_payment_method), customersDefault(subscription), metadata[CARD_IN_USE]];
  return !method || named.every((id) => id === method.id) ? null : method.id;
}
