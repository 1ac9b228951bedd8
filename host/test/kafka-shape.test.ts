import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/platform/http/free-port';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Two services and the gateway as processes of their own: what one publishes reaches the other through Kafka. */

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const children: ChildProcess[] = [];
let database: TestDatabase;
let url: string;
let logs = '';

beforeAll(async () => {
  database = await createTestDatabase();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ports = { identity: await freePort(), cases: await freePort(), gateway: await freePort() };
  const shared = {
    PATH: process.env.PATH ?? '',
    KAFKA_BROKERS: (await testKafkaBrokers()).join(),
    KAFKA_TOPIC_PREFIX: `test-${randomBytes(6).toString('hex')}.`,
    KAFKA_PARTITIONS: '2',
    INTERNAL_SECRET: randomBytes(16).toString('hex'),
    TOKEN_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    TOKEN_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    IDENTITY_URL: `http://127.0.0.1:${ports.identity}`,
    CASES_URL: `http://127.0.0.1:${ports.cases}`,
    AGENCY_BASE_URL: 'http://127.0.0.1:9',
    AGENCY_CLIENT_ID: 'none',
    AGENCY_CLIENT_SECRET: 'none',
  };
  url = `http://127.0.0.1:${ports.gateway}`;
  for (const [role, port] of Object.entries(ports)) {
    const own = role === 'gateway' ? {} : { DATABASE_URL: database.urlFor(role as 'identity' | 'cases') };
    const child = spawn(process.execPath, [main], {
      env: { ...shared, ...own, SERVICES: role, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        logs += text;
      });
    }
    children.push(child);
  }
  for (const port of Object.values(ports)) await answers(`http://127.0.0.1:${port}/livez`);
}, 180_000);
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await database.drop();
});

async function answers(probe: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(probe).catch(() => undefined);
    if (answer?.ok) return;
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error(logs);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(logs);
}

test('an account deleted in one process is heard of in another, each with its own database role', async () => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const password = 'apart-apart-apart';
  const signedUp = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: 'apart@example.test', password, firstName: 'A', lastName: 'Part' }),
  });
  expect(signedUp.status).toBe(201);
  const [cookie = ''] = signedUp.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const deleted = await fetch(`${url}/api/auth/me`, {
    method: 'DELETE',
    headers: { ...headers, cookie },
    body: JSON.stringify({ currentPassword: password }),
  });
  expect(deleted.status).toBe(200);
  const inbox = () => database.query<{ count: number }>('SELECT count(*)::int AS count FROM cases.inbox');
  for (let tries = 0; (await inbox())[0]?.count === 0; tries++) {
    if (tries === 300) throw new Error(logs);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const waiting = await database.query('SELECT topic FROM identity.outbox WHERE done_at IS NULL');
  expect(waiting).toEqual([]);
}, 60_000);

test('every process stops in order on SIGTERM, and none was warned of', async () => {
  const codes = children.map(async (child) => {
    child.kill('SIGTERM');
    return (await once(child, 'exit'))[0];
  });
  expect(await Promise.all(codes)).toEqual([0, 0, 0]);
  expect(logs).not.toContain('Warning');
}, 60_000);
