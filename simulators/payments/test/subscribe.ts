import type Stripe from 'stripe';
import type { PaymentsUnderTest } from './start-payments.ts';

export const MONTHLY = 'price_CasewatchProMonthly';
export const YEARLY = 'price_CasewatchProYearly';

export interface Begun {
  customer: string;
  subscription: Stripe.Subscription;
  /** Undefined for a trial. */
  paymentSecret: string | undefined;
  setupIntent: Stripe.SetupIntent | undefined;
}

/** Does what the product does: a customer and one incomplete, or trialing, subscription. */
export async function beginSubscription(
  { stripe }: PaymentsUnderTest,
  params: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Begun> {
  const customer = await stripe.customers.create({ email: 'ana@example.com', metadata: { userId: 'u-1' } });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: MONTHLY }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
    ...params,
  });
  const { latest_invoice: invoice, pending_setup_intent: setup } = subscription;
  return {
    customer: customer.id,
    subscription,
    paymentSecret: typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : undefined,
    setupIntent: typeof setup === 'object' ? (setup ?? undefined) : undefined,
  };
}

/** The customer's newest subscription as the product reads it. */
export async function readSubscription(
  { stripe }: PaymentsUnderTest,
  { customer }: Pick<Begun, 'customer'>,
): Promise<Stripe.Subscription> {
  const parts = [
    'latest_invoice.confirmation_secret',
    'latest_invoice.payments',
    'pending_setup_intent',
    'default_payment_method',
  ];
  const expand = parts.map((part) => `data.${part}`);
  const [newest] = (await stripe.subscriptions.list({ customer, status: 'all', expand })).data;
  if (!newest) throw new Error(`${customer} has no subscription`);
  return newest;
}

/** `pi_1` of `pi_1_secret_2`. */
export function intentId(clientSecret: string | undefined): string {
  if (clientSecret === undefined) throw new Error('There is no client secret');
  return clientSecret.slice(0, clientSecret.indexOf('_secret_'));
}

/** Confirms as the browser does, with the client secret. */
export function confirm(
  payments: PaymentsUnderTest,
  clientSecret: string | undefined,
  paymentMethod: string,
  more: Record<string, string> = {},
): Promise<Response> {
  const id = intentId(clientSecret);
  const kind = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  return payments.browser('POST', `/v1/${kind}/${id}/confirm`, {
    client_secret: clientSecret ?? '',
    payment_method: paymentMethod,
    use_stripe_sdk: 'true',
    ...more,
  });
}

/** A paid, active monthly subscription. */
export async function subscribe(
  payments: PaymentsUnderTest,
  card = 'pm_card_visa',
  params: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Begun> {
  const begun = await beginSubscription(payments, params);
  const answer = await confirm(
    payments,
    begun.paymentSecret ?? begun.setupIntent?.client_secret ?? undefined,
    card,
  );
  if (!answer.ok) throw new Error(await answer.text());
  return begun;
}
