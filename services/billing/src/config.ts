import { TAX_BEHAVIORS } from '@casewatch/contracts/billing';
import { TRIAL_DAYS } from '@casewatch/contracts/limits';
import { flag, integer, setting } from '@casewatch/service-kit/settings/settings';
import { PUBLIC_URL, stripePlaces } from '@casewatch/service-kit/settings/shared-settings';
import { z } from 'zod';

/** What the billing service reads from the environment. */
export const settings = {
  STRIPE_SECRET_KEY: setting(z.string().optional(), {
    description:
      'Secret (or restricted) key of Stripe. Unset: Pro is not offered, and limits of the free plan remain; an all-in-one start on loopback then has the payments simulator (SIMULATORS).',
    secret: true,
  }),
  STRIPE_PUBLISHABLE_KEY: setting(z.string().optional(), {
    description:
      'The publishable key that belongs to STRIPE_SECRET_KEY; browsers get it. Unset: nothing new can be bought.',
  }),
  STRIPE_WEBHOOK_SECRET: setting(z.string().optional(), {
    description:
      'The signing secret of the webhook endpoint (`/api/webhooks/stripe`); several, separated by commas, while one is replaced. Unset: changes at Stripe are found by polling only.',
    secret: true,
  }),
  ...stripePlaces,
  STRIPE_PRICES: setting(
    z
      .string()
      .default('pro_monthly,pro_yearly')
      .transform((text) => text.split(',').map((key) => key.trim()))
      .pipe(z.array(z.string().min(1, 'must be lookup keys separated by commas')).max(10)),
    { description: 'The lookup keys of the prices that are offered, in the order they are shown.' },
  ),
  STRIPE_PRODUCT: setting(z.string().optional(), {
    description:
      'A product id of Stripe: all its active monthly and yearly prices are offered, instead of STRIPE_PRICES.',
  }),
  STRIPE_AUTOMATIC_TAX: setting(z.enum(TAX_BEHAVIORS).optional(), {
    description:
      'Stripe Tax computes the tax of what is bought from now on, and buyers are asked for country and postal code. Says how the prices are: without tax (`exclusive`) or with it (`inclusive`). Unset: no tax is computed.',
  }),
  STRIPE_PROMOTION_CODES: setting(flag().default(false), {
    description: 'Buyers may enter promotion codes, which are made at Stripe.',
  }),
  STRIPE_TIMEOUT_MS: setting(integer(100, 80_000).default(5_000), {
    description: 'How long one request to Stripe may take; it is retried once.',
  }),
  STRIPE_REST_MS: setting(integer(1).default(5_000), {
    description: 'How long the circuit breaker stays open after several failures in a row.',
  }),
  TRIAL_DAYS: setting(integer(0, 730).default(TRIAL_DAYS), {
    description: 'Length of the trial with which a user’s first subscription begins, in days; 0: no trial.',
  }),
  INTERNAL_SECRET: setting(
    z
      .string()
      .transform((text) => text.split(',').flatMap((secret) => secret.trim() || []))
      .optional(),
    {
      description:
        'Also seals the key by which billing remembers who has had a trial: replace it with the secret before it second in the list for one start, or remove the row of `billing.trial_key` and with it that memory. Unset in billing: no trial is given.',
      secret: true,
    },
  ),
  BILLING_GRACE_DAYS: setting(integer(0, 60).default(7), {
    description: 'How many days an unpaid renewal leaves the user on the pro plan.',
  }),
  BILLING_RECONCILE_SECONDS: setting(integer(1, 3_600).default(60), {
    description:
      'First interval, in seconds, for reconciling an unsettled subscription with Stripe; it grows to at most an hour.',
  }),
  BILLING_SWEEP_HOURS: setting(integer(1, 720).default(24), {
    description: 'Longest interval, in hours, for reconciling any customer with Stripe.',
  }),
  BILLING_POLL_MS: setting(integer(10, 60_000).default(1_000), {
    description: 'How often billing polls for due work.',
  }),
  BILLING_DATABASE_CONNECTIONS: setting(integer(1, 1_000).default(10), {
    description: 'Database connections of one billing process, besides BILLING_USERS_AT_ONCE.',
  }),
  BILLING_USERS_AT_ONCE: setting(integer(2, 1_000).default(16), {
    description:
      'For how many users one process works with Stripe concurrently; each holds a database connection.',
  }),
  PUBLIC_URL,
};

export type BillingSettings = typeof settings;
