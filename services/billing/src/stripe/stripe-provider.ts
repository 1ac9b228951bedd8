import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type Stripe from 'stripe';
import { type Provider, ProviderRefusal, type ProviderSubscription } from '../domain/provider.ts';
import {
  FIRST_TRIAL,
  idOf,
  isPaidBack,
  type Reversal,
  readListedInvoice,
  readPrice,
  readSubscription,
  SUBSCRIPTION_PARTS,
  unpaidSinceMs,
} from './read-subscription.ts';
import { createStripeCalls } from './stripe-calls.ts';

/** The most that Stripe gives at once; what is read in full goes on until the last page. */
const LIST_LIMIT = 100;
/** Required by Stripe's library. No customer comes near it. */
const ALL = { limit: 10_000 };
/** How far the clocks may differ, and how long a request may take. */
const CREATED_WITHIN_MS = 3_600_000;
/** Two years of monthly payments. */
const INVOICES = 24;
const EXPAND = [...SUBSCRIPTION_PARTS];
const EXPAND_IN_LIST = SUBSCRIPTION_PARTS.map((part) => `data.${part}`);

export interface StripeProviderOptions {
  stripe: Stripe;
  logger: Logger;
  restMs: number;
  telemetry: Telemetry;
  /** The offered prices: those with these lookup keys, in this order, or all of a product. */
  offer: { lookupKeys: readonly string[] } | { product: string };
}

/** Creates the payment provider on Stripe's API. */
export function createStripeProvider(options: StripeProviderOptions): Provider {
  const { stripe, offer } = options;
  const { ask, askOfCustomer, find, make } = createStripeCalls(options);

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

  return {
    async stateOf(customer) {
      const [subscriptions, reversals] = await Promise.all([
        askOfCustomer(() =>
          stripe.subscriptions
            .list({ customer, status: 'all', limit: LIST_LIMIT, expand: EXPAND_IN_LIST })
            .autoPagingToArray(ALL),
        ).then((found) => Promise.all(found.map(readSubscription).map(withUnpaidSince))),
        readReversals(customer),
      ]);
      return { subscriptions: await withPaidBack(customer, subscriptions, reversals) };
    },

    async createCustomer({ userId, email, name, idempotencyKey }) {
      const params = {
        ...(email ? { email } : {}),
        ...(name ? { name } : {}),
        metadata: { user_id: userId },
      };
      return (await make(() => stripe.customers.create(params, { idempotencyKey }))).id;
    },

    async findCustomers(userId, atMs) {
      const created = { gte: secondsOf(atMs - CREATED_WITHIN_MS), lte: secondsOf(atMs + CREATED_WITHIN_MS) };
      const customers = await ask(() =>
        stripe.customers.list({ created, limit: LIST_LIMIT }).autoPagingToArray(ALL),
      );
      return customers.filter(({ metadata }) => metadata.user_id === userId).map(({ id }) => id);
    },

    async updateCustomer(id, { email, name }) {
      await make(() => stripe.customers.update(id, { email, ...(name ? { name } : {}) }));
    },

    async createSubscription({ userId, customerId, priceId, trialDays, idempotencyKey }) {
      const params: Stripe.SubscriptionCreateParams = {
        customer: customerId,
        items: [{ price: priceId }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        metadata: { user_id: userId, ...(trialDays > 0 ? { [FIRST_TRIAL]: 'true' } : {}) },
        ...(trialDays > 0
          ? {
              trial_period_days: trialDays,
              trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
            }
          : {}),
        expand: EXPAND,
      };
      return readSubscription(await make(() => stripe.subscriptions.create(params, { idempotencyKey })));
    },

    async changeTrial({ id, itemId }, { priceId, trialEndsMs }) {
      const params: Stripe.SubscriptionUpdateParams = {
        items: [{ id: itemId, price: priceId }],
        proration_behavior: 'none',
        ...(trialEndsMs === undefined ? {} : { trial_end: secondsOf(trialEndsMs) }),
        expand: EXPAND,
      };
      return readSubscription(await ask(() => stripe.subscriptions.update(id, params)));
    },

    async usePaymentMethod(id, default_payment_method) {
      await ask(() => stripe.subscriptions.update(id, { default_payment_method }));
    },

    async previewSwitch(customer, { id, itemId }, { priceId, atMs }) {
      const { amount_due } = await ask(() =>
        stripe.invoices.createPreview({
          customer,
          subscription: id,
          subscription_details: {
            items: [{ id: itemId, price: priceId }],
            proration_behavior: 'always_invoice',
            proration_date: secondsOf(atMs),
          },
        }),
      );
      return amount_due;
    },

    async switchPrice({ id, itemId }, { priceId, atMs }) {
      await make(() =>
        stripe.subscriptions.update(id, {
          items: [{ id: itemId, price: priceId }],
          proration_behavior: 'always_invoice',
          proration_date: secondsOf(atMs),
          payment_behavior: 'error_if_incomplete',
        }),
      );
    },

    async listInvoices(customer) {
      const { data } = await askOfCustomer(() => stripe.invoices.list({ customer, limit: INVOICES }));
      return data.flatMap((invoice) => readListedInvoice(invoice) ?? []);
    },

    async setCancelAtPeriodEnd({ id, cancelsByDate }, cancel) {
      // The flag does not take a date back, and Stripe refuses both in one request.
      const change: Stripe.SubscriptionUpdateParams =
        cancelsByDate && !cancel ? { cancel_at: '' } : { cancel_at_period_end: cancel };
      await ask(() => stripe.subscriptions.update(id, change));
    },

    async endSubscription(id) {
      await find(() => stripe.subscriptions.cancel(id));
    },

    async voidInvoice(id) {
      const invoice = await find(() => stripe.invoices.retrieve(id));
      if (invoice?.status !== 'open') return false;
      const voided = await ask(() => stripe.invoices.voidInvoice(id));
      return voided.status === 'void';
    },

    async cancelSetup(id) {
      try {
        await make(() => stripe.setupIntents.cancel(id));
        return true;
      } catch (error) {
        if (error instanceof ProviderRefusal) return false;
        throw error;
      }
    },

    async removeCustomer(id) {
      await find(() => stripe.customers.del(id));
    },

    async intent(id) {
      const intent = await find<Stripe.PaymentIntent | Stripe.SetupIntent>(() =>
        id.startsWith('seti_') ? stripe.setupIntents.retrieve(id) : stripe.paymentIntents.retrieve(id),
      );
      return intent && { customerId: idOf(intent.customer), status: intent.status };
    },

    async customerOfPayment(id) {
      const intent = await find(() => stripe.paymentIntents.retrieve(id));
      return (intent && idOf(intent.customer)) ?? undefined;
    },

    async listPrices() {
      const wanted = 'product' in offer ? { product: offer.product } : { lookup_keys: [...offer.lookupKeys] };
      const { data } = await ask(() => stripe.prices.list({ active: true, limit: LIST_LIMIT, ...wanted }));
      const offered = data.filter(
        ({ recurring, currency, unit_amount }) =>
          currency === 'usd' && unit_amount !== null && /^(month|year)$/.test(recurring?.interval ?? ''),
      );
      return offered.sort((a, b) => placeOf(a) - placeOf(b)).map(readPrice);
    },

    async openPortal(customer, return_url) {
      return (await askOfCustomer(() => stripe.billingPortal.sessions.create({ customer, return_url }))).url;
    },
  };

  /** In the order of the lookup keys; of a product the cheaper first. */
  function placeOf({ lookup_key, unit_amount }: Stripe.Price): number {
    return 'product' in offer ? (unit_amount ?? 0) : offer.lookupKeys.indexOf(lookup_key ?? '');
  }
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}
