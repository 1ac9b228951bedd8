import { z } from 'zod';
import { PLAN_END_REASONS, PRICE_INTERVALS, TIERS } from './limits.ts';
import { defineRoute } from './route-contract.ts';

/** An id of the payment provider: letters, digits, underscores. */
const providerId = (what: string) =>
  z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9_]+$/, `This ${what} is not valid.`);

export const price = z
  .object({
    id: z.string(),
    amount: z.number().meta({ description: 'Dollars.' }),
    interval: z.enum(PRICE_INTERVALS),
    displayName: z.string(),
  })
  .meta({ id: 'Price' });
export type Price = z.output<typeof price>;

/** The provider's words for prices without tax, and with it. */
export const TAX_BEHAVIORS = ['exclusive', 'inclusive'] as const;

const forAnyone = { service: 'billing', access: 'public' } as const;

export const listPrices = defineRoute({
  ...forAnyone,
  id: 'listPrices',
  method: 'GET',
  path: '/api/pricing',
  summary: 'What pro costs',
  description: 'Empty on a site where pro is not offered.',
  answer: z.array(price),
  errors: ['PAYMENTS_UNAVAILABLE'],
});

export const getBillingConfig = defineRoute({
  ...forAnyone,
  id: 'getBillingConfig',
  method: 'GET',
  path: '/api/billing/config',
  summary: 'What the browser needs to take a payment',
  answer: z.object({
    offered: z.boolean().meta({ description: 'Whether pro can be bought on this site.' }),
    publishableKey: z.string(),
    scriptUrl: z.url().nullable().meta({ description: "null: the provider's own address." }),
    testPayments: z.boolean().meta({ description: 'No real money moves.' }),
    trialDays: z.int().meta({ description: 'How long the trial of a first subscription is; 0 without one.' }),
    tax: z
      .enum(TAX_BEHAVIORS)
      .nullable()
      .meta({ description: 'Whether prices are without tax or with it; null: no tax is computed.' }),
    promotionCodes: z.boolean().meta({ description: 'Promotion codes are taken.' }),
  }),
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

const trialRefused = z.literal(true).optional().meta({
  description: 'There is no trial: the address or the card has had one. Nothing was charged for it.',
});

export const subscription = z
  .object({
    tier: z.enum(TIERS),
    status: subscriptionStatus.nullable().meta({ description: 'null without a subscription so far.' }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'At the payment provider, for support; null without a subscription so far.' }),
    price: price.nullable(),
    renewsAt: z.iso.datetime().nullable().meta({
      description: 'When it is paid again; null when it is not, or payments are paused at that time.',
    }),
    endsAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When pro ends: it was canceled, or stays unpaid.' }),
    trialEndsAt: z.iso.datetime().nullable().meta({ description: 'null outside a trial.' }),
    endedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When pro ended; null for a user who has pro, or never had it.' }),
    endReason: z.enum(PLAN_END_REASONS).nullable().meta({ description: 'Why pro ended.' }),
    paymentsPaused: z
      .object({
        resumeAt: z.iso.datetime().nullable().meta({ description: 'null: until support resumes them.' }),
        periodEndsAt: z.iso.datetime().meta({ description: 'Until when pro lasts after a cancellation.' }),
      })
      .optional()
      .meta({ description: 'Support has paused the payments: pro goes on, and nothing is charged.' }),
    taxed: z.literal(true).optional().meta({ description: 'The tax of its payments is computed.' }),
    card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
    paymentFailed: z.boolean().meta({ description: 'The last payment failed and is still open.' }),
    canCancel: z.boolean(),
    canResume: z.boolean(),
    canSwitchToYearly: z.boolean(),
    trialAvailable: z.boolean().meta({ description: 'A subscription made now would begin with a trial.' }),
    trialRefused,
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.output<typeof subscription>;

const forUsers = { service: 'billing', access: 'user' } as const;

export const getSubscription = defineRoute({
  ...forUsers,
  id: 'getSubscription',
  method: 'GET',
  path: '/api/billing/subscription',
  summary: "The signed-in user's subscription",
  answer: subscription,
});

/** How long a discount lasts: one payment, some months, or always. */
export const DISCOUNT_DURATIONS = ['once', 'repeating', 'forever'] as const;

export const createSubscription = defineRoute({
  ...forUsers,
  id: 'createSubscription',
  method: 'POST',
  path: '/api/create-subscription',
  summary: 'Begin to subscribe, or bring the tier up to date',
  description:
    'With a priceId: makes the subscription, or takes up the unfinished one, and answers the secret that the browser confirms the card with; no clientSecret means that there already is a subscription. Without: asks the payment provider how things stand and brings the tier in line.',
  // Also without a body, as without a priceId.
  body: z
    .strictObject({
      priceId: providerId('price').optional(),
      address: z
        .strictObject({
          country: z.string().regex(/^[A-Z]{2}$/),
          postalCode: z.string().trim().max(20),
        })
        .optional()
        .meta({ description: 'What the tax depends on; kept for the next payments.' }),
      promotionCode: z.string().trim().max(100).optional().meta({
        description: 'Takes its discount off; without it, what was begun with one begins anew without.',
      }),
    })
    .prefault({}),
  answer: z.object({
    clientSecret: z.string().optional(),
    intent: z
      .enum(['payment', 'setup'])
      .optional()
      .meta({ description: 'What the secret belongs to: a payment now, or the card of a trial.' }),
    tier: z.enum(TIERS),
    status: subscriptionStatus.nullable(),
    due: z.object({ amount: z.number(), tax: z.number().optional() }).optional().meta({
      description:
        'Dollars: what is charged, with tax and less the discount, and the tax of it where tax is computed. Without it, the price is charged.',
    }),
    promotion: z
      .object({
        code: z.string(),
        percentOff: z.number().nullable(),
        amountOff: z.number().nullable().meta({ description: 'Dollars.' }),
        duration: z.enum(DISCOUNT_DURATIONS),
        months: z.int().nullable().meta({ description: 'How long, where it is repeating.' }),
        endsAt: z.iso.datetime().nullable().meta({ description: 'When, where it is repeating.' }),
      })
      .optional()
      .meta({ description: 'The discount that is taken off.' }),
    trialRefused,
  }),
  errors: ['PAYMENTS_UNAVAILABLE', 'NOT_FOUND', 'EMAIL_NOT_VERIFIED', 'ADDRESS_NEEDED', 'PROMOTION_REFUSED'],
});

export const confirmPayment = defineRoute({
  ...forUsers,
  id: 'confirmPayment',
  method: 'POST',
  path: '/api/confirm-payment',
  summary: 'Say that the browser has confirmed a payment or a card',
  description:
    "Takes the id of a payment intent, or of a trial's setup intent. The payment provider is asked; the caller is not believed.",
  body: z.strictObject({ paymentIntentId: providerId('payment') }),
  answer: z.object({
    tier: z.enum(TIERS),
    status: subscriptionStatus.nullable(),
    trialRefused,
    trialOver: z.literal(true).optional().meta({
      description:
        'The card was confirmed after its trial had ended: it begins nothing, and nothing was charged.',
    }),
    paymentStatus: z.string().meta({ description: "The provider's word: succeeded, processing, …" }),
  }),
  errors: ['NOT_FOUND', 'PAYMENTS_UNAVAILABLE'],
});

export const cancelSubscription = defineRoute({
  ...forUsers,
  id: 'cancelSubscription',
  method: 'POST',
  path: '/api/billing/cancel',
  summary: 'End the subscription when the time that is paid ends',
  answer: subscription,
  errors: ['NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
});

export const resumeSubscription = defineRoute({
  ...forUsers,
  id: 'resumeSubscription',
  method: 'POST',
  path: '/api/billing/resume',
  summary: 'Take a cancellation back before it has come into effect',
  answer: subscription,
  errors: ['NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
});

export const invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    createdAt: z.iso.datetime(),
    amount: z.number().meta({ description: 'Dollars.' }),
    status: z.enum(['open', 'paid', 'void', 'uncollectible']),
    url: z.url().nullable().meta({ description: "The payment provider's page of the invoice." }),
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.output<typeof invoice>;

export const listInvoices = defineRoute({
  ...forUsers,
  id: 'listInvoices',
  method: 'GET',
  path: '/api/billing/invoices',
  summary: "The signed-in user's newest invoices",
  answer: z.array(invoice),
  errors: ['PAYMENTS_UNAVAILABLE'],
});

export const openBillingPortal = defineRoute({
  ...forUsers,
  id: 'openBillingPortal',
  method: 'POST',
  path: '/api/billing/portal',
  summary: "Open the payment provider's page for card and invoices",
  answer: z.object({ url: z.url() }),
  errors: ['NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
});

export const receiveStripeEvent = defineRoute({
  ...forAnyone,
  id: 'receiveStripeEvent',
  method: 'POST',
  path: '/api/webhooks/stripe',
  summary: 'For the payment provider only: something happened to a subscription',
  description: 'The header Stripe-Signature signs the bytes of the body.',
  body: z.unknown(),
  signedBody: { signatureHeader: 'Stripe-Signature', description: 'Signs the bytes of the body.' },
  answer: z.object({ received: z.literal(true) }),
  errors: ['INVALID_SIGNATURE', 'PAYMENTS_UNAVAILABLE'],
});
