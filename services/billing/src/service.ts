import { downloadMyBillingData } from '@casewatch/contracts/my-data';
import { defineService, type ServiceDeps } from '@casewatch/service-definition/define-service';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { Pool } from 'pg';
import { countWebhooks, isLive, measureBilling, requireOneMode } from './billing-metrics.ts';
import { type BillingSettings, settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { createTrialClaims } from './data/trial-claims.ts';
import { userRows as users } from './data/user-rows.ts';
import type { Billing } from './domain/billing.ts';
import { createPriceList } from './domain/price-list.ts';
import type { Store } from './domain/store.ts';
import { consumes } from './events/consumes.ts';
import { createPromotionGuesses } from './http/promotion-guesses.ts';
import { createRoutes } from './http/routes.ts';
import { createReconcileAccountsJob } from './jobs/reconcile-accounts-job.ts';
import { createStripeClient } from './stripe/stripe-client.ts';
import { createStripeProvider } from './stripe/stripe-provider.ts';
import { createWebhookReader } from './stripe/webhook-signature.ts';

const HOUR_MS = 3_600_000;

/** Subscriptions and payments, with Stripe. Without Stripe's keys it runs and offers nothing. */
export const service = defineService({
  name: 'billing',
  settings,
  personalData,
  download: downloadMyBillingData,
  init: async ({
    settings,
    logger,
    clock,
    databaseUrl,
    directDatabaseUrl,
    limiters,
    bus,
    services,
    telemetry,
  }) => {
    requireOneMode(settings);
    const { store, pool, close } = openDatabase({
      url: databaseUrl,
      directUrl: directDatabaseUrl,
      maximum: settings.BILLING_DATABASE_CONNECTIONS,
      usersAtOnce: settings.BILLING_USERS_AT_ONCE,
      logger,
      bus,
    });
    const payments = openPayments(settings, { store, pool, clock, logger, limiters, services, telemetry });
    measureBilling(telemetry.meter, { pool, nowMs: clock.nowMs, settings });
    return {
      routes: [...createRoutes(store, clock, payments)],
      consumers: consumes(users, clock),
      pool,
      jobs: payments ? [payments.job] : [],
      ready: async () => payments?.trials.prepare(),
      stop: async () => {
        payments?.close();
        await close();
      },
    };
  },
});

interface PaymentParts {
  store: Store;
  pool: Pool;
  clock: Clock;
  logger: Logger;
  limiters: ServiceDeps['limiters'];
  services: ServiceClient;
  telemetry: Telemetry;
}

/** Undefined without a secret key. */
function openPayments(
  settings: SettingsOf<BillingSettings>,
  { store, pool, clock, logger, limiters, services, telemetry }: PaymentParts,
) {
  // Also where nothing can be counted: alerts read them.
  const { countWebhook, countChange } = countWebhooks(telemetry.meter);
  const secretKey = settings.STRIPE_SECRET_KEY;
  if (!secretKey) return undefined;
  const signingSecrets = (settings.STRIPE_WEBHOOK_SECRET ?? '')
    .split(',')
    .flatMap((text) => text.trim() || []);
  const { stripe, close } = createStripeClient({
    secretKey,
    apiBase: settings.STRIPE_API_BASE,
    timeoutMs: settings.STRIPE_TIMEOUT_MS,
  });
  const provider = createStripeProvider({
    stripe,
    logger,
    telemetry,
    restMs: settings.STRIPE_REST_MS,
    tax: settings.STRIPE_AUTOMATIC_TAX,
    offer: settings.STRIPE_PRODUCT
      ? { product: settings.STRIPE_PRODUCT }
      : { lookupKeys: settings.STRIPE_PRICES },
  });
  const secrets = settings.INTERNAL_SECRET ?? [];
  // What has had a trial can't be remembered without a secret.
  const trialDays = secrets.length > 0 ? settings.TRIAL_DAYS : 0;
  const trials = createTrialClaims(pool, secrets, logger);
  const billing: Billing = {
    store,
    provider,
    trials,
    services,
    clock,
    logger,
    trialDays,
    computesTax: settings.STRIPE_AUTOMATIC_TAX !== undefined,
    // Without an endpoint no event is missed.
    countChange: signingSecrets.length > 0 ? countChange : () => undefined,
    graceMs: settings.BILLING_GRACE_DAYS * 24 * HOUR_MS,
    schedule: {
      reconcileMs: settings.BILLING_RECONCILE_SECONDS * 1_000,
      sweepMs: settings.BILLING_SWEEP_HOURS * HOUR_MS,
    },
  };
  const job = createReconcileAccountsJob(billing, settings.BILLING_POLL_MS);
  return {
    billing,
    prices: createPriceList({ store, provider, clock, logger }),
    browser: {
      // Without the key a browser can't pay.
      offered: settings.STRIPE_PUBLISHABLE_KEY !== undefined,
      publishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? '',
      scriptUrl: settings.STRIPE_SCRIPT_URL ?? null,
      testPayments: !isLive(secretKey),
      trialDays: settings.STRIPE_PUBLISHABLE_KEY === undefined ? 0 : trialDays,
      tax: settings.STRIPE_AUTOMATIC_TAX ?? null,
      promotionCodes: settings.STRIPE_PROMOTION_CODES,
    },
    guesses: settings.STRIPE_PROMOTION_CODES ? createPromotionGuesses(limiters) : undefined,
    portalReturnUrl: new URL('/profile', settings.PUBLIC_URL).href,
    readEvent:
      signingSecrets.length > 0
        ? createWebhookReader(signingSecrets, { clock, count: countWebhook })
        : undefined,
    notify: job.notify,
    trials,
    job,
    close,
  };
}
