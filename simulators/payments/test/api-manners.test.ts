import fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { API_VERSION } from '../src/event-log.ts';
import { sdk, startPayments } from './start-payments.ts';
import { MONTHLY } from './subscribe.ts';

describe('idempotency keys', () => {
  it('make any number of repetitions of any requests do each once', async () => {
    await using payments = await startPayments();
    const orders = fc.array(fc.record({ key: fc.nat({ max: 4 }), email: fc.nat({ max: 1 }) }), {
      maxLength: 12,
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(orders, async (calls) => {
        run += 1;
        const first = new Map<number, { email: number; id: string }>();
        for (const { key, email } of calls) {
          const earlier = first.get(key);
          const asked = payments.stripe.customers.create(
            { email: `${email}@example.com` },
            { idempotencyKey: `run-${run}-${key}` },
          );
          if (earlier && earlier.email !== email) {
            await expect(asked).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
          } else {
            const { id } = await asked;
            expect(id).toBe(earlier?.id ?? id);
            first.set(key, { email, id });
          }
        }
        expect(new Set([...first.values()].map(({ id }) => id)).size).toBe(first.size);
      }),
      { numRuns: 30 },
    );
  });

  it('belong to one endpoint, say when an answer is a repeated one, and end after a day', async () => {
    await using payments = await startPayments();
    const options = { idempotencyKey: 'k' };
    const made = await payments.stripe.customers.create({}, options);
    const again = await payments.stripe.customers.create({}, options);
    expect(again.lastResponse.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    await expect(
      payments.stripe.billingPortal.sessions.create({ customer: made.id }, options),
    ).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    await payments.advanceDays(1);
    expect((await payments.stripe.customers.create({}, options)).id).not.toBe(made.id);
  });

  it('keep nothing of a request that was refused before it began', async () => {
    await using payments = await startPayments();
    const options = { idempotencyKey: 'k' };
    await expect(
      payments.stripe.billingPortal.sessions.create({ customer: 'cus_none' }, options),
    ).rejects.toMatchObject({ code: 'resource_missing' });
    const { id: customer } = await payments.stripe.customers.create({});
    await payments.stripe.billingPortal.sessions.create({ customer }, options);
  });

  it('let the SDK repeat a request whose answer was lost without doing it twice', async () => {
    await using payments = await startPayments();
    await payments.control('PUT', '/faults', { mode: 'lost-answer', count: 1 });
    await sdk(payments.url, { maxNetworkRetries: 1 }).customers.create({ email: 'a@example.com' });
    expect((await payments.stripe.customers.list({})).data).toHaveLength(1);
  });
});

describe('errors', () => {
  it('say that a key is wrong, and show little of it', async () => {
    await using payments = await startPayments();
    const { hostname, port } = new URL(payments.url);
    const outsider = new Stripe('sk_test_somebodyelses', { host: hostname, port, protocol: 'http' });
    await expect(outsider.customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      message: 'Invalid API Key provided: sk_test_*********lses',
    });
    expect((await fetch(`${payments.url}/v1/customers`)).status).toBe(401);
  });

  it('name the invalid parameter', async () => {
    await using payments = await startPayments();
    const post = (path: string, params: object) => payments.stripe.rawRequest('POST', path, { ...params });
    await expect(post('/v1/subscriptions', { items: [{ price: MONTHLY }] })).rejects.toMatchObject({
      param: 'customer',
    });
    await expect(post('/v1/customers', { mail: 'x' })).rejects.toMatchObject({
      param: 'mail',
    });
    await expect(
      post('/v1/subscriptions', { customer: 'cus_1', items: [{ price: MONTHLY, plan: 'two' }] }),
    ).rejects.toMatchObject({ param: 'items[0][plan]' });
    await expect(post('/v1/refunds', { charge: 'ch_1', amount: 'two' })).rejects.toMatchObject({
      param: 'amount',
    });
    await expect(payments.stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such customer: 'cus_none'",
    });
    await expect(payments.stripe.prices.list({ expand: ['data.currency'] })).rejects.toMatchObject({
      message: 'This property cannot be expanded (data.currency).',
    });
    await expect(payments.stripe.rawRequest('GET', '/v1/coupons')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('carry a request id, as every answer does, and the version of the request', async () => {
    await using payments = await startPayments();
    const { lastResponse } = await payments.stripe.customers.create({});
    expect(lastResponse.requestId).toMatch(/^req_/);
    expect(lastResponse.apiVersion).toBe(API_VERSION);
    await expect(payments.stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      requestId: expect.stringMatching(/^req_/),
    });
  });
});

describe('lists', () => {
  it('show the newest first, and say whether there are more', async () => {
    await using payments = await startPayments();
    const made: string[] = [];
    for (let index = 0; index < 4; index += 1) made.unshift((await payments.stripe.customers.create({})).id);
    const { data, has_more } = await payments.stripe.customers.list({ limit: 3 });
    expect(data.map(({ id }) => id)).toEqual(made.slice(0, 3));
    expect(has_more).toBe(true);
  });

  it('of customers leave out those of other times', async () => {
    await using payments = await startPayments();
    const { customers } = payments.stripe;
    const { id, created } = await customers.create({});
    const listed = async (time: { gte?: number; lte?: number }) =>
      (await customers.list({ created: time })).data.map((customer) => customer.id);
    expect(await listed({ gte: created, lte: created })).toEqual([id]);
    expect(await listed({ gte: created + 1 })).toEqual([]);
    expect(await listed({ lte: created - 1 })).toEqual([]);
  });

  it('continue after a cursor until the last page, and refuse one that is not in the list', async () => {
    await using payments = await startPayments();
    const { customers } = payments.stripe;
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) made.unshift((await customers.create({})).id);
    const all = await customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(made);
    const last = await customers.list({ limit: 2, starting_after: made[2] ?? '' });
    expect([last.data.map(({ id }) => id), last.has_more]).toEqual([made.slice(3), false]);
    await expect(customers.list({ starting_after: 'cus_none' })).rejects.toMatchObject({
      param: 'starting_after',
    });
  });

  it('show what a deleted customer had, and are refused for one that never was', async () => {
    await using payments = await startPayments();
    const { charges, customers, invoices, subscriptions } = payments.stripe;
    const { id } = await customers.create({});
    await customers.del(id);
    for (const lists of [charges, invoices, subscriptions]) {
      expect((await lists.list({ customer: id })).data).toEqual([]);
      await expect(lists.list({ customer: 'cus_none' })).rejects.toMatchObject({
        statusCode: 400,
        code: 'resource_missing',
        param: 'customer',
      });
    }
  });

  it('offer the monthly and the yearly price from the start', async () => {
    await using payments = await startPayments();
    const { data } = await payments.stripe.prices.list({
      active: true,
      lookup_keys: ['pro_monthly', 'pro_yearly'],
    });
    expect(data).toMatchObject([
      { lookup_key: 'pro_yearly', unit_amount: 9_000, recurring: { interval: 'year' } },
      { lookup_key: 'pro_monthly', unit_amount: 900, product: 'prod_CasewatchPro' },
    ]);
  });
});

it('speaks the API version that the SDK pins', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});
