import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sdk, startPayments } from './start-payments.ts';
import { beginSubscription, readSubscription, subscribe } from './subscribe.ts';

describe('the control API', () => {
  it('is off by default, and refuses a page that reaches this machine under another name', async () => {
    await using closed = await startPayments({ control: false });
    expect((await closed.control('GET', '')).status).toBe(404);
    await using open = await startPayments();
    const status = await new Promise((resolve, reject) => {
      request(`${open.url}/__control`, { headers: { Host: 'rebound.example' } }, (res) => {
        res.resume();
        resolve(res.statusCode);
      })
        .once('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });

  it.each([
    ['PUT', '/webhooks', { drop: -1 }],
    ['PUT', '/webhooks', { twice: true }],
    ['POST', '/clock', {}],
    ['POST', '/clock', { advanceDays: -1 }],
    ['PUT', '/faults', { mode: 'unheard-of' }],
    ['PUT', '/behavior', { trialCard: 'unheard-of' }],
    ['PUT', '/behavior', { unheardOf: true }],
  ])('refuses %s %s %j and says why', async (method, where, body) => {
    await using payments = await startPayments();
    const answer = await payments.control(method, where, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\S/) });
  });

  it('says by which switches something was decided, also by time alone', async () => {
    await using payments = await startPayments();
    const decided = async () => (await payments.control('GET', '/behavior')).json();
    await payments.control('PUT', '/behavior', { trialCard: 'on-no-one' });
    expect(await decided()).toMatchObject({
      trialCard: 'on-no-one',
      paidSwitch: 'made-at-once',
      consulted: [],
    });
    await beginSubscription(payments, { trial_period_days: 14 });
    expect(await decided()).toMatchObject({ consulted: [] });
    await payments.advanceDays(15);
    expect(await decided()).toMatchObject({ consulted: ['setupAfterTrial'] });
    await subscribe(payments, 'pm_card_visa', { trial_period_days: 14 });
    await payments.control('PUT', '/behavior', { trialCard: 'on-subscription' });
    expect(await decided()).toMatchObject({ consulted: ['setupAfterTrial', 'trialCard'] });
  });

  it('takes commands as JSON only, which another site’s page can’t send', async () => {
    await using payments = await startPayments();
    const body = JSON.stringify({ advanceDays: 1 });
    expect((await fetch(`${payments.url}/__control/clock`, { method: 'POST', body })).status).toBe(415);
  });

  it('shows the requests that came, without card numbers', async () => {
    await using payments = await startPayments();
    await payments.stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'k' });
    await payments.browser('POST', '/v1/setup_intents/seti_1/confirm', {
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][cvc]': '987',
    });
    const shown = await (await payments.control('GET', '/requests')).text();
    expect(JSON.parse(shown)).toMatchObject({
      requests: [
        {
          method: 'POST',
          path: '/v1/customers',
          params: { email: 'a@example.com' },
          idempotencyKey: 'k',
          status: 200,
        },
        { path: '/v1/setup_intents/seti_1/confirm', status: 400 },
      ],
    });
    expect(shown).not.toMatch(/4242424242424242|987/);
  });

  it.each([
    ['unavailable', 1, { type: 'StripeAPIError', statusCode: 503 }],
    ['server-error', 1, { type: 'StripeAPIError', statusCode: 500 }],
    ['rate-limited', 1, { type: 'StripeRateLimitError', statusCode: 429 }],
    // The SDK takes a cut connection for an idle one that was closed, and repeats the request once.
    ['reset', 2, { type: 'StripeConnectionError' }],
    ['timeout', 1, { type: 'StripeConnectionError' }],
  ])('makes the API %s for the given number of requests, and nothing is done', async (mode, count, error) => {
    await using payments = await startPayments();
    await payments.control('PUT', '/faults', { mode, count, path: '/v1/customers', method: 'POST' });
    const stripe = sdk(payments.url, { timeout: 200 });
    await expect(stripe.customers.create({})).rejects.toMatchObject(error);
    expect((await stripe.customers.list({})).data).toHaveLength(0);
    await stripe.customers.create({});
  });
});

describe('the state file', () => {
  let folder: string;
  let stateFile: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'payments-'));
    stateFile = path.join(folder, 'below', 'state.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets subscriptions, keys and the clock outlive the process', async () => {
    const before = await startPayments({ stateFile });
    const begun = await subscribe(before);
    await before.advanceDays(31);
    await before.stripe.customers.create({ email: 'k@example.com' }, { idempotencyKey: 'k' });
    await before[Symbol.asyncDispose]();
    expect(readdirSync(path.dirname(stateFile))).toEqual(['state.json']);

    await using after = await startPayments({ stateFile });
    expect(await readSubscription(after, begun)).toMatchObject({ status: 'active' });
    expect((await after.stripe.charges.list({ customer: begun.customer })).data).toHaveLength(2);
    const { lastResponse } = await after.stripe.customers.create(
      { email: 'k@example.com' },
      { idempotencyKey: 'k' },
    );
    expect(lastResponse.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(await (await after.control('GET', '')).json()).toMatchObject({ now: '2026-02-01T12:00:00.000Z' });
  });

  it('sends after a restart what was not taken before it', async () => {
    const before = await startPayments({ stateFile });
    await before.control('PUT', '/webhooks', { paused: true });
    await before.stripe.customers.create({});
    await before[Symbol.asyncDispose]();
    await using after = await startPayments({ stateFile });
    await after.inbox.until(1);
    expect(after.inbox.types()).toEqual(['customer.created']);
  });

  it('is named when it can’t be read', async () => {
    mkdirSync(path.dirname(stateFile));
    writeFileSync(stateFile, '{}');
    await expect(startPayments({ stateFile })).rejects.toThrow(stateFile);
  });
});
