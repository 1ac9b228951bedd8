import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import {
  DAY_MS,
  errorOf,
  intentOf,
  MONTHLY,
  person,
  startBilling,
  startDirectory,
  until,
  YEARLY,
} from './billing-fixture.ts';

const billing = await forThisFile(startBilling({ replicas: 2 }));

interface AtStripe {
  id: string;
  status: string;
  items: { data: { price: { id: string } }[] };
}
async function ofUser(userId: string) {
  const { data: customers } = await billing.stripe<{ data: { id: string; metadata: { user_id: string } }[] }>(
    'GET',
    '/v1/customers?limit=100',
  );
  const mine = customers.filter(({ metadata }) => metadata.user_id === userId);
  const lists = await Promise.all(
    mine.map(({ id }) =>
      billing.stripe<{ data: AtStripe[] }>('GET', `/v1/subscriptions?status=all&customer=${id}`),
    ),
  );
  return { customers: mine.length, subscriptions: lists.flatMap(({ data }) => data) };
}
const open = (subscriptions: AtStripe[]) =>
  subscriptions.filter(({ status }) => status !== 'incomplete_expired');

test('two tabs, a double click in each, on two replicas: one customer, one subscription, one secret', async () => {
  const as = person();
  const answers = await Promise.all([0, 1, 0, 1].map((replica) => billing.begin(as, MONTHLY, replica)));
  expect(new Set(answers.map(({ clientSecret }) => clientSecret)).size).toBe(1);
  const { customers, subscriptions } = await ofUser(as.userId);
  expect({ customers, subscriptions: subscriptions.length }).toEqual({ customers: 1, subscriptions: 1 });
});

test('two tabs with two prices leave one that can be paid', async () => {
  const as = person();
  const answers = await Promise.all([billing.begin(as, MONTHLY, 0), billing.begin(as, YEARLY, 1)]);
  const { customers, subscriptions } = await ofUser(as.userId);
  expect(customers).toBe(1);
  expect(open(subscriptions)).toHaveLength(1);
  const paid = await Promise.all(answers.map(({ clientSecret }) => billing.pay(clientSecret)));
  expect(paid.filter(({ ok }) => ok)).toHaveLength(1);
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'pro',
  );
});

test('another price before paying switches to it: what was begun can’t be paid any more', async () => {
  const as = person();
  const monthly = await billing.begin(as, MONTHLY);
  const yearly = await billing.begin(as, YEARLY);
  expect(yearly.clientSecret).not.toBe(monthly.clientSecret);
  expect((await billing.pay(monthly.clientSecret)).ok).toBe(false);
  const { subscriptions } = await ofUser(as.userId);
  expect(open(subscriptions)).toMatchObject([{ items: { data: [{ price: { id: YEARLY } }] } }]);
  await billing.pay(yearly.clientSecret);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
});

test('another price at the moment of paying keeps what was paid', async () => {
  const as = person();
  const monthly = await billing.begin(as, MONTHLY);
  billing.proxy.sendTo(undefined);
  await billing.pay(monthly.clientSecret);
  billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
  expect(await billing.begin(as, YEARLY)).toEqual({ tier: 'pro', status: 'active' });
  expect((await ofUser(as.userId)).subscriptions).toHaveLength(1);
});

test('an answer that was lost on its way is read again, not created again', async () => {
  const as = person();
  await billing.control('PUT', '/faults', {
    mode: 'lost-answer',
    count: 1,
    path: '/v1/customers',
    method: 'POST',
  });
  await billing.begin(as);
  expect(await ofUser(as.userId)).toMatchObject({ customers: 1 });
  const other = person();
  await billing.control('PUT', '/faults', {
    mode: 'lost-answer',
    count: 1,
    path: '/v1/subscriptions',
    method: 'POST',
  });
  await billing.begin(other);
  const { customers, subscriptions } = await ofUser(other.userId);
  expect({ customers, subscriptions: subscriptions.length }).toEqual({ customers: 1, subscriptions: 1 });
});

test.each([
  ['at once', 0],
  ['when Stripe has forgotten the idempotency key', 2 * DAY_MS],
])(
  'a customer whose creation was not answered is the one that a later attempt uses, also with another address: %s',
  async (_, laterMs) => {
    const directory = startDirectory();
    const alone = await startBilling({ services: directory.client });
    try {
      const as = person();
      const fault = { mode: 'lost-answer', count: 2, path: '/v1/customers', method: 'POST' };
      await alone.control('PUT', '/faults', fault);
      const lost = await alone.call('POST', '/api/create-subscription', as, { priceId: MONTHLY });
      expect(lost.status).toBe(503);
      await alone.clock.advance(laterMs);
      directory.changed.set(as.userId, 'new@example.org');
      await alone.begin(as);
      const { data } = await alone.stripe<{ data: { id: string }[] }>('GET', '/v1/customers?limit=100');
      expect(data).toMatchObject([{ id: (await alone.row(as.userId))?.stripe_customer_id }]);
      await alone.changed(as.userId, { emailChanged: true });
      await until(
        async () => {
          await alone.clock.advance(5_000);
          return alone.stripe<{ email: string }>('GET', `/v1/customers/${data[0]?.id}`);
        },
        ({ email }) => email === 'new@example.org',
      );
    } finally {
      await alone.stop();
    }
  },
);

test('a process that dies between Stripe’s creation and its own save leaves one subscription', async () => {
  const as = person();
  const { clientSecret } = await billing.begin(as);
  // What a crash before the commits leaves: nothing of what Stripe answered.
  await billing.database.query('DELETE FROM billing.subscriptions WHERE user_id = $1', [as.userId]);
  expect(await billing.begin(as)).toMatchObject({ clientSecret });
  await billing.database.query('DELETE FROM billing.subscriptions WHERE user_id = $1', [as.userId]);
  await billing.database.query('UPDATE billing.customers SET stripe_customer_id = NULL WHERE user_id = $1', [
    as.userId,
  ]);
  expect(await billing.begin(as)).toMatchObject({ clientSecret });
  const { customers, subscriptions } = await ofUser(as.userId);
  expect({ customers, subscriptions: subscriptions.length }).toEqual({ customers: 1, subscriptions: 1 });
});

test('what Stripe has refused under one key is tried again under another', async () => {
  const as = person();
  await billing.control('PUT', '/faults', {
    mode: 'server-error',
    count: 2,
    path: '/v1/subscriptions',
    method: 'POST',
  });
  expect((await billing.call('POST', '/api/create-subscription', as, { priceId: MONTHLY })).status).toBe(503);
  expect(await billing.begin(as)).toMatchObject({ status: 'incomplete' });
  expect((await ofUser(as.userId)).subscriptions).toHaveLength(1);
});

test('another user’s payment is 404 and changes nothing, as is one that does not exist', async () => {
  const ana = person();
  const bob = person();
  const { clientSecret } = await billing.begin(ana);
  await billing.begin(bob);
  await billing.pay(clientSecret);
  await billing.settled();
  // The job schedules its next reconciliation at the same time.
  const kept = async () => {
    const [row] = await billing.database.query(
      `SELECT s.*, c.stripe_customer_id, c.attempt FROM billing.customers AS c
       JOIN billing.subscriptions AS s USING (user_id) WHERE user_id = $1`,
      [bob.userId],
    );
    return row;
  };
  const before = await kept();
  expect(before).toMatchObject({ tier: 'free', status: 'incomplete' });
  for (const [as, id] of [
    [bob, intentOf(clientSecret)],
    [person(), intentOf(clientSecret)],
    [bob, 'pi_000000000000000000000000'],
    [bob, 'seti_000000000000000000000000'],
    [bob, 'cus_1'],
  ] as const) {
    const answer = await billing.call('POST', '/api/confirm-payment', as, { paymentIntentId: id });
    expect([id, answer.status]).toEqual([id, 404]);
  }
  expect(await kept()).toEqual(before);
  // What is no payment is not looked up at Stripe.
  const { requests } = (await billing.control('GET', '/requests')) as { requests: { path: string }[] };
  expect(requests.filter(({ path }) => path.endsWith('/cus_1'))).toEqual([]);
  expect(await billing.subscription(bob)).toMatchObject({ tier: 'free', status: 'incomplete' });
});

test('a user who is free again can subscribe again', async () => {
  const as = await billing.subscriber();
  const row = await billing.row(as.userId);
  await billing.stripe('DELETE', `/v1/subscriptions/${row?.stripe_subscription_id}`);
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
});

test('a user whose customer Stripe does not know keeps Pro while it is paid for, and can subscribe again after it', async () => {
  const as = await billing.subscriber();
  const row = await billing.row(as.userId);
  await billing.database.query(
    `UPDATE billing.customers SET stripe_customer_id = 'cus_' || replace(user_id::text, '-', '') WHERE user_id = $1`,
    [as.userId],
  );
  for (const path of ['billing/portal', 'billing/cancel', 'create-subscription'])
    expect([path, await errorOf(await billing.call('POST', `/api/${path}`, as, {}))]).toMatchObject([
      path,
      { code: 'PAYMENTS_UNAVAILABLE' },
    ]);
  expect((await billing.call('GET', '/api/billing/invoices', as)).status).toBe(503);
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'active' });
  await billing.database.query(
    `UPDATE billing.subscriptions SET period_ends_at = now() - interval '1 year' WHERE stripe_subscription_id = $1`,
    [row?.stripe_subscription_id],
  );
  expect(await (await billing.call('GET', '/api/billing/invoices', as)).json()).toEqual([]);
  for (const path of ['portal', 'cancel'])
    expect(await errorOf(await billing.call('POST', `/api/billing/${path}`, as))).toMatchObject({
      code: 'NO_SUBSCRIPTION',
    });
  expect(await billing.sync(as)).toEqual({ tier: 'free', status: 'canceled' });
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
});

test('a user whose customer was deleted in the dashboard can subscribe again', async () => {
  const as = await billing.subscriber();
  const customer = (await billing.row(as.userId))?.stripe_customer_id;
  await billing.stripe('DELETE', `/v1/customers/${customer}`);
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
  expect(await errorOf(await billing.call('POST', '/api/billing/portal', as))).toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
});

test('a paid subscription is found behind a hundred later ones, more than a page, that ended without a payment', async () => {
  const as = await billing.subscriber();
  const customer = (await billing.row(as.userId))?.stripe_customer_id ?? '';
  // What is to be read is at Stripe: the service need not handle an event of each.
  billing.proxy.sendTo(undefined);
  for (let nth = 0; nth < 100; nth += 1) {
    const unpaid = await billing.stripe<{ id: string }>('POST', '/v1/subscriptions', {
      customer,
      'items[0][price]': MONTHLY,
      payment_behavior: 'default_incomplete',
      'payment_settings[save_default_payment_method]': 'on_subscription',
    });
    await billing.stripe('DELETE', `/v1/subscriptions/${unpaid.id}`);
  }
  await billing.advance(0);
  billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'active' });
});
