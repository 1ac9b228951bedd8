import { startConnectProxy } from '@casewatch/testing/connect-proxy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStripeClient } from '../src/stripe/stripe-client.ts';

let proxy: Awaited<ReturnType<typeof startConnectProxy>>;
beforeEach(async () => {
  proxy = await startConnectProxy();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await proxy.stop();
});

test.each([
  ['through HTTPS_PROXY', '.svc,.cluster.local', true],
  ['past it where NO_PROXY names the host', '.svc,localhost', false],
])('Stripe is called %s', async (_how, noProxy, isProxied) => {
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  vi.stubEnv('NO_PROXY', noProxy);
  const { stripe, close } = createStripeClient({
    secretKey: 'sk_test_1',
    apiBase: proxy.origin,
    timeoutMs: 5_000,
  });
  await stripe.customers.create({ email: 'a@example.com' });
  expect(proxy.asked).toEqual(isProxied ? [proxy.host] : []);
  close();
});
