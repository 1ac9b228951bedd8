import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type Stripe from 'stripe';
import { type PlanPrice, type Provider, ProviderRefusal } from '../domain/provider.ts';
import { CARD_IN_USE } from './chosen-card.ts';
import { ofPromotions } from './promotions.ts';
import { createStateReader } from './read-state.ts';
import {
  FIRST_TRIAL,
  PROMOTION,
  readIntent,
  readListedInvoice,
  readPrice,
  readSubscription,
  SUBSCRIPTION_PARTS,
} from './read-subscription.ts';
import { idOf } from './references.ts';
import { ALL, createStripeCalls, LIST_LIMIT, type StripeCalls } from './stripe-calls.ts';
import { automaticTax, contradictsTax, ofTaxes } from './taxes.ts';

/** How far the clocks may differ, and how long a request may take. */
const CREATED_WITHIN_MS = 3_600_000;
/** Two years of monthly payments. */
const INVOICES = 24;
const EXPAND = [...SUBSCRIPTION_PARTS];

export interface StripeProviderOptions {
  stripe: Stripe;
  logger: Logger;
  restMs: number;
  telemetry: Telemetry;
  /** The offered prices: those with these lookup keys, in this order, or all of a product. */
  offer: { lookupKeys: readonly string[] } | { product: string };
  /** How prices are where Stripe Tax computes taxes: a price that says otherwise is not offered. */
  tax?: Stripe.Price.TaxBehavior | undefined;
}

/** Creates the payment provider on Stripe's API. */
export function createStripeProvider(options: StripeProviderOptions): Provider {
  const { stripe, tax } = options;
  const calls = createStripeCalls(options);
  return {
    stateOf: createStateReader(stripe, calls),
    ...ofCustomers(stripe, calls),
    ...ofSubscriptions(stripe, calls, tax !== undefined),
    ...ofTaxes(stripe, calls),
    ...ofPromotions(stripe, calls),
    ...ofPayments(stripe, calls),
    listPrices: () => listPrices(stripe, calls, options),
  };
}

function ofCustomers(stripe: Stripe, { ask, askOfCustomer, find, make }: StripeCalls) {
  return {
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

    async removeCustomer(id) {
      await find(() => stripe.customers.del(id));
    },

    async openPortal(customer, return_url) {
      return (await askOfCustomer(() => stripe.billingPortal.sessions.create({ customer, return_url }))).url;
    },
  } satisfies Partial<Provider>;
}

function ofSubscriptions(stripe: Stripe, { ask, find, make }: StripeCalls, computesTax: boolean) {
  return {
    async createSubscription({ userId, customerId, priceId, trialDays, promotionId, idempotencyKey }) {
      const params: Stripe.SubscriptionCreateParams = {
        customer: customerId,
        items: [{ price: priceId }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        metadata: {
          user_id: userId,
          ...(trialDays > 0 ? { [FIRST_TRIAL]: 'true' } : {}),
          ...(promotionId ? { [PROMOTION]: promotionId } : {}),
        },
        ...(promotionId ? { discounts: [{ promotion_code: promotionId }] } : {}),
        ...(trialDays > 0
          ? {
              trial_period_days: trialDays,
              trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
            }
          : {}),
        ...automaticTax(computesTax),
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

    async usePaymentMethod(id, customerId, default_payment_method) {
      await make(() => stripe.customers.update(customerId, { invoice_settings: { default_payment_method } }));
      const metadata = { [CARD_IN_USE]: default_payment_method };
      await make(() => stripe.subscriptions.update(id, { default_payment_method, metadata }));
    },

    async previewSwitch(customer, { id, itemId, taxed }, { priceId, atMs }) {
      const { amount_due } = await ask(() =>
        stripe.invoices.createPreview({
          customer,
          subscription: id,
          subscription_details: {
            items: [{ id: itemId, price: priceId }],
            proration_behavior: 'always_invoice',
            proration_date: secondsOf(atMs),
          },
          ...automaticTax(taxed ?? false),
        }),
      );
      return amount_due;
    },

    async switchPrice({ id, itemId }, { priceId, atMs }) {
      const params: Stripe.SubscriptionUpdateParams = {
        items: [{ id: itemId, price: priceId }],
        proration_behavior: 'always_invoice',
        proration_date: secondsOf(atMs),
        payment_behavior: 'pending_if_incomplete',
        expand: EXPAND,
      };
      return readSubscription(await make(() => stripe.subscriptions.update(id, params)));
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
  } satisfies Partial<Provider>;
}

function ofPayments(stripe: Stripe, { ask, askOfCustomer, find, make }: StripeCalls) {
  async function cancelSetup(id: string): Promise<boolean> {
    try {
      await make(() => stripe.setupIntents.cancel(id));
      return true;
    } catch (error) {
      if (error instanceof ProviderRefusal) return false;
      throw error;
    }
  }

  return {
    async listInvoices(customer) {
      const { data } = await askOfCustomer(() => stripe.invoices.list({ customer, limit: INVOICES }));
      return data.flatMap((invoice) => readListedInvoice(invoice) ?? []);
    },

    async voidInvoice(id) {
      const invoice = await find(() => stripe.invoices.retrieve(id));
      if (invoice?.status !== 'open') return false;
      const voided = await ask(() => stripe.invoices.voidInvoice(id));
      return voided.status === 'void';
    },

    cancelSetup,

    async cancelOpenSetups(customer) {
      const setups = await find(() => stripe.setupIntents.list({ customer, limit: LIST_LIMIT }));
      for (const { id, status } of setups?.data ?? [])
        if (status.startsWith('requires_')) await cancelSetup(id);
    },

    async intent(id) {
      const intent = await find<Stripe.PaymentIntent | Stripe.SetupIntent>(() =>
        id.startsWith('seti_') ? stripe.setupIntents.retrieve(id) : stripe.paymentIntents.retrieve(id),
      );
      return intent && readIntent(intent);
    },

    async customerOfPayment(id) {
      const intent = await find(() => stripe.paymentIntents.retrieve(id));
      return (intent && idOf(intent.customer)) ?? undefined;
    },
  } satisfies Partial<Provider>;
}

async function listPrices(
  stripe: Stripe,
  { ask }: StripeCalls,
  { offer, tax, logger }: StripeProviderOptions,
): Promise<PlanPrice[]> {
  const wanted = 'product' in offer ? { product: offer.product } : { lookup_keys: [...offer.lookupKeys] };
  const { data } = await ask(() => stripe.prices.list({ active: true, limit: LIST_LIMIT, ...wanted }));
  const contradicts = (price: Stripe.Price) => contradictsTax(price, tax);
  const wrong = data.filter(contradicts).map(({ id }) => id);
  if (wrong.length > 0)
    logger.error({ prices: wrong, tax }, 'stripe: prices contradict STRIPE_AUTOMATIC_TAX');
  const offered = data.filter(
    (price) =>
      price.currency === 'usd' &&
      price.unit_amount !== null &&
      /^(month|year)$/.test(price.recurring?.interval ?? '') &&
      !contradicts(price),
  );
  // In the order of the lookup keys; of a product the cheaper first.
  const placeOf = ({ lookup_key, unit_amount }: Stripe.Price) =>
    'product' in offer ? (unit_amount ?? 0) : offer.lookupKeys.indexOf(lookup_key ?? '');
  return offered.sort((a, b) => placeOf(a) - placeOf(b)).map(readPrice);
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}
