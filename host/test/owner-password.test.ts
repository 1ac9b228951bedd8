import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startAgencyProcess } from '@casewatch/dev-stack/processes/agency-process';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { startRollUnderLoad } from '@casewatch/testing/roll-under-load';
import { createTestDatabase, testServerUrl } from '@casewatch/testing/test-database';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { databaseSettingOf } from '../src/database-urls.ts';
import { registry } from '../src/registry.ts';

/** "Rotate secrets" of docs/operations.md: `owner-url`, which the Job of an upgrade and commands of operators use. */

const CONTAINER = fileURLToPath(new URL('../src/container.ts', import.meta.url));
const WITHIN = { timeout: 120_000 };
const SAME_ORIGIN = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** A login like the owner's, of this test alone, since the owner of the run's server is that of all tests. */
async function makeOwner() {
  const admin = new pg.Client({ connectionString: await testServerUrl() });
  await admin.connect();
  onTestFinished(() => admin.end());
  const login = `owner_${randomBytes(8).toString('hex')}`;
  await admin.query(`CREATE ROLE ${login} SUPERUSER LOGIN`);
  // Hooks run in reverse order: the database, where the login has rights, is dropped before it.
  onTestFinished(async () => void (await admin.query(`DROP ROLE ${login}`)));
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return {
    database,
    /** The step of the guide; resolves to the URL with the new password. */
    async changePassword(): Promise<string> {
      const password = randomBytes(16).toString('hex');
      await admin.query(`ALTER ROLE ${login} PASSWORD '${password}'`);
      const url = new URL(database.ownerUrl);
      url.username = login;
      url.password = password;
      return url.href;
    },
  };
}

/** Runs a program of the image as the owner. */
function runAs(ownerUrl: string, ...words: string[]): Promise<{ code: number; output: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: ownerUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [CONTAINER, ...words], { cwd: tmpdir(), env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

/** All roles in one process with a login of each service, as `mode: single` of the chart runs them. */
async function startProduct(database: Awaited<ReturnType<typeof createTestDatabase>>) {
  const agency = await startAgencyProcess();
  onTestFinished(async () => void (await agency.stop()));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { process: running, ready } = startProductProcess({
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
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000',
      RATE_LIMIT_PER_USER_PER_MINUTE: '1000000',
      // Each request asks identity's database for its session.
      SESSION_CACHE_SECONDS: '0',
      ...Object.fromEntries(
        registry.flatMap(({ name }) => [
          [databaseSettingOf(name), database.urlFor(name)],
          [databaseSettingOf(name, 'DATABASE_DIRECT_URL'), database.directUrlFor(name)],
        ]),
      ),
    },
  });
  const stop = async () => void (await running.stop());
  onTestFinished(stop);
  await ready;
  return { url, stop };
}

async function signUp(url: string): Promise<string> {
  const account = {
    firstName: 'Ada',
    lastName: 'B',
    email: 'ada@owner.test',
    password: 'long enough for it',
  };
  const body = JSON.stringify(account);
  const answer = await fetch(`${url}/api/auth/signup`, { method: 'POST', headers: SAME_ORIGIN, body });
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

test(
  'the password of the owner at PostgreSQL is replaced: no request fails, and migrations and commands of operators work with the new one',
  WITHIN,
  async () => {
    const { database, changePassword } = await makeOwner();
    const older = await changePassword();
    expect(await runAs(older, 'migrate')).toMatchObject({ code: 0 });
    const product = await startProduct(database);
    const cookie = await signUp(product.url);
    const paths = ['/api/auth/me', '/api/saved-cases', '/api/notifications', '/api/billing/subscription'];
    let asked = 0;
    const load = startRollUnderLoad(product, ({ url }) =>
      fetch(url + paths[asked++ % paths.length], { headers: { cookie } }),
    );
    await load.goOn();

    const newer = await changePassword();
    // Of an upgrade before the secret was replaced: the Job fails, and no pod is touched.
    const refused = await runAs(older, 'migrate');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('password') });
    await load.goOn();
    for (const words of [['migrate'], ['events', 'dead-letters']])
      expect([words, await runAs(newer, ...words)]).toMatchObject([words, { code: 0 }]);
    await load.goOn();
    expect(await load.end()).toEqual([]);
  },
);
