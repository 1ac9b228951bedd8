import { startPaymentsSimulator } from '@casewatch/payments-simulator/payments-simulator';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';
import { mailSettings, startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** Identity, billing and notifications are killed at each milestone of plans: one notification and one e-mail each. */

const KEYS = {
  secretKey: 'sk_test_simulated0123456789',
  publishableKey: 'pk_test_simulated0123456789',
  webhookSecret: 'whsec_simulated0123456789',
};
const WITHIN_MS = 120_000;
const VICTIMS = ['identity', 'billing', 'notifications'] as const;
const USERS = 8;
const TRIAL_DAYS = 14;
/** Of the trials: their reminders are due. */
const PASSED_DAYS = 12;
const DAY_MS = 86_400_000;

let server: MailServer;
let payments: Awaited<ReturnType<typeof startPaymentsSimulator>>;
let product: WatchedProduct;
beforeEach(async () => {
  server = await startMailServer({});
  payments = await startPaymentsSimulator({
    ...KEYS,
    control: true,
    clock: { ...systemClock, nowMs: () => systemClock.nowMs() - PASSED_DAYS * DAY_MS },
    // As Stripe does, it continues for longer than any restart takes.
    webhookRetryDelaysMs: Array.from({ length: 120 }, () => 1_000),
  });
  product = await startWatchedProduct({
    shape: 'kafka',
    alsoRoles: ['identity', 'billing'],
    env: {
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
      STRIPE_API_BASE: payments.url,
      BILLING_POLL_MS: '100',
      BILLING_RECONCILE_SECONDS: '1',
      ...mailSettings(server),
    },
  });
  payments.sendWebhooksTo(`${product.urls.get('billing')}/api/webhooks/stripe`);
  await control('PUT', '/webhooks', { duplicate: true, shuffle: true });
});
afterEach(async () => {
  await product.stop();
  await payments.stop();
  await server.stop();
});

test(`identity, billing and notifications killed ${KILL_ROUNDS} times at each milestone: one notification and one e-mail each`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const rounds = Array.from({ length: KILL_ROUNDS }, (_, round) => ({
    trying: Array.from({ length: USERS }, (_, nth) => userId((round + 1) * 1_000 + nth)),
    paying: Array.from({ length: USERS }, (_, nth) => userId((round + 1) * 1_000 + USERS + nth)),
  }));
  await giveAccounts(rounds.flatMap(({ trying, paying }) => [...trying, ...paying]));
  const begun = await Promise.all(rounds.flatMap(({ trying }) => trying).map(beginTrial));
  await control('POST', '/clock', { advanceDays: PASSED_DAYS });

  let kills = 0;
  for (const { trying, paying } of rounds) {
    const users = [...trying, ...paying];
    const trials = begun.filter(({ user }) => trying.includes(user));
    const expected: string[] = [];
    const step = async (milestones: readonly string[], happen: () => Promise<unknown>) => {
      const happening = happen();
      // Another one at each milestone, and in the next round another at the same.
      const [victim] = product.of(VICTIMS[kills++ % VICTIMS.length] ?? 'billing');
      await victim?.kill('SIGKILL');
      await victim?.restart();
      await happening;
      expected.push(...milestones);
      const count = expected.length;
      await mustCome(milestones[0] ?? '', async () => (await sent(users)) >= count, WITHIN_MS);
      expect(await notices(users)).toEqual(expected.toSorted());
    };
    const subscriptions = await Promise.all(paying.map(subscribe));
    await mustCome('pro for all', async () => (await tiers(paying, 'pro')) === USERS, WITHIN_MS);
    await step(
      paying.map((user, nth) => `${user} pro-ended ${nth % 2 === 0 ? 'canceled' : 'refunded'}`),
      () => Promise.all(subscriptions.map(({ id, charge }, nth) => end(nth, id, charge))),
    );
    await step(
      trying.map((user) => `${user} trial-ending`),
      () => Promise.all(trials.map(({ user, customer }) => follow(user, customer))),
    );
    await step(
      trying.map((user) => `${user} payment-failed`),
      () => Promise.all(trials.map(({ id }) => stripe('POST', `/v1/subscriptions/${id}`, endOfTrial()))),
    );
    await step(
      trying.map((user) => `${user} pro-ended payment-failed`),
      () => Promise.all(trials.map(({ id }) => stripe('DELETE', `/v1/subscriptions/${id}`))),
    );
  }
  const notified = await product.database.query<{ id: string }>('SELECT id FROM notifications.notifications');
  // Without the tag of the recipient.
  const ids = new Set(server.mails().map(({ parsed }) => parsed.messageId?.replace(/\.[\w-]{16}@/, '@')));
  expect(ids).toEqual(new Set(notified.map(({ id }) => `<${id}.plan-milestone-reached@casewatch.test>`)));
});

/** A trial with a card that is declined when the trial ends. */
async function beginTrial(user: string): Promise<{ user: string; id: string; customer: string }> {
  const customer = await stripe<{ id: string }>('POST', '/v1/customers', { 'metadata[user_id]': user });
  const { id, pending_setup_intent } = await stripe<{ id: string; pending_setup_intent: string }>(
    'POST',
    '/v1/subscriptions',
    {
      customer: customer.id,
      'items[0][price]': 'price_CasewatchProMonthly',
      trial_period_days: String(TRIAL_DAYS),
      payment_behavior: 'default_incomplete',
      'payment_settings[save_default_payment_method]': 'on_subscription',
    },
  );
  await stripe('POST', `/v1/setup_intents/${pending_setup_intent}/confirm`, {
    payment_method: 'pm_card_renewalDeclined',
  });
  return { user, id, customer: customer.id };
}

const endOfTrial = () => ({
  trial_end: String(Math.ceil(Date.now() / 1_000) + 1),
  proration_behavior: 'none',
});

/** Billing finds the subscription when it looks. */
async function follow(user: string, customer: string): Promise<void> {
  await product.database.query(
    'INSERT INTO billing.customers (user_id, stripe_customer_id, due_at, urgent) VALUES ($1, $2, now(), true)',
    [user, customer],
  );
}

const userId = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

async function giveAccounts(users: readonly string[]): Promise<void> {
  await product.database.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     SELECT id, id || '@people.test', id || '@people.test', '-', 'A', 'B', now(), now(), 'key' FROM unnest($1::uuid[]) AS id`,
    [users],
  );
}

/** Subscribes and pays as billing and the browser do. */
async function subscribe(user: string): Promise<{ id: string; charge: string }> {
  const customer = await stripe<{ id: string }>('POST', '/v1/customers', { 'metadata[user_id]': user });
  const { id, latest_invoice } = await stripe<{
    id: string;
    latest_invoice: { confirmation_secret: { client_secret: string } };
  }>('POST', '/v1/subscriptions', {
    customer: customer.id,
    'items[0][price]': 'price_CasewatchProMonthly',
    payment_behavior: 'default_incomplete',
    'payment_settings[save_default_payment_method]': 'on_subscription',
    'expand[0]': 'latest_invoice.confirmation_secret',
  });
  const intent = latest_invoice.confirmation_secret.client_secret.split('_secret_')[0];
  const paid = await stripe<{ latest_charge: string }>('POST', `/v1/payment_intents/${intent}/confirm`, {
    payment_method: 'pm_card_visa',
  });
  await follow(user, customer.id);
  return { id, charge: paid.latest_charge };
}

async function end(nth: number, id: string, charge: string): Promise<void> {
  if (nth % 2 === 0) await stripe('DELETE', `/v1/subscriptions/${id}`);
  else await stripe('POST', '/v1/refunds', { charge });
}

async function tiers(users: readonly string[], tier: string): Promise<number> {
  const [row] = await product.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM billing.subscriptions WHERE user_id = ANY ($1::uuid[]) AND tier = $2',
    [users, tier],
  );
  return row?.count ?? 0;
}

async function sent(users: readonly string[]): Promise<number> {
  const [row] = await product.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notifications.notifications JOIN notifications.deliveries
       ON notification_id = notifications.id WHERE notifications.user_id = ANY ($1::uuid[]) AND state = 'sent'`,
    [users],
  );
  return row?.count ?? 0;
}

/** What each user was notified of, in the order of texts. */
async function notices(users: readonly string[]): Promise<string[]> {
  const rows = await product.database.query<{ notice: string }>(
    `SELECT concat_ws(' ', user_id, milestone, reason) AS notice FROM notifications.notifications
     WHERE user_id = ANY ($1::uuid[])`,
    [users],
  );
  return rows.map(({ notice }) => notice).toSorted();
}

async function stripe<T>(method: string, path: string, form?: Record<string, string>): Promise<T> {
  const answer = await fetch(payments.url + path, {
    method,
    headers: { authorization: `Bearer ${KEYS.secretKey}` },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  });
  if (!answer.ok) throw new Error(`the payments simulator answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function control(method: 'PUT' | 'POST', path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${payments.url}/__control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the payments simulator answered ${answer.status}`);
}
