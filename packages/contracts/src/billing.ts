import { z } from 'zod';
import { PRICE_INTERVALS, TIERS } from './limits.ts';
import { defineRoute } from './route-contract.ts';

/** An id of the payment provider: letters, digits, underscores. */
const providerId = (what: string) =>
  z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9_]+$/, `That is no ${what}.`);

export const price = z
  .object({
    id: z.string(),
    amount: z.number().meta({ description: 'Dollars.' }),
    interval: z.enum(PRICE_INTERVALS),
    displayName: z.string(),
  })
  .meta({ id: 'Price' });
export type Price = z.output<typeof price>;

export const listPrices = defineRoute({
  id: 'listPrices',
  service: 'billing',
  method: 'GET',
  path: '/api/pricing',
  access: 'public',
  summary: 'What pro costs',
  status: 200,
  answer: z.array(price),
  errors: ['PAYMENTS_UNAVAILABLE'],
});

export const getBillingConfig = defineRoute({
  id: 'getBillingConfig',
  service: 'billing',
  method: 'GET',
  path: '/api/billing/config',
  access: 'public',
  summary: 'What the browser needs to take a payment',
  status: 200,
  answer: z.object({
    publishableKey: z.string(),
    scriptUrl: z.url().nullable().meta({ description: "null: the provider's own address." }),
    testPayments: z.boolean().meta({ description: 'No real money moves.' }),
    trialDays: z.int().meta({ description: 'How long the trial of a first subscription is; 0 without one.' }),
  }),
  errors: ['PAYMENTS_UNAVAILABLE'],
});

/** The provider's words for the state of a subscription. */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;
const subscriptionStatus = z.enum(SUBSCRIPTION_STATUSES);

export const subscription = z
  .object({
    tier: z.enum(TIERS),
    status: subscriptionStatus.nullable().meta({ description: 'null without a subscription so far.' }),
    price: price.nullable(),
    renewsAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it is paid again; null when it is not.' }),
    endsAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When pro ends: it was canceled, or stays unpaid.' }),
    trialEndsAt: z.iso.datetime().nullable().meta({ description: 'null outside a trial.' }),
    card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
    paymentFailed: z.boolean().meta({ description: 'The last payment failed and is still open.' }),
    canCancel: z.boolean(),
    canResume: z.boolean(),
    trialAvailable: z.boolean().meta({ description: 'A subscription made now would begin with a trial.' }),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.output<typeof subscription>;

export const getSubscription = defineRoute({
  id: 'getSubscription',
  service: 'billing',
  method: 'GET',
  path: '/api/billing/subscription',
  access: 'user',
  summary: "The signed-in user's subscription",
  status: 200,
  answer: subscription,
  errors: ['SIGNED_OUT'],
});

export const createSubscription = defineRoute({
  id: 'createSubscription',
  service: 'billing',
  method: 'POST',
  path: '/api/create-subscription',
  access: 'user',
  summary: 'Begin to subscribe, or bring the tier up to date',
  description:
    'With a priceId: makes the subscription, or takes up the unfinished one, and answers the secret that the browser confirms the card with; no clientSecret means that there already is a subscription. Without: asks the payment provider how things stand and brings the tier in line.',
  body: z.strictObject({ priceId: providerId('price').optional() }),
  status: 200,
  answer: z.object({
    clientSecret: z.string().optional(),
    intent: z
      .enum(['payment', 'setup'])
      .optional()
      .meta({ description: 'What the secret belongs to: a payment now, or the card of a trial.' }),
    tier: z.enum(TIERS),
    status: subscriptionStatus.nullable(),
  }),
  errors: ['SIGNED_OUT', 'PAYMENTS_UNAVAILABLE', 'NOT_FOUND', 'EMAIL_NOT_VERIFIED'],
});

export const confirmPayment = defineRoute({
  id: 'confirmPayment',
  service: 'billing',
  method: 'POST',
  path: '/api/confirm-payment',
  access: 'user',
  summary: 'Say that the browser has confirmed a payment or a card',
  description:
    "Takes the id of a payment intent, or of a trial's setup intent. The payment provider is asked; the caller is not believed.",
  body: z.strictObject({ paymentIntentId: providerId('payment') }),
  status: 200,
  answer: z.object({
    tier: z.enum(TIERS),
    status: subscriptionStatus.nullable(),
    paymentStatus: z.string().meta({ description: "The provider's word: succeeded, processing, …" }),
  }),
  errors: ['SIGNED_OUT', 'NOT_FOUND', 'PAYMENTS_UNAVAILABLE'],
});

export const cancelSubscription = defineRoute({
  id: 'cancelSubscription',
  service: 'billing',
  method: 'POST',
  path: '/api/billing/cancel',
  access: 'user',
  summary: 'End the subscription when the time that is paid ends',
  status: 200,
  answer: subscription,
  errors: ['SIGNED_OUT', 'NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
});

export const resumeSubscription = defineRoute({
  id: 'resumeSubscription',
  service: 'billing',
  method: 'POST',
  path: '/api/billing/resume',
  access: 'user',
  summary: 'Take a cancellation back before it has come into effect',
  status: 200,
  answer: subscription,
  errors: ['SIGNED_OUT', 'NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
});

export const openBillingPortal = defineRoute({
  id: 'openBillingPortal',
  service: 'billing',
  method: 'POST',
  path: '/api/billing/portal',
  access: 'user',
  summary: "Open the payment provider's page for card and invoices",
  status: 200,
  answer: z.object({ url: z.url() }),
  errors: ['SIGNED_OUT', 'NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
});

export const receiveStripeEvent = defineRoute({
  id: 'receiveStripeEvent',
  service: 'billing',
  method: 'POST',
  path: '/api/webhooks/stripe',
  access: 'public',
  summary: 'For the payment provider only: something happened to a subscription',
  description: 'The header Stripe-Signature signs the bytes of the body.',
  body: z.unknown(),
  signedBody: { signatureHeader: 'Stripe-Signature' },
  status: 200,
  answer: z.object({ received: z.literal(true) }),
  errors: ['INVALID_SIGNATURE', 'PAYMENTS_UNAVAILABLE'],
});
