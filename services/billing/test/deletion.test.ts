import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { DAY_MS, errorOf, KEYS, MONTHLY, person, startBilling, until } from './billing-fixture.ts';
import { signed } from './webhook-proxy.ts';

const billing = await forThisFile(startBilling({ env: { TRIAL_DAYS: '0' } }));

const kept = (userId: string, { database } = billing) =>
  database.query(
    `SELECT email, name, stripe_customer_id, due_at, deleted_at IS NOT NULL AS deleted,
       (SELECT count(*)::int FROM billing.subscriptions WHERE user_id = $1) AS subscriptions
     FROM billing.customers WHERE user_id = $1`,
    [userId],
  );
const TOMBSTONE = {
  email: null,
  name: null,
  stripe_customer_id: null,
  due_at: null,
  deleted: true,
  subscriptions: 0,
};
const statusAtStripe = async (id: string | null | undefined) =>
  (await billing.subscriptionsAtStripe()).find((each) => each.id === id)?.status;

/** The jobs get their turns until only the tombstone is left. */
const closed = (userId: string, service = billing) =>
  until(
    async () => {
      await service.clock.advance(5_000);
      return kept(userId, service);
    },
    ([row]) => row?.stripe_customer_id === null && row.due_at === null,
  );

test('the customer at Stripe has the name and address of the account', async () => {
  const as = person();
  await billing.signedUp(as.userId);
  await billing.begin(as);
  const row = await billing.row(as.userId);
  expect(await billing.stripe('GET', `/v1/customers/${row?.stripe_customer_id}`)).toMatchObject({
    email: 'ana@example.org',
    name: 'Ana Diaz',
    metadata: { user_id: as.userId },
  });
});

test('a deleted user’s subscription ends, the customer is removed, and only the tombstone stays', async () => {
  const as = await billing.subscriber();
  await billing.signedUp(as.userId);
  const row = await billing.row(as.userId);
  await billing.deleted(as.userId);
  expect(await closed(as.userId)).toEqual([TOMBSTONE]);
  expect(await statusAtStripe(row?.stripe_subscription_id)).toBe('canceled');
  expect(await billing.stripe('GET', `/v1/customers/${row?.stripe_customer_id}`)).toMatchObject({
    deleted: true,
  });
});

test('a deletion during an outage of Stripe is completed afterwards', async () => {
  const as = await billing.subscriber();
  const row = await billing.row(as.userId);
  await billing.control('PUT', '/faults', { mode: 'unavailable' });
  await billing.deleted(as.userId);
  await billing.clock.advance(60_000);
  expect(await kept(as.userId)).toMatchObject([{ email: null, deleted: true, subscriptions: 0 }]);
  const invoices = await billing.call('GET', '/api/billing/invoices', as);
  expect(await invoices.json()).toEqual([]);
  expect((await billing.call('POST', '/api/billing/portal', as)).status).toBe(409);
  await billing.control('PUT', '/faults', { mode: 'none' });
  expect(await statusAtStripe(row?.stripe_subscription_id)).toBe('active');
  expect(await closed(as.userId)).toEqual([TOMBSTONE]);
  expect(await statusAtStripe(row?.stripe_subscription_id)).toBe('canceled');
});

test('a deleted user whose customer Stripe does not know, as with the key of another account, waits to be closed until it does', async () => {
  const as = await billing.subscriber();
  const row = await billing.row(as.userId);
  const isCustomer = (id: unknown) =>
    billing.database.query('UPDATE billing.customers SET stripe_customer_id = $2 WHERE user_id = $1', [
      as.userId,
      id,
    ]);
  await isCustomer('cus_unknown');
  await billing.deleted(as.userId);
  await billing.clock.advance(60_000);
  expect(await kept(as.userId)).toMatchObject([{ deleted: true, stripe_customer_id: 'cus_unknown' }]);
  await isCustomer(row?.stripe_customer_id);
  expect(await closed(as.userId)).toEqual([TOMBSTONE]);
  expect(await statusAtStripe(row?.stripe_subscription_id)).toBe('canceled');
});

test('late events neither restore a deleted user nor publish anything', async () => {
  const as = await billing.subscriber();
  const sent = billing.proxy.events.at(-1);
  await billing.deleted(as.userId);
  await closed(as.userId);
  const before = (await billing.published()).length;
  await billing.signedUp(as.userId);
  await billing.deleted(as.userId);
  const body = (sent?.body ?? '').replaceAll(sent?.id ?? '', 'evt_late');
  await fetch(`${billing.url}/api/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signed(body, KEYS.webhookSecret, billing.clock.nowMs()),
    },
    body,
  });
  expect(await closed(as.userId)).toEqual([TOMBSTONE]);
  expect((await billing.published()).length).toBe(before);
});

test('a subscription begun while the account is deleted leaves nothing at Stripe', async () => {
  const as = person();
  await billing.signedUp(as.userId);
  const beginning = billing.call('POST', '/api/create-subscription', as, { priceId: MONTHLY });
  await billing.deleted(as.userId);
  const answer = await beginning;
  expect([200, 401, 503]).toContain(answer.status);
  await answer.arrayBuffer();
  expect(await closed(as.userId)).toEqual([TOMBSTONE]);
  const late = await billing.call('POST', '/api/create-subscription', as, { priceId: MONTHLY });
  expect(await errorOf(late)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  const { data } = await billing.stripe<{ data: { metadata: { user_id: string } }[] }>(
    'GET',
    '/v1/customers?limit=100',
  );
  expect(data.filter(({ metadata }) => metadata.user_id === as.userId)).toEqual([]);
});

test.each([
  ['soon after it', 0],
  ['when Stripe has forgotten the idempotency key', 3 * DAY_MS],
])(
  'a customer whose creation was not answered is removed with the account: deleted %s',
  async (_, laterMs) => {
    // A service without other accounts: as the clock moves, theirs fall due.
    const alone = await startBilling({ env: { TRIAL_DAYS: '0' } });
    try {
      const as = person();
      await alone.signedUp(as.userId);
      const customers = async () =>
        (await alone.stripe<{ data: unknown[] }>('GET', '/v1/customers?limit=100')).data.length;
      // The library repeats the request once.
      const fault = { mode: 'lost-answer', count: 2, path: '/v1/customers', method: 'POST' };
      await alone.control('PUT', '/faults', fault);
      const answer = await alone.call('POST', '/api/create-subscription', as, { priceId: MONTHLY });
      expect([answer.status, await customers()]).toEqual([503, 1]);
      await alone.clock.advance(laterMs);
      // Of another user, at the same time.
      await alone.stripe('POST', '/v1/customers', { 'metadata[user_id]': person().userId });
      await alone.deleted(as.userId);
      expect(await closed(as.userId, alone)).toEqual([TOMBSTONE]);
      expect(await customers()).toBe(1);
    } finally {
      await alone.stop();
    }
  },
);

test('a user who never paid is erased without a request to Stripe', async () => {
  // A service without other accounts: as the clock moves, theirs fall due and are read at Stripe.
  const alone = await startBilling({ env: { TRIAL_DAYS: '0' } });
  try {
    const { userId } = person();
    await alone.signedUp(userId);
    await alone.control('DELETE', '/requests');
    await alone.deleted(userId);
    expect(await closed(userId, alone)).toEqual([TOMBSTONE]);
    expect(await alone.control('GET', '/requests')).toEqual({ requests: [] });
  } finally {
    await alone.stop();
  }
});
