import { rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { startPaymentsSimulator } from '@casewatch/payments-simulator/payments-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The whole product in one process, with the payments simulator: what is paid for is there everywhere. */

const KEYS = {
  secretKey: 'sk_test_simulated0123456789',
  publishableKey: 'pk_test_simulated0123456789',
  webhookSecret: 'whsec_simulated0123456789',
};
const PATIENCE_MS = 20_000;

let folder: string;
let url: string;
let payments: Awaited<ReturnType<typeof startPaymentsSimulator>>;
let product: ReturnType<typeof startProductProcess>['process'];

beforeAll(async () => {
  folder = makeMemoryFolder('tier');
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  payments = await startPaymentsSimulator({
    ...KEYS,
    control: true,
    webhookUrl: `${url}/api/webhooks/stripe`,
  });
  const started = startProductProcess({
    name: 'all-in-one',
    program: 'host/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      LOG_LEVEL: 'warn',
      // Longer than this test: the gateway's cached session only changes when it is invalidated.
      SESSION_CACHE_SECONDS: '300',
      TRIAL_DAYS: '0',
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
      STRIPE_API_BASE: payments.url,
    },
  });
  product = started.process;
  await started.ready;
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await payments?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function signUp() {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  };
  const send = (method: string, route: string, body?: unknown) =>
    fetch(url + route, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const answer = await send('POST', '/api/auth/signup', {
    email: 'payer@example.test',
    password: 'payer of all bills',
    firstName: 'Pay',
    lastName: 'Er',
  });
  expect(answer.status).toBe(201);
  headers.cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
  return async <T>(method: string, route: string, body?: unknown) => {
    const reply = await send(method, route, body);
    return { status: reply.status, body: (await reply.json()) as T };
  };
}

async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(answer)}\n${product.logs()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a user that pays is pro in the account, the session and the limits; one that stops is free, and nothing is watched', async () => {
  const call = await signUp();
  const me = async () => (await call<{ tier: string }>('GET', '/api/auth/me')).body.tier;
  const save = () =>
    call<{ code?: string }>('POST', '/api/saved-cases', {
      receiptNumber: 'EAC9999103403',
      monitoringFrequency: 'daily',
    });
  const watched = async () => (await call<unknown[]>('GET', '/api/watches')).body.length;
  const isPaused = async () =>
    (await call<{ monitoringPausedAt: string | null }[]>('GET', '/api/saved-cases')).body[0]
      ?.monitoringPausedAt !== null;

  expect(await save()).toMatchObject({ status: 403, body: { code: 'PRO_REQUIRED' } });
  const { body: prices } = await call<{ id: string }[]>('GET', '/api/pricing');
  const begun = await call<{ clientSecret: string }>('POST', '/api/create-subscription', {
    priceId: prices[0]?.id,
  });
  const { clientSecret } = begun.body;
  const paid = await fetch(
    `${payments.url}/v1/payment_intents/${clientSecret.slice(0, clientSecret.indexOf('_secret_'))}/confirm`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.publishableKey}` },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }),
    },
  );
  expect(paid.status).toBe(200);

  await until(me, (tier) => tier === 'pro');
  const saved = await until(save, ({ status }) => status !== 403);
  expect(saved.status).toBe(201);
  await until(watched, (count) => count === 1);
  expect(await isPaused()).toBe(false);

  const { data } = (await (
    await fetch(`${payments.url}/v1/subscriptions`, {
      headers: { authorization: `Bearer ${KEYS.secretKey}` },
    })
  ).json()) as { data: { id: string }[] };
  await fetch(`${payments.url}/v1/subscriptions/${data[0]?.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${KEYS.secretKey}` },
  });
  await until(me, (tier) => tier === 'free');
  await until(isPaused, (paused) => paused);
  await until(watched, (count) => count === 0);
  await until(
    () =>
      call<{ code?: string }>('PATCH', '/api/saved-cases/EAC9999103403', { monitoringFrequency: 'daily' }),
    ({ status, body }) => status === 403 && body.code === 'PRO_REQUIRED',
  );
}, 90_000);
