import { readSettings } from '@casewatch/service-kit/settings/settings';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { expect, test } from 'vitest';
import { requireOneMode } from '../src/billing-metrics.ts';
import { settings } from '../src/config.ts';
import { KEYS, startBilling } from './billing-fixture.ts';
import { signed } from './webhook-proxy.ts';

const STRIPE = { STRIPE_API_BASE: 'https://api.stripe.com' };

test('events are counted by result, and changes of subscriptions where events are expected', async () => {
  for (const secret of [KEYS.webhookSecret, '']) {
    const telemetry = await startScraped();
    const billing = await startBilling({ telemetry, env: { STRIPE_WEBHOOK_SECRET: secret } });
    try {
      billing.proxy.sendTo(undefined);
      await billing.subscriber();
      const body = JSON.stringify({ id: 'evt_1', type: 'customer.created', data: { object: {} } });
      for (const by of [KEYS.webhookSecret, 'whsec_other']) {
        await fetch(`${billing.url}/api/webhooks/stripe`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'stripe-signature': signed(body, by, billing.clock.nowMs()),
          },
          body,
        });
      }
      const counted = secret === '' ? 0 : 1;
      expect(await telemetry.scrape()).toMatchObject({
        'casewatch_webhooks_total{result="accepted"}': 0,
        'casewatch_webhooks_total{result="other-version"}': counted,
        'casewatch_webhooks_total{result="refused"}': counted,
        casewatch_subscription_changes_total: counted,
        casewatch_test_payments: 0,
      });
    } finally {
      await billing.stop();
      await telemetry.stop();
    }
  }
});

test.each([
  ['a public address', { ...STRIPE, PUBLIC_URL: 'https://casewatch.test' }, 1],
  ['a public address, with the simulator', { PUBLIC_URL: 'https://casewatch.test' }, 0],
  ['this machine', { ...STRIPE, PUBLIC_URL: 'http://localhost:8080' }, 0],
  [
    'a public address, with live keys',
    {
      ...STRIPE,
      PUBLIC_URL: 'https://casewatch.test',
      STRIPE_SECRET_KEY: 'rk_live_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    },
    0,
  ],
])('test payments are logged at %s', async (_what, env, testPayments) => {
  const telemetry = await startScraped();
  const billing = await startBilling({ telemetry, env });
  try {
    expect(await telemetry.scrape()).toMatchObject({ casewatch_test_payments: testPayments });
  } finally {
    await billing.stop();
    await telemetry.stop();
  }
});

test.each([
  ['sk_live_1', 'pk_test_1', false],
  ['sk_test_1', 'pk_live_1', false],
  ['rk_live_1', 'pk_live_1', true],
  ['sk_test_1', 'pk_test_1', true],
  ['sk_live_1', undefined, true],
  [undefined, 'pk_live_1', true],
])('the keys %s and %s start: %s', (secret, publishable, starts) => {
  const keys = { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable };
  const check = () => requireOneMode(readSettings(settings, keys));
  if (starts) expect(check).not.toThrow();
  else expect(check).toThrow('one is of live and one of test mode');
});
