import { generateKeyPairSync } from 'node:crypto';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startAgencyProcess } from '@casewatch/dev-stack/processes/agency-process';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseSettingOf } from '../src/database-urls.ts';
import { registry } from '../src/registry.ts';

/** All roles by name in one process, as `mode: single` of the chart runs them: no Kafka, no Redis, a database role per service. */

let database: TestDatabase;
let agency: Awaited<ReturnType<typeof startAgencyProcess>>;
let product: ReturnType<typeof startProductProcess>['process'];
let url: string;
beforeAll(async () => {
  [database, agency] = await Promise.all([createTestDatabase(), startAgencyProcess()]);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  const started = startProductProcess({
    name: 'single',
    program: 'host/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      ...agency.env,
      SERVICES: ['gateway', ...registry.map(({ name }) => name)].join(),
      PORT: port,
      INTERNAL_SECRET: 'a secret between processes',
      TOKEN_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      TOKEN_PUBLIC_KEY: String(publicKey.export({ type: 'spki', format: 'pem' })),
      LOG_LEVEL: 'warn',
      ...Object.fromEntries(
        registry.flatMap(({ name }) => [
          [databaseSettingOf(name), database.urlFor(name)],
          [databaseSettingOf(name, 'DATABASE_DIRECT_URL'), database.directUrlFor(name)],
        ]),
      ),
    },
  });
  product = started.process;
  await started.ready;
}, 60_000);
afterAll(async () => {
  await product?.stop();
  await agency?.stop();
  await database?.drop();
});

test('a user signs up and looks a case up, over the services of the one process, and its events are relayed', async () => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const account = {
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'ada@single.test',
    password: 'long enough for this',
  };
  const signedUp = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers,
    body: JSON.stringify(account),
  });
  expect(signedUp.status).toBe(201);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const lookup = await fetch(`${url}/api/case-status/EAC9999103403`, { headers: { cookie } });
  expect(lookup.status).toBe(200);
  const relayed = async () =>
    database.query(`SELECT topic FROM identity.outbox WHERE done_at IS NOT NULL
      UNION SELECT topic FROM cases.outbox WHERE done_at IS NOT NULL ORDER BY topic`);
  const topics = ['lookups-recorded', 'user-signed-up'].map((topic) => ({ topic }));
  await vi.waitFor(async () => expect(await relayed()).toEqual(expect.arrayContaining(topics)), {
    timeout: 20_000,
  });
});

test('each service works with its own database role', async () => {
  const users = await database.query<{ usename: string }>(
    'SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = current_database()',
  );
  expect(users.map(({ usename }) => usename)).toEqual(
    expect.arrayContaining(['casewatch_identity', 'casewatch_cases', 'casewatch_monitoring']),
  );
});
