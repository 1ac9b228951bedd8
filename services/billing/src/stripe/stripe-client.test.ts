import { expect, test } from 'vitest';
import { createStripeClient } from './stripe-client.ts';

test.each([
  ['https://api.stripe.com', { protocol: 'https', host: 'api.stripe.com', port: 443 }],
  ['https://stripe.test:8443', { protocol: 'https', host: 'stripe.test', port: '8443' }],
  ['http://127.0.0.1', { protocol: 'http', host: '127.0.0.1', port: 80 }],
  ['http://127.0.0.1:12111', { protocol: 'http', host: '127.0.0.1', port: '12111' }],
])('requests go to %s, within the time that is set', (apiBase, expected) => {
  const { stripe, close } = createStripeClient({ secretKey: 'sk_test_1', apiBase, timeoutMs: 1_234 });
  const fields = (['protocol', 'host', 'port', 'timeout'] as const).map((name) => [
    name,
    stripe.getApiField(name),
  ]);
  expect(Object.fromEntries(fields)).toEqual({ ...expected, timeout: 1_234 });
  expect(stripe.getMaxNetworkRetries()).toBe(1);
  expect(stripe.getTelemetryEnabled()).toBe(false);
  close();
});
