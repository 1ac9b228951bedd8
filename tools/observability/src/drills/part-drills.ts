import { createHmac } from 'node:crypto';
import { until } from './drill-actions.ts';
import type { DrilledProduct } from './drilled-product.ts';
import type { Drill } from './run-drill.ts';

const NOWHERE = 'http://127.0.0.1:1';
const QUOTA = String(10_000_000);
const TEN_MINUTES = 600;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
/** Keeps events from being handled; what reads the tables continues. */
const LOCK_INBOX = 'LOCK TABLE monitoring.inbox IN EXCLUSIVE MODE';

const unlock = ({ runbookSql }: DrilledProduct) => runbookSql('database-pool.md', 'pg_terminate_backend');

/** What waits of a channel is as old as if the fault had lasted for 40 minutes. */
async function waitAndAge({ sql }: DrilledProduct, channel: 'email' | 'push'): Promise<void> {
  const failed = `SELECT FROM notifications.deliveries WHERE channel = '${channel}' AND state = 'queued' AND attempts > 0`;
  await until('a failed attempt', async () => (await sql(failed)).length > 0);
  await sql(
    `UPDATE notifications.deliveries SET queued_at = queued_at - interval '40 minutes'
     WHERE channel = '${channel}' AND state = 'queued'`,
  );
}

/** The time until the next attempt passes. */
async function retryNow({ sql }: DrilledProduct, channel: 'email' | 'push'): Promise<void> {
  await sql(
    `UPDATE notifications.deliveries SET next_attempt_at = now() WHERE channel = '${channel}' AND state = 'queued'`,
  );
}

/** Sends an event of the payment provider as of an old version of its API, signed with this secret. */
async function sendEvent(productUrl: string, secret: string): Promise<void> {
  const body = JSON.stringify({
    id: 'evt_drill',
    type: 'invoice.paid',
    api_version: '2020-08-27',
    data: { object: {} },
  });
  const seconds = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  await fetch(`${productUrl}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` },
    body,
  });
}

export const PART_DRILLS: readonly Drill[] = [
  {
    alert: 'CasewatchChecksLate',
    breaks: 'monitoring has a wrong address of cases, and a check has been due for three hours',
    async break({ roleOf, watchMovedCases }) {
      await roleOf('monitoring').restart({ CASES_URL: NOWHERE });
      await watchMovedCases(1, 3 * 3_600);
    },
    fixes: 'checks end with `unasked`: the way to cases is restored',
    async fix({ roleOf, product, allNotified }) {
      await roleOf('monitoring').restart({ CASES_URL: product.urls.get('cases') ?? '' });
      await allNotified();
    },
  },
  {
    alert: 'CasewatchChecksExceedBudget',
    breaks: 'the quota of the day is spent, and a check has been due for three hours',
    async break({ roleOf, lookUp, watchMovedCases }) {
      await lookUp(2);
      await roleOf('cases').restart({ AGENCY_CALLS_PER_DAY: '1' });
      await watchMovedCases(1, 3 * 3_600);
    },
    fixes: 'the agency raises the quota, and so does the setting',
    // Monitoring tries again within a minute.
    fix: ({ roleOf }) => roleOf('cases').restart({ AGENCY_CALLS_PER_DAY: QUOTA }),
    looksBackSeconds: 900,
    also: { CasewatchAgencyBudgetNearlySpent: 'a quota that is spent is nearly spent' },
  },
  {
    alert: 'CasewatchOutboxStuck',
    breaks: 'Kafka is killed, and two minutes after it a user looks a case up',
    async break({ kafka, lookUp, sql }) {
      await kafka.kill();
      await lookUp();
      const aging = `UPDATE cases.outbox SET created_at = created_at - interval '2 minutes'
        WHERE done_at IS NULL RETURNING 1`;
      await until('an event in the outbox', async () => (await sql(aging)).length > 0);
    },
    fixes: 'Kafka is restored; the relays publish what waits by themselves',
    fix: ({ kafka }) => kafka.restart(),
    also: { CasewatchDependencyDown: 'Kafka is what is away' },
  },
  {
    alert: 'CasewatchConsumerStuck',
    breaks: 'a transaction that hangs holds the inbox of monitoring, and a user looks a case up',
    async break({ hold, lookUp, roleOf }) {
      await hold('monitoring', LOCK_INBOX);
      await lookUp();
      const waiting = /^casewatch_consumer_lag\{group="monitoring"\} [1-9]/m;
      await until('a message waits', async () => {
        const metrics = await fetch(`${roleOf('monitoring').url}/metrics`);
        return waiting.test(await metrics.text());
      });
    },
    lastsSeconds: TEN_MINUTES + 60,
    fixes: 'the session that blocks the handlers is terminated',
    fix: unlock,
  },
  {
    alert: 'CasewatchConsumerLag',
    breaks: 'monitoring handles no events, and 10,500 come',
    async break({ hold, lookUp, sql }) {
      await lookUp();
      await hold('monitoring', LOCK_INBOX);
      await sql(`INSERT INTO cases.outbox (id, topic, key, payload, headers, created_at)
        SELECT gen_random_uuid(), topic, key, payload, headers, now()
        FROM (SELECT * FROM cases.outbox WHERE topic = 'case-observed' ORDER BY seq DESC LIMIT 1) AS last,
          generate_series(1, 10500)`);
    },
    fixes: 'the session that blocks the handlers is terminated; the group catches up',
    fix: unlock,
  },
  {
    alert: 'CasewatchDeadLetters',
    breaks: 'a release of notifications fails at every status change',
    async break({ sql, watchMovedCases }) {
      await sql('ALTER TABLE notifications.notifications ADD CONSTRAINT defect CHECK (false) NOT VALID');
      await watchMovedCases(1);
    },
    fixes: 'the defect is fixed, and the events are redriven',
    async fix({ sql, events, allNotified }) {
      await sql('ALTER TABLE notifications.notifications DROP CONSTRAINT defect');
      await events('redrive');
      await allNotified();
    },
  },
  {
    alert: 'CasewatchNoAgencyCaller',
    breaks: 'a session that is no process of cases has the right to call the agency',
    async break({ hold, sql }) {
      const held = hold('cases', `SELECT pg_advisory_lock(hashtextextended('casewatch agency caller', 0))`);
      const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
      await until('a session that waits for the right', async () => (await sql(waits)).length > 0);
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'casewatch-agency-caller'`,
      );
      await held;
    },
    fixes: 'that session is terminated; cases takes over by itself',
    fix: ({ runbookSql }) => runbookSql('no-agency-caller.md', 'pg_terminate_backend'),
  },
  {
    alert: 'CasewatchAgencyFailing',
    breaks: 'the agency answers every call with an error',
    break: ({ agencyControl }) => agencyControl('/faults', { mode: 'unavailable' }),
    duringFailure: ({ lookUp }) => lookUp(),
    fixes: 'the agency recovers; the circuit breaker tries again by itself',
    fix: ({ agencyControl }) => agencyControl('/faults', { mode: 'none' }),
    looksBackSeconds: TEN_MINUTES,
  },
  {
    alert: 'CasewatchAgencyBudgetNearlySpent',
    breaks: 'the agency allows 10 calls a day, and users make them',
    async break({ roleOf, lookUp }) {
      await roleOf('cases').restart({ AGENCY_CALLS_PER_DAY: '10' });
      await lookUp(2);
    },
    fixes: 'the agency raises the quota, and so does the setting',
    fix: ({ roleOf }) => roleOf('cases').restart({ AGENCY_CALLS_PER_DAY: QUOTA }),
  },
  {
    alert: 'CasewatchAgencyKeysExpire',
    breaks: 'the keys of the agency were issued 80 days ago',
    break: ({ roleOf }) => roleOf('cases').restart({ AGENCY_KEY_ISSUED: daysAgo(80) }),
    fixes: 'newer keys are set',
    fix: ({ roleOf }) => roleOf('cases').restart({ AGENCY_KEY_ISSUED: daysAgo(0) }),
    looksBackSeconds: TEN_MINUTES,
  },
  {
    alert: 'CasewatchAgencyKeysRefused',
    breaks: 'newer keys are set that the agency does not know',
    async break({ roleOf, lookUp }) {
      await roleOf('cases').restart({
        AGENCY_NEXT_CLIENT_ID: 'unknown',
        AGENCY_NEXT_CLIENT_SECRET: 'unknown',
      });
      await lookUp();
    },
    fixes: 'they are unset',
    fix: ({ roleOf }) =>
      roleOf('cases').restart({ AGENCY_NEXT_CLIENT_ID: '', AGENCY_NEXT_CLIENT_SECRET: '' }),
    looksBackSeconds: TEN_MINUTES,
  },
  {
    alert: 'CasewatchBillingBehind',
    breaks: 'Stripe cannot be reached, and an event of it has waited for a quarter of an hour',
    async break({ roleOf, sql }) {
      await roleOf('billing').restart({ STRIPE_API_BASE: NOWHERE });
      await sql(`INSERT INTO billing.provider_events (id, type, payment_intent_id, received_at, due_at)
        VALUES (gen_random_uuid(), 'charge.refunded', 'pi_drill', now() - interval '15 minutes', now())`);
    },
    looksBackSeconds: TEN_MINUTES,
    also: { CasewatchProviderFailing: 'Stripe is what cannot be reached' },
    fixes: 'Stripe can be reached again; billing asks it by itself',
    async fix({ roleOf, paymentsUrl, sql }) {
      await roleOf('billing').restart({ STRIPE_API_BASE: paymentsUrl });
      await sql('UPDATE billing.provider_events SET due_at = now() WHERE done_at IS NULL');
    },
  },
  {
    alert: 'CasewatchWebhooksRefused',
    breaks: 'an event comes that our secret has not signed',
    break: async ({ product }) => void (await sendEvent(product.url, 'whsec_other')),
    fixes: 'the signing secret is that of the endpoint',
    fix: async () => undefined,
    looksBackSeconds: 2 * 3_600,
  },
  {
    alert: 'CasewatchWebhooksMissing',
    breaks: 'a subscription ends at Stripe, and no event comes of it',
    async break({ sql }) {
      await sql(`WITH added AS (INSERT INTO billing.customers (user_id, stripe_customer_id, due_at)
          VALUES (gen_random_uuid(), 'cus_drill', now()) RETURNING user_id)
        INSERT INTO billing.subscriptions (user_id, stripe_subscription_id, status, tier, price_id, price_cents,
          price_interval, price_name, period_ends_at, payment_failed, awaits_card, trial_used, announced)
        SELECT user_id, 'sub_drill', 'active', 'pro', 'price_drill', 900, 'month', 'Monthly',
          now() - interval '30 days', false, false, true, 'pro active' FROM added`);
    },
    fixes: 'the endpoint is enabled at Stripe, and events come',
    fix: async () => undefined,
    looksBackSeconds: 6 * 3_600,
  },
  {
    alert: 'CasewatchWebhookVersion',
    breaks: 'an event comes that is written for another version of the API',
    async break({ roleOf, product }) {
      await roleOf('billing').restart({ STRIPE_WEBHOOK_SECRET: 'whsec_drill' });
      await sendEvent(product.url, 'whsec_drill');
    },
    fixes: 'the endpoint is made anew with our version',
    fix: async () => undefined,
    looksBackSeconds: 24 * 3_600,
  },
  {
    alert: 'CasewatchTestPayments',
    breaks: 'billing has keys of test mode at a public address',
    break: ({ roleOf }) =>
      roleOf('billing').restart({
        PUBLIC_URL: 'https://casewatch.test',
        STRIPE_API_BASE: 'https://api.stripe.com',
      }),
    fixes: 'the keys of live mode are set, or the address is nobody else’s',
    fix: ({ roleOf, product, paymentsUrl }) =>
      roleOf('billing').restart({ PUBLIC_URL: product.url, STRIPE_API_BASE: paymentsUrl }),
    looksBackSeconds: TEN_MINUTES,
  },
  {
    alert: 'CasewatchPushRefused',
    breaks: 'a push service refuses the key',
    async break({ pushService, watchMovedCases }) {
      pushService.refuse(() => ({ status: 403 }));
      await watchMovedCases(1);
    },
    fixes: 'the push service accepts the key',
    async fix(of) {
      of.pushService.refuse(() => undefined);
      await retryNow(of, 'push');
    },
    looksBackSeconds: 2 * 3_600,
    also: { CasewatchProviderFailing: 'the only push service accepts nothing' },
  },
  {
    alert: 'CasewatchPushStuck',
    breaks: 'a push service has accepted nothing for 40 minutes',
    async break(of) {
      of.pushService.refuse(() => ({ status: 503 }));
      await of.watchMovedCases(1);
      await waitAndAge(of, 'push');
    },
    fixes: 'the push service recovers',
    async fix(of) {
      of.pushService.refuse(() => undefined);
      await retryNow(of, 'push');
    },
    looksBackSeconds: TEN_MINUTES,
    also: { CasewatchProviderFailing: 'the only push service accepts nothing' },
  },
  {
    alert: 'CasewatchMailStuck',
    breaks: 'the mail server has taken nothing for 40 minutes',
    async break(of) {
      of.mailServer.refuseRecipients(() => 451);
      await of.watchMovedCases(1);
      await waitAndAge(of, 'email');
    },
    fixes: 'the mail server accepts e-mails',
    async fix(of) {
      of.mailServer.refuseRecipients(() => undefined);
      await retryNow(of, 'email');
    },
  },
  {
    alert: 'CasewatchDatabasePoolExhausted',
    breaks: 'a transaction that hangs holds a table of surveys, and users open the app',
    async break({ hold, visit }) {
      await hold('surveys', 'LOCK TABLE surveys.surveys IN ACCESS EXCLUSIVE MODE');
      // Answered when the lock is released.
      void visit('/api/surveys/pending', 4).catch(() => undefined);
    },
    fixes: 'the session that blocks the others is terminated',
    fix: unlock,
  },
];
