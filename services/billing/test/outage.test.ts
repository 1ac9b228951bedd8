import { createServer } from 'node:http';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { startTestService } from '@casewatch/testing/test-service';
import { afterEach, expect, test } from 'vitest';
import { service } from '../src/service.ts';
import { errorOf, KEYS, MONTHLY, person, startBilling, until } from './billing-fixture.ts';

const billing = await forThisFile(
  startBilling({ env: { STRIPE_TIMEOUT_MS: '200', STRIPE_REST_MS: '1000' } }),
);
afterEach(async () => {
  await billing.control('PUT', '/faults', { mode: 'none' });
  // The breaker is half-open again, and no account is being reconciled when the next fault begins.
  await billing.advance(2_000);
  await billing.settled();
});

const fault = (mode: string, more: object = {}) => billing.control('PUT', '/faults', { mode, ...more });
const unavailable = {
  status: 503,
  code: 'PAYMENTS_UNAVAILABLE',
  error: 'Payments are not available right now. Please try again shortly.',
};

test.each(['unavailable', 'server-error', 'rate-limited', 'timeout', 'reset'])(
  'while Stripe answers with %s nothing is left half done, the error says so, and it works again afterwards',
  async (mode) => {
    await billing.prices();
    const as = person();
    await fault(mode);
    const answer = await billing.call('POST', '/api/create-subscription', as, { priceId: MONTHLY });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await errorOf(answer)).toEqual(unavailable);
    expect(await billing.subscription(as)).toMatchObject({ tier: 'free', status: null });
    await fault('none');
    // An account reconciled during the outage may still wait for an answer, and fail after the fault has ended.
    await billing.clock.advance(2_000);
    await billing.settled();
    const { clientSecret } = await billing.begin(as);
    await billing.pay(clientSecret);
    expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
  },
);

test('consecutive failures open the circuit breaker: the next request fails without a call to Stripe', async () => {
  const as = await billing.subscriber();
  await fault('unavailable');
  for (let nth = 0; nth < 3; nth++) await billing.call('POST', '/api/billing/cancel', as);
  await billing.control('DELETE', '/requests');
  expect(await errorOf(await billing.call('POST', '/api/billing/cancel', as))).toEqual(unavailable);
  expect(await billing.control('GET', '/requests')).toEqual({ requests: [] });
  await fault('none');
  expect((await billing.call('POST', '/api/billing/cancel', as)).status).toBe(503);
  await billing.clock.advance(1_000);
  expect((await billing.call('POST', '/api/billing/cancel', as)).status).toBe(200);
});

test('subscription and prices are shown while Stripe is unavailable', async () => {
  const as = await billing.subscriber();
  const prices = await billing.prices();
  await fault('unavailable');
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', card: { last4: '4242' } });
  await billing.clock.advance(3_600_000);
  expect(await billing.prices()).toEqual(prices);
});

test('a process that starts while Stripe is unavailable shows the prices that another has read', async () => {
  const prices = await billing.prices();
  const other = await startTestService(service, {
    clock: createManualClock(),
    database: billing.database,
    env: {
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_API_BASE: 'http://127.0.0.1:9',
      STRIPE_TIMEOUT_MS: '100',
    },
  });
  expect(await (await other.call('GET', '/api/pricing')).json()).toEqual(prices);
  await other.stop();
});

test('a payment during an outage of the answers is found afterwards', async () => {
  const as = person();
  const { clientSecret } = await billing.begin(as);
  await fault('unavailable', { method: 'GET' });
  await billing.pay(clientSecret);
  await billing.clock.advance(1_000);
  await fault('none');
  await until(
    async () => {
      await billing.clock.advance(5_000);
      return billing.subscription(as);
    },
    ({ tier }) => tier === 'pro',
  );
});

test('a request that Stripe fails is tried once more', async () => {
  const asked: unknown[] = [];
  const stripe = createServer(({ method, url }, res) => {
    asked.push([method, url]);
    res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"type":"api_error"}}');
  });
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve));
  const address = stripe.address();
  const other = await startTestService(service, {
    env: {
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_API_BASE: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    },
  });
  expect(await errorOf(await other.call('GET', '/api/pricing'))).toEqual(unavailable);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual(asked[0]);
  await other.stop();
  stripe.close();
});

test('an answer that is no JSON, as of a proxy in between, is an outage like any other', async () => {
  const proxy = createServer((_req, res) =>
    res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
  );
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const other = await startTestService(service, {
    env: {
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_API_BASE: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    },
  });
  expect(await errorOf(await other.call('GET', '/api/pricing'))).toEqual(unavailable);
  await other.stop();
  proxy.close();
});

test('without a secret key Pro is not offered: no prices, no trial, nothing to buy, and what is known is shown', async () => {
  const off = await startTestService(service);
  await off.service.ready();
  const as = person();
  expect(await (await off.call('GET', '/api/pricing')).json()).toEqual([]);
  expect(await (await off.call('GET', '/api/billing/config')).json()).toEqual({
    offered: false,
    publishableKey: '',
    scriptUrl: null,
    testPayments: false,
    trialDays: 0,
    tax: null,
    promotionCodes: false,
  });
  const calls: [string, string, unknown?][] = [
    ['POST', '/api/create-subscription', { priceId: MONTHLY }],
    ['POST', '/api/create-subscription', {}],
    ['POST', '/api/confirm-payment', { paymentIntentId: 'pi_1' }],
    ['POST', '/api/billing/cancel'],
    ['POST', '/api/billing/resume'],
    ['POST', '/api/billing/portal'],
    ['POST', '/api/webhooks/stripe', {}],
  ];
  for (const [method, path, body] of calls) {
    const answer = await off.call(method, path, { as, ...(body === undefined ? {} : { body }) });
    expect({ path, ...(await errorOf(answer)) }).toEqual({
      path,
      status: 503,
      code: 'PAYMENTS_UNAVAILABLE',
      error: 'Payments are not set up on this site.',
    });
  }
  const shown = await off.call('GET', '/api/billing/subscription', { as });
  expect(await shown.json()).toMatchObject({ tier: 'free', status: null, trialAvailable: false });
  await off.stop();
});

test.each([
  ['sk_test_1', true],
  ['sk_live_1', false],
  ['rk_live_1', false],
])(
  'with the secret key %s alone test payments are %s, nothing is offered, and events of Stripe are not taken',
  async (key, testPayments) => {
    const bare = await startTestService(service, {
      database: billing.database,
      env: { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: 'http://127.0.0.1:9', STRIPE_WEBHOOK_SECRET: ' , ' },
    });
    const config = await bare.call('GET', '/api/billing/config');
    expect(await config.json()).toEqual({
      offered: false,
      publishableKey: '',
      scriptUrl: null,
      testPayments,
      trialDays: 0,
      tax: null,
      promotionCodes: false,
    });
    expect(await (await bare.call('GET', '/api/pricing')).json()).toEqual([]);
    const begun = await bare.call('POST', '/api/create-subscription', {
      as: person(),
      body: { priceId: MONTHLY },
    });
    expect((await errorOf(begun)).error).toBe('Payments are not set up on this site.');
    const event = await bare.call('POST', '/api/webhooks/stripe', { body: {} });
    expect(await errorOf(event)).toMatchObject({
      status: 503,
      error: 'Payments are not set up on this site.',
    });
    await bare.stop();
  },
);
