import { startPaymentsSimulator } from '@casewatch/payments-simulator/payments-simulator';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** Billing and notifications are killed while plans end: each end is one notification and one e-mail. */

const KEYS = {
  secretKey: 'sk_test_simulated0123456789',
  publishableKey: 'pk_test_simulated0123456789',
  webhookSecret: 'whsec_simulated0123456789',
};
const WITHIN_MS = 120_000;
const USERS = 12;

let server: MailServer;
let payments: Awaited<ReturnType<typeof startPaymentsSimulator>>;
let product: WatchedProduct;
beforeEach(async () => {
  server = await startMailServer({});
  payments = await startPaymentsSimulator({
    ...KEYS,
    control: true,
    // As Stripe does, it goes on for longer than any restart takes.
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
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'Casewatch <notices@casewatch.test>',
      MAIL_SECRET: 'a secret for links in e-mails',
      MAIL_LEASE_SECONDS: '10',
      MAIL_POLL_MS: '100',
    },
  });
  payments.sendWebhooksTo(`${product.urls.get('billing')}/api/webhooks/stripe`);
  await control('/webhooks', { duplicate: true, shuffle: true });
});
afterEach(async () => {
  await product.stop();
  await payments.stop();
  await server.stop();
});

test(`billing and notifications killed ${KILL_ROUNDS} times while plans end: one notification and one e-mail each`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const victims = [product.of('billing')[0], product.of('notifications')[0]];
  for (let round = 1; round <= KILL_ROUNDS; round++) {
    const users = Array.from({ length: USERS }, (_, nth) => userId(round * 100 + nth));
    await giveAccounts(users);
    const subscriptions = await Promise.all(users.map(subscribe));
    await mustCome('pro for all', async () => (await tiers(users, 'pro')) === USERS, WITHIN_MS);
    const ended = Promise.all(subscriptions.map(({ id, charge }, nth) => end(nth, id, charge)));
    for (const victim of victims) {
      await victim?.kill('SIGKILL');
      await victim?.restart();
    }
    await ended;
    await mustCome('the end of all plans', async () => (await tiers(users, 'free')) === USERS, WITHIN_MS);
    await mustCome('the last e-mails', async () => (await sent(users)) === USERS, WITHIN_MS);
    expect(await notices(users)).toEqual(
      users.map((user, nth) => ({
        user_id: user,
        milestone: 'pro-ended',
        reason: nth % 2 === 0 ? 'canceled' : 'refunded',
      })),
    );
  }
  const notified = await product.database.query<{ id: string }>('SELECT id FROM notifications.notifications');
  const ids = new Set(server.mails().map(({ parsed }) => parsed.messageId));
  expect(ids).toEqual(new Set(notified.map(({ id }) => `<${id}.plan-milestone-reached@casewatch.test>`)));
});

const userId = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

async function giveAccounts(users: readonly string[]): Promise<void> {
  await product.database.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at)
     SELECT id, id || '@people.test', id || '@people.test', '-', 'A', 'B', now() FROM unnest($1::uuid[]) AS id`,
    [users],
  );
}

/** Subscribes and pays as billing and the browser do; billing finds it when it looks. */
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
  await product.database.query(
    'INSERT INTO billing.customers (user_id, stripe_customer_id, due_at, urgent) VALUES ($1, $2, now(), true)',
    [user, customer.id],
  );
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
       ON notification_id = id WHERE user_id = ANY ($1::uuid[]) AND state = 'sent'`,
    [users],
  );
  return row?.count ?? 0;
}

function notices(users: readonly string[]) {
  return product.database.query(
    `SELECT user_id::text, milestone, reason FROM notifications.notifications
     WHERE user_id = ANY ($1::uuid[]) ORDER BY user_id, seq`,
    [users],
  );
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

async function control(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${payments.url}/__control${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the payments simulator answered ${answer.status}`);
}
