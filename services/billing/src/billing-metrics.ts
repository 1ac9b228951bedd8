import { isOutsideLoopback } from '@casewatch/service-kit/settings/loopback';
import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { Pool } from 'pg';
import type { BillingSettings } from './config.ts';
import { readSyncAgeSeconds } from './data/provider-events.ts';

const RESULTS = ['accepted', 'other-version', 'refused'] as const;
/** `other-version`: accepted, and written for another version of the API than the code. */
export type WebhookResult = (typeof RESULTS)[number];

/** Counts events of the provider by result, and changes of subscriptions, from 0. */
export function countWebhooks(meter: Meter) {
  const webhooks = meter.createCounter('casewatch_webhooks_total', {
    description: 'Events of the payment provider by result.',
  });
  for (const result of RESULTS) webhooks.add(0, { result });
  const changes = meter.createCounter('casewatch_subscription_changes_total', {
    description: 'Changes of subscriptions, each of which the payment provider has sent events of.',
  });
  changes.add(0);
  return {
    countWebhook: (result: WebhookResult) => webhooks.add(1, { result }),
    countChange: () => changes.add(1),
  };
}

/** Measures how far billing is behind, and whether people pay with test money. */
export function measureBilling(
  meter: Meter,
  { pool, nowMs, settings }: { pool: Pool; nowMs: () => number; settings: SettingsOf<BillingSettings> },
): void {
  const isOn = settings.STRIPE_SECRET_KEY !== undefined;
  const testMoney = isTestMoney(settings) ? 1 : 0;
  readGauges(
    meter,
    {
      casewatch_subscription_sync_age_seconds:
        'Age of the oldest account or event that waits to be reconciled with the payment provider; 0 when none does.',
      casewatch_test_payments: '1 where people of a public address pay at Stripe with test money.',
    },
    async () => ({
      casewatch_subscription_sync_age_seconds: isOn ? await readSyncAgeSeconds(pool, nowMs()) : 0,
      casewatch_test_payments: testMoney,
    }),
  );
}

const LIVE = /^(?:sk|rk|pk)_live_/;
const STRIPE = /^https:\/\/api\.stripe\.com\/?$/;

export const isLive = (key: string): boolean => LIVE.test(key);

/** The simulator is no mistake. */
function isTestMoney({
  STRIPE_SECRET_KEY: key,
  STRIPE_API_BASE,
  PUBLIC_URL,
}: SettingsOf<BillingSettings>): boolean {
  return (
    key !== undefined && !isLive(key) && STRIPE.test(STRIPE_API_BASE) && isOutsideLoopback({ PUBLIC_URL })
  );
}

/** @throws SettingsError where one key moves money and the other does not */
export function requireOneMode({
  STRIPE_SECRET_KEY: secret,
  STRIPE_PUBLISHABLE_KEY: publishable,
}: SettingsOf<BillingSettings>): void {
  if (secret === undefined || publishable === undefined || isLive(secret) === isLive(publishable)) return;
  throw new SettingsError([
    'STRIPE_PUBLISHABLE_KEY: must be of the same mode as STRIPE_SECRET_KEY, one is of live and one of test mode',
  ]);
}
