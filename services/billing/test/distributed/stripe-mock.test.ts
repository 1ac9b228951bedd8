import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { type StripeMock, startStripeMock } from '@casewatch/testing/stripe-mock';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Provider, ProviderSubscription } from '../../src/domain/provider.ts';
import { createStripeClient } from '../../src/stripe/stripe-client.ts';
import { createStripeProvider } from '../../src/stripe/stripe-provider.ts';

/** Every request of ours, checked against Stripe's own description of its API; what it answers are samples. */

let mock: StripeMock;
let close: () => void;
let provider: Provider;
let ofProduct: Provider;
beforeAll(async () => {
  mock = await startStripeMock();
  const client = createStripeClient({ secretKey: 'sk_test_123', apiBase: mock.url, timeoutMs: 20_000 });
  close = client.close;
  const parts = {
    stripe: client.stripe,
    logger: pino({ level: 'silent' }),
    telemetry: noTelemetry,
    restMs: 1,
  };
  provider = createStripeProvider({ ...parts, offer: { lookupKeys: ['pro_monthly', 'pro_yearly'] } });
  ofProduct = createStripeProvider({ ...parts, offer: { product: 'prod_1' } });
}, 300_000);
afterAll(async () => {
  close();
  await mock.stop();
});

// Nothing else of it is read for a change.
const trial = { id: 'sub_1', itemId: 'si_1' } as ProviderSubscription;
const creation = { userId: 'u', customerId: 'cus_1', priceId: 'price_1' };

test.each<[string, () => Promise<unknown>]>([
  ['how a customer stands', () => provider.stateOf('cus_1')],
  [
    'a customer',
    () =>
      provider.createCustomer({
        userId: 'u',
        email: 'a@example.org',
        name: 'A',
        idempotencyKey: 'key-customer',
      }),
  ],
  [
    'a customer without a name',
    () => provider.createCustomer({ userId: 'u', email: null, name: null, idempotencyKey: 'k' }),
  ],
  ['customers that were created at a time', () => provider.findCustomers('u', Date.now())],
  [
    'a subscription',
    () => provider.createSubscription({ ...creation, trialDays: 0, idempotencyKey: 'key-paid' }),
  ],
  ['a trial', () => provider.createSubscription({ ...creation, trialDays: 14, idempotencyKey: 'key-trial' })],
  [
    'another price and end of a trial',
    () => provider.changeTrial(trial, { priceId: 'price_2', trialEndsMs: Date.now() + 86_400_000 }),
  ],
  ['the card of a subscription', () => provider.usePaymentMethod('sub_1', 'cus_1', 'pm_1')],
  ['a cancellation', () => provider.setCancelAtPeriodEnd({ id: 'sub_1', cancelsByDate: false }, true)],
  [
    'a cancellation taken back',
    () => provider.setCancelAtPeriodEnd({ id: 'sub_1', cancelsByDate: false }, false),
  ],
  [
    'a cancellation by a date taken back',
    () => provider.setCancelAtPeriodEnd({ id: 'sub_1', cancelsByDate: true }, false),
  ],
  ['an end', () => provider.endSubscription('sub_1')],
  ['a void invoice', () => provider.voidInvoice('in_1')],
  ['all open setups canceled', () => provider.cancelOpenSetups('cus_1')],
  ['a canceled setup', () => provider.cancelSetup('seti_1')],
  [
    'another address of a customer',
    () => provider.updateCustomer('cus_1', { email: 'ana@example.org', name: 'Ana Diaz' }),
  ],
  ['a customer removed', () => provider.removeCustomer('cus_1')],
  ['a payment', () => provider.intent('pi_1')],
  ['a card of a trial', () => provider.intent('seti_1')],
  ['whose payment', () => provider.customerOfPayment('pi_1')],
  ['the prices by their keys', () => provider.listPrices()],
  ['the prices of a product', () => ofProduct.listPrices()],
  ['the portal', () => provider.openPortal('cus_1', 'https://casewatch.test/profile')],
])('asking Stripe for %s is as its API describes', async (_what, ask) => {
  await expect(ask()).resolves.toSatisfy(() => true);
});

test('a request that Stripe does not describe is refused: the checks are able to fail', async () => {
  const answer = await fetch(`${mock.url}/v1/subscriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_123' },
    body: new URLSearchParams({ customer: 'cus_1', payment_behavior: 'none_such' }),
  });
  expect(answer.status).toBe(400);
});
