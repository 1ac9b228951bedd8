import { randomUUID } from 'node:crypto';
import type { Price, Subscription } from '@casewatch/contracts/billing';
import type { PayloadOf } from '@casewatch/contracts/event-type';
import { userChanged, userDeleted, userSignedUp } from '@casewatch/contracts/events';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import type { EventBus, EventMeta } from '@casewatch/messaging/event-bus';
import type { Behavior } from '@casewatch/payments-simulator/control/behavior';
import { startPaymentsSimulator } from '@casewatch/payments-simulator/payments-simulator';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient, type ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { type Person, startTestService } from '@casewatch/testing/test-service';
import { expect, vi } from 'vitest';
import { service } from '../src/service.ts';
import { note, type Switch, usualWay } from './ways-of-stripe.ts';
import { startWebhookProxy } from './webhook-proxy.ts';

export const KEYS = {
  secretKey: 'sk_test_simulated0123456789',
  publishableKey: 'pk_test_simulated0123456789',
  webhookSecret: 'whsec_simulated0123456789',
};
export const MONTHLY = 'price_CasewatchProMonthly';
export const YEARLY = 'price_CasewatchProYearly';
export const DAY_MS = 86_400_000;
const SIGN_UP_EMAIL = 'ana@example.org';
/** How long a test waits in real time for an expected state. */
const PATIENCE_MS = 10_000;
let cards = 0;
/** A card that no other user has: one card has one trial. */
export const ownCard = () => `pm_card_visa_${++cards}`;

export interface FixtureOptions {
  env?: Record<string, string>;
  database?: TestDatabase;
  /** Instead of the service's outbox. */
  bus?: EventBus;
  /** How many processes of the service share the database and the simulator. */
  replicas?: number;
  /** Identity, as far as billing asks it. */
  services?: ServiceClient;
  telemetry?: Telemetry;
  /** Which of two ways Stripe takes where its documentation leaves it open: it stays so in every run. */
  behavior?: Partial<Behavior>;
}

export interface SubscribeAnswer {
  clientSecret?: string;
  intent?: 'payment' | 'setup';
  tier: 'free' | 'pro';
  status: string | null;
  trialRefused?: true;
}

export type BillingFixture = Awaited<ReturnType<typeof startBilling>>;

/** Identity's answer to whether addresses are proven; those of all others are. `own`: each user has another address. */
export function startDirectory({ own = false } = {}) {
  const unverified = new Set<string>();
  /** Addresses that are no longer the one of the sign-up. */
  const changed = new Map<string, string>();
  const unavailable = { identity: false };
  const rows = [
    route(listMailAddresses, async ({ body }) => {
      if (unavailable.identity) throw new Error('identity is unavailable');
      const addresses = body.userIds.map((userId) => {
        const verified = !unverified.has(userId);
        const email = changed.get(userId) ?? (own ? `${userId}@example.org` : SIGN_UP_EMAIL);
        return { userId, email, verified, language: 'en' as const };
      });
      return { body: { addresses } };
    }),
  ];
  const client = createServiceClient({
    locate: () => ({ kind: 'local', routes: rows }),
    internalSecret: 'unused',
  });
  return { unverified, changed, unavailable, client };
}

/** The service's settings for this simulator. */
export function settingsFor({ url, scriptUrl }: { url: string; scriptUrl: string }): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
    STRIPE_API_BASE: url,
    STRIPE_SCRIPT_URL: scriptUrl,
    TRIAL_DAYS: '0',
    INTERNAL_SECRET: 'between the processes of the tests',
    PUBLIC_URL: 'https://casewatch.test',
  };
}

/** The billing service over real HTTP with a real database, and the payments simulator on the same clock, which stands. */
export async function startBilling({ env = {}, replicas = 1, ...options }: FixtureOptions = {}) {
  const clock = createClock();
  const proxy = await startWebhookProxy();
  const database = options.database ?? (await createTestDatabase());
  const simulator = await startPaymentsSimulator({
    ...KEYS,
    webhookUrl: proxy.url,
    control: true,
    clock,
    webhookClock: clock,
    settleAfterMs: null,
    webhookRetryDelaysMs: [],
  });
  const running = await Promise.all(
    Array.from({ length: replicas }, () =>
      startTestService(service, {
        clock,
        // One address has one trial.
        services: options.services ?? startDirectory({ own: (env.TRIAL_DAYS ?? '0') !== '0' }).client,
        ...(options.bus ? { bus: options.bus } : {}),
        ...(options.telemetry ? { telemetry: options.telemetry } : {}),
        database,
        env: { ...settingsFor(simulator), ...env },
      }),
    ),
  );
  const [first] = running;
  if (!first) throw new Error('a service must run');
  proxy.sendTo(`${first.url}/api/webhooks/stripe`);
  for (const each of running) for (const job of each.service.jobs) job.start();
  const pool = database.openPool('billing', 2);

  async function json<T>(answer: Response): Promise<T> {
    if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${simulator.url}/__control${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : ((await answer.json()) as unknown);
  };

  /** Calls the API with the secret key, as Stripe's dashboard does. */
  const stripe = async <T>(method: string, path: string, form?: Record<string, string>): Promise<T> =>
    json<T>(
      await fetch(`${simulator.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${KEYS.secretKey}` },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      }),
    );

  /** Delivers an event to the service's consumer in a transaction, as the bus does. */
  async function deliver(name: string, payload: unknown): Promise<void> {
    const handler = first?.service.consumers.find(({ event }) => event.name === name);
    const meta: EventMeta = { id: randomUUID(), timeMs: clock.nowMs(), traceparent: undefined };
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await handler?.handle(payload, meta, {
        query: async <Row>(sql: string, values: readonly unknown[]) =>
          (await client.query({ text: sql, values: [...values] })).rows as Row[],
      });
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  }

  const call = (method: string, path: string, as?: Person, body?: unknown, replica = 0) =>
    (running[replica] ?? first).call(method, path, {
      ...(as ? { as } : {}),
      ...(body === undefined ? {} : { body }),
    });

  await control('PUT', '/behavior', { ...usualWay(), ...options.behavior });
  /** Of a switch that the test has set itself, nothing depends on the way of the run. */
  const noteConsulted = async () => {
    const { consulted } = (await control('GET', '/behavior')) as { consulted: Switch[] };
    const set = Object.keys(options.behavior ?? {});
    note({ file: expect.getState().testPath, consulted: consulted.filter((name) => !set.includes(name)) });
  };
  note({ file: undefined, consulted: null });
  let versions = 0;
  const fixture = {
    clock,
    proxy,
    database,
    simulator,
    published: first.published,
    running,
    call,
    control,
    stripe,
    url: first.url,
    signedUp: (userId: string, email = SIGN_UP_EMAIL) =>
      deliver('user-signed-up', userSignedUp.encode({ userId, email, firstName: 'Ana', lastName: 'Diaz' })),
    /** The name stays unless another one is given. */
    changed: (userId: string, change: Partial<PayloadOf<typeof userChanged>>) => {
      const event = {
        name: 'Ana Diaz',
        tier: 'pro',
        emailChanged: false,
        version: ++versions,
        ...change,
      } as const;
      return deliver('user-changed', userChanged.encode({ userId, ...event }));
    },
    deleted: (userId: string) => deliver('user-deleted', userDeleted.encode({ userId })),
    prices: async () => json<Price[]>(await call('GET', '/api/pricing')),
    subscription: async (as: Person) =>
      json<Subscription>(await call('GET', '/api/billing/subscription', as)),
    begin: async (as: Person, priceId = MONTHLY, replica = 0) =>
      json<SubscribeAnswer>(await call('POST', '/api/create-subscription', as, { priceId }, replica)),
    sync: async (as: Person) => json<SubscribeAnswer>(await call('POST', '/api/create-subscription', as, {})),
    confirmPayment: async (as: Person, paymentIntentId: string) =>
      json<SubscribeAnswer & { paymentStatus: string }>(
        await call('POST', '/api/confirm-payment', as, { paymentIntentId }),
      ),
    /** Confirms as the browser does, with the client secret. */
    pay: (clientSecret: string | undefined, given?: string) => {
      const id = intentOf(clientSecret);
      const isTrial = id.startsWith('seti_');
      const kind = isTrial ? 'setup_intents' : 'payment_intents';
      const card = given ?? (isTrial ? ownCard() : 'pm_card_visa');
      return fetch(`${simulator.url}/v1/${kind}/${id}/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.publishableKey}` },
        body: new URLSearchParams({
          client_secret: clientSecret ?? '',
          payment_method: card,
          use_stripe_sdk: 'true',
        }),
      });
    },
    /** A user with a paid, active subscription. */
    async subscriber(card = 'pm_card_visa', priceId = MONTHLY): Promise<Person> {
      const as = person();
      const { clientSecret } = await fixture.begin(as, priceId);
      const answer = await fixture.pay(clientSecret, card);
      if (!answer.ok) throw new Error(await answer.text());
      await fixture.confirmPayment(as, intentOf(clientSecret));
      return as;
    },
    row: async (userId: string) => {
      const rows = await database.query<{
        stripe_customer_id: string | null;
        stripe_subscription_id: string | null;
        status: string | null;
        tier: string | null;
        due_at: Date | null;
      }>(
        'SELECT * FROM billing.customers LEFT JOIN billing.subscriptions USING (user_id) WHERE user_id = $1',
        [userId],
      );
      return rows[0];
    },
    subscriptionsAtStripe: async () =>
      (
        await stripe<{ data: { id: string; status: string }[] }>(
          'GET',
          '/v1/subscriptions?status=all&limit=100',
        )
      ).data,
    /** Moves the time of all parts: the simulator does what falls due, and the service's jobs run. */
    async advance(ms: number) {
      await clock.advance(ms);
      await control('GET', '');
      await until(
        async () => (await control('GET', '/webhooks')) as { waiting: number },
        ({ waiting }) => waiting === 0,
      );
    },
    /** Lets the jobs run until nothing is due. */
    async settled() {
      await until(
        async () => {
          await clock.advance(1_000);
          return database.query<{ open: number }>(
            `SELECT (SELECT count(*) FROM billing.customers WHERE due_at <= $1 OR urgent)::int
                  + (SELECT count(*) FROM billing.provider_events WHERE done_at IS NULL)::int AS open`,
            [new Date(clock.nowMs())],
          );
        },
        (rows) => rows[0]?.open === 0,
      );
    },
    stop: async () => {
      await noteConsulted();
      await simulator.stop();
      await proxy.stop();
      await Promise.all(running.map((each) => each.stop()));
      vi.useRealTimers();
      if (!options.database) await database.drop();
    },
  };
  return fixture;
}

/** A clock that stands still until it is moved, and Date with it: the circuit breaker reads Date. */
function createClock(): ManualClock {
  const clock = createManualClock();
  const advance = (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    return clock.advance(ms);
  };
  return { ...clock, advance };
}

export function person(tier: 'free' | 'pro' = 'free'): Person {
  return { userId: randomUUID(), tier, name: 'Ana Diaz' };
}

/** `pi_1` of `pi_1_secret_2`. */
export function intentOf(clientSecret: string | undefined): string {
  if (clientSecret === undefined) throw new Error('there is no client secret');
  return clientSecret.slice(0, clientSecret.indexOf('_secret_'));
}

/** Polls until the answer is as wanted. @throws after ten seconds, with the last answer */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function errorOf(answer: Response) {
  const { code, error } = (await answer.json()) as { code: string; error: string };
  return { status: answer.status, code, error };
}
