import { execFile } from 'node:child_process';
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { receiveStripeEvent } from '@casewatch/contracts/billing';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { Role } from '@casewatch/dev-stack/processes/product-processes';
import {
  type PaymentsSimulator,
  startPaymentsSimulator,
} from '@casewatch/payments-simulator/payments-simulator';
import { alternateOf, loginsOf, roleOf } from '@casewatch/service-kit/database/service-url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { databaseSettingOf } from '../../src/database-urls.ts';
import { registry } from '../../src/registry.ts';
import { ROLLS_AT_ONCE, SHOWN_ABLE_TO_FAIL, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import {
  kafkaSettingsOf,
  type ProductWithAccounts,
  startProductWithAccounts,
} from '../faults/product-with-accounts.ts';
import { roll } from '../faults/roll.ts';
import { type SteadyLoad, type Step, settingsForLoad, startSteadyLoad } from '../faults/steady-load.ts';
import { mustCome } from '../faults/until.ts';

/** O8: the secrets of the product are replaced while people work, as "Rotate secrets" in docs/operations.md has it. */

const PASSCODE = 'rotated-passcode';
const SERVICES = registry.map(({ name }) => name);
/** Those that call each other in any load. The others accept both secrets from the beginning. */
const CALLING: readonly Role[] = ['gateway', 'identity', 'cases', 'monitoring'];
const CONTAINER = fileURLToPath(new URL('../../src/container.ts', import.meta.url));
const run = promisify(execFile);

const [olderKey, newerKey] = [tokenKeys(), tokenKeys()];
const bothKeys = { TOKEN_PUBLIC_KEY: olderKey.TOKEN_PUBLIC_KEY + newerKey.TOKEN_PUBLIC_KEY };
const [olderShared, newerShared] = [password(), password()];
const [olderSigner, newerSigner] = [`whsec_${password()}`, `whsec_${password()}`];
const [olderAccount, newerAccount] = [
  { username: 'casewatch-1', password: password() },
  { username: 'casewatch-2', password: password() },
] as const;
const olderRedis = password();

/** What the processes of these roles begin with. */
const OLDER: Partial<Record<Role, Record<string, string>>> = {
  gateway: { ...olderKey, INTERNAL_SECRET: olderShared },
  identity: { INTERNAL_SECRET: olderShared },
  cases: { ...olderKey, INTERNAL_SECRET: olderShared },
  monitoring: { INTERNAL_SECRET: olderShared },
  billing: { STRIPE_WEBHOOK_SECRET: olderSigner },
};
/** Roles that were given other settings since. */
const changed = new Set<Role>();

let product: ProductWithAccounts;
let payments: PaymentsSimulator;
let load: SteadyLoad;
/** Secrets that Stripe signs each of its events with. */
let signers: readonly string[];
beforeAll(async () => {
  const keys = {
    secretKey: 'sk_test_rotation',
    publishableKey: 'pk_test_rotation',
    webhookSecret: olderSigner,
  };
  payments = await startPaymentsSimulator(keys);
  product = await startProductWithAccounts({
    kafkaAccounts: [olderAccount, newerAccount],
    redisPassword: olderRedis,
    env: {
      ...settingsForLoad(PASSCODE),
      LOG_LEVEL: 'warn',
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_API_BASE: payments.url,
      STRIPE_WEBHOOK_SECRET: olderSigner,
      TOKEN_PRIVATE_KEY: olderKey.TOKEN_PRIVATE_KEY,
      ...bothKeys,
      INTERNAL_SECRET: `${olderShared},${newerShared}`,
    },
    roles: OLDER,
  });
}, TEST_TIMEOUT_MS);
beforeEach(() => {
  signers = [olderSigner, newerSigner];
});
afterEach(() => load.end());
afterAll(async () => {
  await product.stop();
  await payments.stop();
});

/** Rolls roles with settings that are added to theirs. */
async function rollAll(roles: readonly Role[], envOf: (role: Role) => Record<string, string>): Promise<void> {
  for (const role of roles) changed.add(role);
  for (let first = 0; first < roles.length; first += ROLLS_AT_ONCE) {
    const next = roles.slice(first, first + ROLLS_AT_ONCE);
    await Promise.all(next.map((role) => roll(product.of(role), load, envOf(role))));
  }
}

async function startLoad(also: () => readonly Step[] = () => []): Promise<void> {
  load = await startSteadyLoad(product.url, { passcode: PASSCODE, also });
  await mustCome('the load runs', async () => load.answered() > 50);
}

/** A secret that two processes, or Stripe and the product, have in common. */
interface Secret {
  name: string;
  /** What the guide's order of steps avoids. */
  replaceAtOnce(): Promise<void>;
}

const SECRETS: readonly Secret[] = [
  {
    name: 'the key of identity tokens',
    replaceAtOnce: () => rollAll(['gateway'], () => ({ TOKEN_PRIVATE_KEY: newerKey.TOKEN_PRIVATE_KEY })),
  },
  {
    name: 'the secret between processes',
    replaceAtOnce: () => rollAll(['gateway'], () => ({ INTERNAL_SECRET: newerShared })),
  },
  {
    name: 'the secret that signs Stripe’s events',
    replaceAtOnce: async () => {
      signers = [newerSigner];
    },
  },
];

/**
 * The guide's steps, those of all three secrets in one: each role learns the newer besides the older, then the newer is used, then
 * the older is forgotten. Of two replicas one is a step ahead until both are replaced.
 */
const STEPS: readonly { of: Partial<Record<Role, Record<string, string>>>; all: Record<string, string> }[] = [
  { of: { cases: bothKeys }, all: { INTERNAL_SECRET: `${olderShared},${newerShared}` } },
  {
    of: {
      gateway: { TOKEN_PRIVATE_KEY: newerKey.TOKEN_PRIVATE_KEY },
      billing: { STRIPE_WEBHOOK_SECRET: newerSigner },
    },
    all: { INTERNAL_SECRET: `${newerShared},${olderShared}` },
  },
  { of: { cases: { TOKEN_PUBLIC_KEY: newerKey.TOKEN_PUBLIC_KEY } }, all: { INTERNAL_SECRET: newerShared } },
];

async function begin(): Promise<void> {
  await restoreOlder();
  signers = [olderSigner];
  await startLoad(() => [stripeEvent()]);
}

/** Restarts the processes that have other settings than in the beginning. */
async function restoreOlder(): Promise<void> {
  const roles = [...changed].filter((role) => OLDER[role]);
  await Promise.all(
    roles.flatMap((role) =>
      product.of(role).map(async (replica) => {
        // In order, so that it leaves its consumer group and others need not wait for it.
        await replica.stop();
        await replica.restart(OLDER[role] ?? {});
      }),
    ),
  );
  changed.clear();
}

async function goesOn(): Promise<void> {
  const before = load.answered();
  await mustCome('the load continues', async () => load.answered() > before + 50);
}

test.each(SECRETS.slice(0, SHOWN_ABLE_TO_FAIL))(
  '$name, shown able to fail: replaced without the first steps, requests fail',
  { timeout: TEST_TIMEOUT_MS },
  async (secret) => {
    await begin();
    await secret.replaceAtOnce();
    await mustCome('a request fails', async () => load.failures.length > 0);
    await load.end();
    await restoreOlder();
  },
);

test('the keys of identity tokens, the secret between processes and that of Stripe’s events are replaced under load: no failed request', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await begin();
  for (const { of, all } of STEPS) {
    // Stripe signs with both secrets until the older one expires.
    signers = [olderSigner, newerSigner];
    await rollAll([...CALLING, 'billing'], (role) => ({ ...all, ...of[role] }));
  }
  signers = [newerSigner];
  await goesOn();
  await load.end();
  expect(load.failures).toEqual([]);
});

test('the passwords at PostgreSQL, Redis and Kafka are replaced under load: no failed request, and events keep flowing', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await startLoad();
  const newerRedis = password();
  const urls = await nextDatabaseUrls();
  const retired = await loginsInUse();
  await migrate(urls);
  await product.redis.accept(newerRedis);

  await rollAll(product.roles, (role) => ({
    ...(role === 'gateway' ? {} : { DATABASE_URL: urls[role] ?? '' }),
    REDIS_URL: product.redis.urlWith(newerRedis),
    ...kafkaSettingsOf(newerAccount),
  }));

  const newer = Object.values(urls).map((url) => new URL(url).username);
  await mustCome(
    'every session is one of the newer logins',
    async () => (await loginsInUse()).join() === newer.toSorted().join(),
  );
  for (const login of retired) await product.query(`ALTER ROLE ${login} NOLOGIN`);
  await product.redis.refuse(olderRedis);
  await eventsGoOn();
  await load.end();
  expect(load.failures).toEqual([]);
  expect(await product.redis.refusals()).toEqual([]);
});

test('the password of a database role, shown able to fail: changed in place, it refuses who needs another connection', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await startLoad();
  const login = (await loginsInUse()).find((each) => each.startsWith(roleOf('identity')));
  const [known] = await product.query('SELECT rolpassword FROM pg_authid WHERE rolname = $1', [login]);
  await product.query(`ALTER ROLE ${login} PASSWORD '${password()}'`);
  // Who has a connection keeps it, whatever the password is now.
  await product.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [login]);
  const burst = Array.from({ length: 100 }, async () => {
    const answer = await fetch(`${product.url}/api/auth/me`, { headers: { cookie: load.cookie } });
    await answer.text();
    return answer.status;
  });
  expect(await Promise.all(burst)).toContain(503);
  await load.end();
  await product.query(`ALTER ROLE ${login} PASSWORD '${known?.rolpassword}'`);
});

/** A URL of each service by the login that it does not use now, with a new password. */
async function nextDatabaseUrls(): Promise<Partial<Record<ServiceName, string>>> {
  const inUse = await loginsInUse();
  return Object.fromEntries(
    SERVICES.map((service) => {
      const url = new URL(product.ownerUrl);
      url.username = inUse.includes(roleOf(service)) ? alternateOf(service) : roleOf(service);
      url.password = password();
      return [service, url.href];
    }),
  );
}

/** Logins of the services that have a session. */
async function loginsInUse(): Promise<string[]> {
  const rows = await product.query<{ usename: string }>(
    'SELECT DISTINCT usename FROM pg_stat_activity WHERE usename = ANY($1)',
    [SERVICES.flatMap(loginsOf)],
  );
  return rows.map(({ usename }) => usename).toSorted();
}

/** What the Job of an upgrade runs. */
async function migrate(urls: Partial<Record<ServiceName, string>>): Promise<void> {
  const settings = SERVICES.map((service) => [databaseSettingOf(service), urls[service]]);
  await run(process.execPath, [CONTAINER, 'migrate'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: product.ownerUrl,
      ...Object.fromEntries(settings),
    },
  });
}

/** Waits for events that were published and handled after the call. */
async function eventsGoOn(): Promise<void> {
  const [now] = await product.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  await mustCome('events of cases and identity are handled', async () => {
    const [handled] = await product.query<{ monitoring: boolean; surveys: boolean }>(
      `SELECT EXISTS (SELECT FROM monitoring.inbox JOIN cases.outbox ON id = event_id WHERE created_at > $1) AS monitoring,
         EXISTS (SELECT FROM surveys.inbox JOIN identity.outbox ON id = event_id WHERE created_at > $1) AS surveys`,
      [now?.at],
    );
    return handled?.monitoring === true && handled.surveys;
  });
}

/** An event that does not concern the product: it is answered, once its signature is known. */
function stripeEvent(): Step {
  const event = { id: `evt_${password()}`, object: 'event', type: 'product.created', data: { object: {} } };
  const at = Math.floor(Date.now() / 1_000);
  const signatures = signers.map(
    (secret) =>
      `v1=${createHmac('sha256', secret)
        .update(`${at}.${JSON.stringify(event)}`)
        .digest('hex')}`,
  );
  return {
    method: 'POST',
    path: receiveStripeEvent.path,
    body: event,
    headers: { 'stripe-signature': [`t=${at}`, ...signatures].join() },
    as: 'anonymous',
  };
}

function tokenKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    TOKEN_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    TOKEN_PUBLIC_KEY: String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

function password(): string {
  return randomBytes(16).toString('hex');
}
