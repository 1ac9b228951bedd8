import { subscriptionChanged } from '@casewatch/contracts/events';
import { forThisFile } from '@casewatch/testing/for-this-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, intentOf, KEYS, MONTHLY, person, startBilling, until, YEARLY } from './billing-fixture.ts';
import { type SentEvent, signed } from './webhook-proxy.ts';

/**
 * Each story happens at Stripe while no event comes through. Then its events come in an order of chance, each twice,
 * one of them never; after that the state must be what Stripe says, whatever the order. What events can't show
 * (all that would say it is lost) is found by looking. A story has about a dozen events, too many for every order: each
 * run tries several at random, and says which one failed.
 */
const SAMPLES = Number(process.env.ORDER_SAMPLES ?? 10);
const RELEVANT =
  /^(customer\.(subscription|deleted)|invoice\.|payment_intent\.|setup_intent\.|charge\.(refund|dispute)|refund\.)/;

const billing = await forThisFile(startBilling({ env: { TRIAL_DAYS: '14', BILLING_GRACE_DAYS: '40' } }));

interface Story {
  userId: string;
  events: SentEvent[];
}
interface End {
  tier: string;
  status: string | null;
}

/** Pays a first subscription without events; the trial is used up by one that ended. */
async function paid(card = 'pm_card_visa', price = YEARLY): Promise<{ userId: string; customer: string }> {
  const as = person();
  const trial = await billing.begin(as);
  await billing.pay(trial.clientSecret);
  await billing.sync(as);
  const before = await billing.row(as.userId);
  await billing.stripe('DELETE', `/v1/subscriptions/${before?.stripe_subscription_id}`);
  await billing.sync(as);
  const { clientSecret } = await billing.begin(as, price);
  await billing.pay(clientSecret, card);
  await authenticated(clientSecret);
  return { userId: as.userId, customer: before?.stripe_customer_id ?? '' };
}

/** The payer ends the dialog of the bank, where there is one. */
const authenticated = (clientSecret: string | undefined) =>
  billing.control('POST', `/intents/${intentOf(clientSecret)}/authenticate`, {});

/** Runs `happen` while events are kept back, and gathers those that it caused. */
async function storyOf(happen: () => Promise<{ userId: string }>): Promise<Story> {
  billing.proxy.sendTo(undefined);
  const from = billing.proxy.events.length;
  const { userId } = await happen();
  await until(
    async () => (await billing.control('GET', '/webhooks')) as { waiting: number },
    ({ waiting }) => waiting === 0,
  );
  const row = await billing.row(userId);
  const events = billing.proxy.events
    .slice(from)
    .filter(
      ({ type, body }) =>
        RELEVANT.test(type) &&
        (row?.stripe_customer_id ? body.includes(row.stripe_customer_id) || /dispute/.test(type) : true),
    );
  return { userId, events };
}

const stories: [string, End, () => Promise<Story>][] = [
  ['subscribe', { tier: 'pro', status: 'active' }, () => storyOf(() => paid())],
  [
    'a trial becomes paid',
    { tier: 'pro', status: 'active' },
    () =>
      storyOf(async () => {
        const as = person();
        const { clientSecret } = await billing.begin(as);
        await billing.pay(clientSecret);
        // Where Stripe gives the card to no one, the product has to: it looks within minutes.
        await until(
          async () => {
            await billing.clock.advance(10_000);
            return billing.subscription(as);
          },
          ({ tier }) => tier === 'pro',
        );
        await billing.control('POST', '/clock', { advanceDays: 15 });
        return as;
      }),
  ],
  [
    'a payment fails, then it recovers',
    { tier: 'pro', status: 'active' },
    () =>
      storyOf(async () => {
        const { userId } = await paid('pm_card_renewalDeclined');
        await billing.control('POST', '/clock', { advanceDays: 367 });
        const { clientSecret, intent } = await billing.begin({ userId, tier: 'pro', name: 'Ana' });
        expect(intent).toBe('payment');
        await billing.pay(clientSecret);
        return { userId };
      }),
  ],
  [
    'a switch to yearly payment is authenticated, at the second try',
    { tier: 'pro', status: 'active' },
    () =>
      storyOf(async () => {
        const { userId, customer } = await paid('pm_card_authenticationRequired', MONTHLY);
        const query = `?status=all&limit=1&customer=${customer}`;
        const { data } = await billing.stripe<{ data: { id: string; items: { data: { id: string }[] } }[] }>(
          'GET',
          `/v1/subscriptions${query}`,
        );
        for (const isLast of [false, true]) {
          const change = {
            'items[0][id]': data[0]?.items.data[0]?.id ?? '',
            'items[0][price]': YEARLY,
            proration_behavior: 'always_invoice',
            payment_behavior: 'pending_if_incomplete',
            'expand[0]': 'latest_invoice.confirmation_secret',
          };
          const { latest_invoice } = await billing.stripe<{
            latest_invoice: { confirmation_secret: { client_secret: string } };
          }>('POST', `/v1/subscriptions/${data[0]?.id}`, change);
          const { client_secret } = latest_invoice.confirmation_secret;
          await billing.pay(client_secret, 'pm_card_authenticationRequired');
          if (isLast) await authenticated(client_secret);
        }
        await billing.control('POST', '/clock', { advanceDays: 1 });
        return { userId };
      }),
  ],
  [
    'canceled at the end of the period',
    { tier: 'free', status: 'canceled' },
    () =>
      storyOf(async () => {
        const { userId } = await paid();
        await billing.call('POST', '/api/billing/cancel', { userId });
        await billing.control('POST', '/clock', { advanceDays: 367 });
        return { userId };
      }),
  ],
  [
    'paid back',
    { tier: 'free', status: 'canceled' },
    () =>
      storyOf(async () => {
        const { userId, customer } = await paid();
        const charge = await lastCharge(customer);
        await billing.stripe('POST', '/v1/refunds', { charge });
        return { userId };
      }),
  ],
  [
    'disputed and lost',
    { tier: 'free', status: 'canceled' },
    () =>
      storyOf(async () => {
        const { userId, customer } = await paid();
        const charge = await lastCharge(customer);
        const dispute = (await billing.control('POST', `/charges/${charge}/dispute`, {})) as { id: string };
        await billing.control('POST', `/disputes/${dispute.id}/close`, { outcome: 'lost' });
        return { userId };
      }),
  ],
  [
    'deleted at Stripe',
    { tier: 'free', status: 'canceled' },
    () =>
      storyOf(async () => {
        const { userId } = await paid();
        const row = await billing.row(userId);
        await billing.stripe('DELETE', `/v1/customers/${row?.stripe_customer_id}`);
        return { userId };
      }),
  ],
];

async function lastCharge(customer: string): Promise<string> {
  const { data } = await billing.stripe<{ data: { id: string }[] }>(
    'GET',
    `/v1/charges?customer=${customer}`,
  );
  return data[0]?.id ?? '';
}

let sent = 0;
/** Delivers as Stripe does, several in flight at once, under ids of their own so that a story can be replayed. */
async function deliver(events: readonly SentEvent[], round: number): Promise<void> {
  const statuses = await Promise.all(
    events.map(async ({ id, body }) => {
      const text = body.replaceAll(id, `${id}_${round}`);
      const answer = await fetch(`${billing.url}/api/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': signed(text, KEYS.webhookSecret, billing.clock.nowMs()),
        },
        body: text,
      });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  expect(statuses).toEqual(events.map(() => 200));
}

/** As it was before any of the events came: nothing known but the customer. */
async function forget(userId: string): Promise<void> {
  await billing.database.query('DELETE FROM billing.subscriptions WHERE user_id = $1', [userId]);
  await billing.database.query(
    'UPDATE billing.customers SET due_at = NULL, urgent = false WHERE user_id = $1',
    [userId],
  );
}

async function stateOf(userId: string) {
  const [row] = await billing.database.query(
    `SELECT s.*, c.urgent FROM billing.subscriptions AS s JOIN billing.customers AS c USING (user_id) WHERE user_id = $1`,
    [userId],
  );
  return row;
}

async function deliverInOrder({ userId, events }: Story, order: readonly number[], lost: number) {
  sent += 1;
  await forget(userId);
  const published = (await billing.published()).length;
  const deliveries = order.flatMap((index) =>
    index % events.length === lost ? [] : (events[index % events.length] ?? []),
  );
  await deliver(deliveries, sent);
  await until(
    async () =>
      billing.database.query<{ open: number }>(
        `SELECT (SELECT count(*) FROM billing.customers WHERE urgent)::int
              + (SELECT count(*) FROM billing.provider_events WHERE done_at IS NULL)::int AS open`,
      ),
    (rows) => rows[0]?.open === 0,
  );
  const changes = (await billing.published())
    .slice(published)
    .filter(({ name }) => name === subscriptionChanged.name)
    .map(({ payload }) => subscriptionChanged.decode(payload));
  // How often the row was written on the way depends on the order.
  const versions = changes.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(versions.length);
  return {
    state: await stateOf(userId),
    changes: changes.map(({ version: _version, ...change }) => change),
  };
}

test.each(stories)(
  '%s: ends the same in every order, with every event twice and one lost',
  {
    timeout: 120_000,
  },
  async (_name, end, happen) => {
    const story = await happen();
    const { userId, events } = story;
    expect(events.length).toBeGreaterThan(1);
    const { state: expected, changes } = await deliverInOrder(
      story,
      events.map((_, index) => index),
      -1,
    );
    expect(expected).toMatchObject(end);
    expect(changes.at(-1)).toEqual({ userId, ...end });
    const twice = [...events, ...events].map((_, index) => index);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(twice, { minLength: twice.length }),
        fc.nat({ max: events.length - 1 }),
        async (order, lost) => {
          const { state, changes: changesNow } = await deliverInOrder(story, order, lost);
          expect([state, changesNow]).toEqual([expected, changes]);
        },
      ),
      { numRuns: SAMPLES },
    );
  },
);

test('a user without any event is reconciled on schedule', async () => {
  const { userId } = await storyOf(() => paid());
  await billing.database.query('UPDATE billing.customers SET due_at = $2 WHERE user_id = $1', [
    userId,
    new Date(billing.clock.nowMs() + DAY_MS),
  ]);
  await billing.clock.advance(DAY_MS);
  await until(
    async () => {
      await billing.clock.advance(1_000);
      return billing.row(userId);
    },
    (row) => row?.status === 'active' && row.tier === 'pro',
  );
});
