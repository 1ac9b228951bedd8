import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { Behavior } from '../src/control/behavior.ts';

/** What is asked of Stripe: an account in test mode, or the simulator. */
export interface Observed {
  stripe: Stripe;
  /** Asks a person to choose another card on the portal's page; resolves once `isChanged` says so. */
  changeCardInPortal(url: string, isChanged: () => Promise<boolean>): Promise<void>;
}

interface Customer extends Observed {
  customer: string;
  monthly: string;
  yearly: string;
}

const OBSERVE: { [Name in keyof Behavior]: (given: Customer) => Promise<Behavior[Name]> } = {
  async trialCard(given) {
    const { id } = await trial(given, 'pm_card_visa');
    const { default_payment_method } = await read(given, id);
    return default_payment_method ? 'on-subscription' : 'on-no-one';
  },
  async portalCard(given) {
    const { id, default_payment_method: before } = await paid(given);
    const session = await given.stripe.billingPortal.sessions.create({ customer: given.customer });
    const hasMoved = async () => (await read(given, id)).default_payment_method !== before;
    await given.changeCardInPortal(session.url, async () => (await hasMoved()) || (await hasDefault(given)));
    return (await hasMoved()) ? 'on-subscription' : 'on-customer';
  },
  async detachedCard(given) {
    const { id, default_payment_method } = await paid(given);
    await given.stripe.paymentMethods.detach(idOf(default_payment_method));
    return (await read(given, id)).default_payment_method ? 'still-named' : 'forgotten';
  },
  async setupAfterTrial(given) {
    const { id, pending_setup_intent } = await trial(given);
    await given.stripe.subscriptions.cancel(id);
    const { status } = await given.stripe.setupIntents.retrieve(idOf(pending_setup_intent));
    return status === 'canceled' ? 'canceled' : 'confirmable';
  },
  async switchAuthentication(given) {
    const { payment } = await waitingSwitch(given, 'pm_card_authenticationRequired');
    const { status } = await given.stripe.paymentIntents.retrieve(payment);
    return status === 'requires_action' ? 'requires-action' : 'declined';
  },
  async paidSwitch(given) {
    const { id, payment } = await waitingSwitch(given, 'pm_card_authenticationRequired');
    await given.stripe.paymentIntents.confirm(payment, { payment_method: 'pm_card_visa', ...RETURN });
    const { items } = await read(given, id);
    return items.data[0]?.price.id === given.yearly ? 'made-at-once' : 'made-later';
  },
  async switchOfEnded(given) {
    const { id, invoice } = await waitingSwitch(given, 'pm_card_authenticationRequired');
    await given.stripe.subscriptions.cancel(id);
    const { status } = await given.stripe.invoices.retrieve(invoice);
    return status === 'void' ? 'voided' : 'payable';
  },
  async previewTax(given) {
    await place(given);
    const { id } = await begin(given, { automatic_tax: { enabled: true } });
    const { automatic_tax } = await preview(given, id);
    return automatic_tax.enabled ? 'as-subscription' : 'only-when-asked';
  },
  async taxPlace(given) {
    await place(given);
    const found = await given.stripe.customers.retrieve(given.customer, { expand: ['tax'] });
    const known = found.deleted ? undefined : found.tax?.automatic_tax;
    return known === 'supported' || known === 'not_collecting' ? 'known-at-once' : 'known-later';
  },
  onceOverTrial: (given) =>
    withCode(given, async ({ id: promotion_code }) => {
      const { id } = await trial(given, undefined, { discounts: [{ promotion_code }] });
      const { unit_amount } = await given.stripe.prices.retrieve(given.monthly);
      return (await preview(given, id)).amount_due === unit_amount ? 'used' : 'kept';
    }),
  redemption: (given) =>
    withCode(given, async ({ id: promotion_code, code }) => {
      await begin(given, { discounts: [{ promotion_code }] });
      const { data } = await given.stripe.promotionCodes.list({ code });
      return data.find(({ id }) => id === promotion_code)?.times_redeemed ? 'when-begun' : 'when-paid';
    }),
};

/** Finds out which way Stripe behaves, each thing with a customer of its own, which is removed afterwards; or why it can't be asked. */
export async function observeBehavior(
  observed: Observed,
): Promise<{ [Name in keyof Behavior]: Behavior[Name] | Error }> {
  const { stripe } = observed;
  const { data } = await stripe.prices.list({ active: true, lookup_keys: ['pro_monthly', 'pro_yearly'] });
  const priceOf = (interval: string) => data.find(({ recurring }) => recurring?.interval === interval)?.id;
  const [monthly, yearly] = [priceOf('month'), priceOf('year')];
  if (!monthly || !yearly)
    throw new Error('there are no prices with the lookup keys pro_monthly and pro_yearly');
  const found: [string, unknown][] = [];
  for (const [name, observe] of Object.entries(OBSERVE)) {
    const { id: customer } = await stripe.customers.create({ name: `casewatch stripe:verify ${name}` });
    try {
      found.push([name, await observe({ ...observed, customer, monthly, yearly })]);
    } catch (error) {
      // Stripe refuses to compute taxes in an account that has not turned them on.
      found.push([name, error instanceof Error ? error : new Error(String(error))]);
    } finally {
      await stripe.customers.del(customer);
    }
  }
  return Object.fromEntries(found) as Behavior;
}

const EXPAND = ['latest_invoice.confirmation_secret', 'pending_setup_intent'];

/** Begins to subscribe as the product does. */
function begin({ stripe, customer, monthly }: Customer, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  return stripe.subscriptions.create({
    customer,
    items: [{ price: monthly }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: EXPAND,
    ...more,
  });
}

async function trial(
  given: Customer,
  payment_method?: string,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const subscription = await begin(given, {
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    ...more,
  });
  const setup = idOf(subscription.pending_setup_intent);
  if (payment_method) await given.stripe.setupIntents.confirm(setup, { payment_method, ...RETURN });
  return subscription;
}

async function paid(given: Customer): Promise<Stripe.Subscription> {
  const { id, latest_invoice } = await begin(given);
  await given.stripe.paymentIntents.confirm(paymentOf(latest_invoice), {
    payment_method: 'pm_card_visa',
    ...RETURN,
  });
  return read(given, id);
}

/** With as much of an address as the product asks for. */
function place({ stripe, customer }: Customer) {
  const address = { country: 'US', postal_code: '10001' };
  return stripe.customers.update(customer, { address, tax: { validate_location: 'immediately' } });
}

function preview({ stripe, customer }: Customer, subscription: string) {
  return stripe.invoices.createPreview({ customer, subscription });
}

/** With a promotion code for one payment that only this customer can use; its coupon is removed afterwards, which ends the code. */
async function withCode<T>(
  { stripe, customer }: Customer,
  observe: (code: Stripe.PromotionCode) => Promise<T>,
): Promise<T> {
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
  try {
    const code = `VERIFY${randomUUID().slice(0, 8)}`;
    const promotion = { type: 'coupon', coupon } as const;
    return await observe(await stripe.promotionCodes.create({ code, customer, promotion }));
  } finally {
    await stripe.coupons.del(coupon);
  }
}

/** A switch to the yearly price that is not paid. */
async function waitingSwitch(given: Customer, card: string) {
  const { stripe, customer, yearly } = given;
  const { id, items } = await paid(given);
  const { id: default_payment_method } = await stripe.paymentMethods.attach(card, { customer });
  await stripe.subscriptions.update(id, { default_payment_method });
  const { latest_invoice } = await stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id ?? '', price: yearly }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: EXPAND,
  });
  return { id, invoice: idOf(latest_invoice), payment: paymentOf(latest_invoice) };
}

async function read({ stripe, customer }: Customer, id: string): Promise<Stripe.Subscription> {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all' });
  const found = data.find((each) => each.id === id);
  if (!found) throw new Error(`${id} is gone`);
  return found;
}

async function hasDefault({ stripe, customer }: Customer): Promise<boolean> {
  const found = await stripe.customers.retrieve(customer);
  return !found.deleted && found.invoice_settings.default_payment_method !== null;
}

/** Where a payment method could lead that needs another page. */
const RETURN = { return_url: 'https://example.com/' };

function paymentOf(invoice: Stripe.Subscription['latest_invoice']): string {
  const secret = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : undefined;
  if (!secret) throw new Error('the invoice has no payment');
  return secret.slice(0, secret.indexOf('_secret_'));
}

function idOf(reference: string | { id: string } | null): string {
  if (reference === null) throw new Error('the reference is empty');
  return typeof reference === 'string' ? reference : reference.id;
}
