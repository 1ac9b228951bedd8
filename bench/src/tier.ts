import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { registry } from '@casewatch/host/registry';
import { startPaymentsSimulator } from '@casewatch/payments-simulator/payments-simulator';

/**
 * `npm run bench:tier`: from Stripe's answer that a payment succeeded to `tier: pro` in GET /api/auth/me, in both shapes.
 * `webhook`: only Stripe notifies the product. `browser`: events are held back, the browser reports at once.
 * SHAPES chooses (`all-in-one,distributed`), USERS how many pay, one after another, of each kind.
 */
const USERS = Number(process.env.USERS ?? 40);
const WARM_UP = 5;
const GOAL_P95_MS = 1_000;
const POLL_MS = 5;
const GIVE_UP_MS = 30_000;
const shapes = (process.env.SHAPES ?? 'all-in-one,distributed').split(',');

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const keys = {
  secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
  publishableKey: `pk_test_${randomBytes(12).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(12).toString('hex')}`,
};
const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
try {
  console.log('| shape | source | p50 ms | p95 ms | most ms |\n|---|---|---|---|---|');
  for (const shape of shapes) {
    const { url, setWebhooks, stripeUrl } = await (shape === 'distributed' ? startApart() : startAllInOne());
    for (const kind of ['webhook', 'browser'] as const) {
      await setWebhooks(kind === 'webhook');
      const times: number[] = [];
      for (let n = 0; n < WARM_UP + USERS; n++) times.push(await payAndWait(url, stripeUrl, kind));
      const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
      const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN).toFixed(0);
      console.log(`| ${shape} | ${kind} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`);
    }
    for (const stop of stops.splice(1).reverse()) await stop();
  }
  console.log(`Goal: p95 at most ${GOAL_P95_MS} ms.`);
} finally {
  for (const stop of stops.reverse()) await stop();
}

/** The simulator, and the settings that lead the product to it. */
async function startPayments(productUrl: string) {
  const simulator = await startPaymentsSimulator({
    ...keys,
    control: true,
    webhookUrl: `${productUrl}/api/webhooks/stripe`,
  });
  stops.push(simulator.stop);
  return {
    stripeUrl: simulator.url,
    setWebhooks: async (flow: boolean) => {
      const answer = await fetch(`${simulator.url}/__control/webhooks`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ paused: !flow }),
      });
      await answer.arrayBuffer();
    },
    env: {
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STRIPE_API_BASE: simulator.url,
      STRIPE_SCRIPT_URL: simulator.scriptUrl,
      TRIAL_DAYS: '0',
      LOG_LEVEL: 'warn',
      SIGN_UPS_PER_ADDRESS: '100000',
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '10000000',
      RATE_LIMIT_PER_USER_PER_MINUTE: '10000000',
    },
  };
}

async function startAllInOne() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const payments = await startPayments(url);
  const { process: product, ready } = startProductProcess({
    name: 'all-in-one',
    program: 'host/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: { ...payments.env, PORT: String(port), DATA_DIR: path.join(folder, 'all-in-one') },
  });
  stops.push(product.stop);
  await ready;
  return { url, ...payments };
}

async function startApart() {
  const roleSecret = randomBytes(16).toString('hex');
  const database = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'pg'),
    password: roleSecret,
    serverSettings: ['max_connections=400'],
  });
  stops.push(database.stop);
  const [kafka, redis] = await Promise.all([startTestKafka(), startTestRedis()]);
  stops.push(kafka.stop, redis.stop);
  const port = await freePort();
  const payments = await startPayments(`http://127.0.0.1:${port}`);
  const product = await startProductProcesses({
    services: registry,
    ownerUrl: database.ownerUrl,
    roleSecret,
    brokers: kafka.brokers,
    redisUrl: redis.url,
    port,
    env: payments.env,
  });
  stops.push(product.stop);
  return { url: product.url, ...payments };
}

/** Milliseconds from the success at Stripe until the account says so. */
async function payAndWait(url: string, stripeUrl: string, kind: 'webhook' | 'browser'): Promise<number> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  };
  const call = async <T>(method: string, route: string, body?: unknown): Promise<T> => {
    const answer = await fetch(url + route, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    if (cookies.length > 0) headers.cookie = cookies.join('; ');
    return (await answer.json()) as T;
  };
  const email = `${randomUUID()}@bench.test`;
  await call('POST', '/api/auth/signup', {
    email,
    password: 'measured under load',
    firstName: 'B',
    lastName: 'N',
  });
  const [price] = await call<{ id: string }[]>('GET', '/api/pricing');
  const { clientSecret = '' } = await call<{ clientSecret?: string }>('POST', '/api/create-subscription', {
    priceId: price?.id,
  });
  const intent = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
  const paid = await fetch(`${stripeUrl}/v1/payment_intents/${intent}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.publishableKey}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      payment_method: 'pm_card_visa',
      use_stripe_sdk: 'true',
    }),
  });
  const startMs = performance.now();
  if (!paid.ok) throw new Error(`payment: ${paid.status} ${await paid.text()}`);
  if (kind === 'browser') await call('POST', '/api/confirm-payment', { paymentIntentId: intent });
  for (;;) {
    const { tier } = await call<{ tier: string }>('GET', '/api/auth/me');
    const tookMs = performance.now() - startMs;
    if (tier === 'pro') return tookMs;
    if (tookMs > GIVE_UP_MS) throw new Error(`still ${tier} after ${GIVE_UP_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
