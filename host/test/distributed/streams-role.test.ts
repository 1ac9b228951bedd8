import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startAgencyProcess } from '@casewatch/dev-stack/processes/agency-process';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { createTokenIssuer } from '@casewatch/service-kit/http/identity-token';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { databaseSettingOf } from '../../src/database-urls.ts';
import { registry } from '../../src/registry.ts';

/** Event streams in a process of their own, next to a gateway and one process with every service, over a real Redis. */

const STREAM = '/api/notifications/stream';
const REDIS_PREFIX = 'streams-role:';
const accounts = fileURLToPath(new URL('../../../scripts/accounts.ts', import.meta.url));
const SERVICES = registry.map(({ name }) => name);
const stops: (() => Promise<unknown>)[] = [];
const requests: http.ClientRequest[] = [];
const metricsUrls = new Map<string, string>();
let database: TestDatabase;
let redisUrl: string;
let gateway: string;
let streams: string;
let streamsProcess: ReturnType<typeof startProductProcess>['process'];

beforeAll(async () => {
  database = await createTestDatabase();
  stops.push(() => database.drop());
  const [redis, agency] = await Promise.all([startOwnTestRedis(), startAgencyProcess()]);
  stops.push(redis.stop, agency.stop);
  redisUrl = redis.url;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const shared = {
    INTERNAL_SECRET: 'a secret between processes',
    TOKEN_PUBLIC_KEY: String(publicKey.export({ type: 'spki', format: 'pem' })),
    REDIS_URL: redis.url,
    REDIS_PREFIX,
    LOG_LEVEL: 'warn',
    STREAM_DRAIN_SECONDS: '1',
  };
  async function start(name: string, roles: string, env: Record<string, string>) {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    metricsUrls.set(name, `http://127.0.0.1:${metricsPort}/metrics`);
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
    const started = startProductProcess({
      name,
      program: 'host/src/main.ts',
      readyUrl: `${url}/readyz`,
      env: { ...shared, ...ports, SERVICES: roles, ...env },
    });
    stops.push(started.process.stop);
    await started.ready;
    return { url, process: started.process };
  }
  const services = await start('services', SERVICES.join(), {
    ...agency.env,
    ...Object.fromEntries(SERVICES.map((name) => [databaseSettingOf(name), database.urlFor(name)])),
  });
  const started = await start('streams', 'streams', {
    DATABASE_URL: database.urlFor('notifications'),
    DATABASE_DIRECT_URL: database.directUrlFor('notifications'),
    IDENTITY_URL: services.url,
  });
  streams = started.url;
  streamsProcess = started.process;
  const front = await start('gateway', 'gateway', {
    TOKEN_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    STREAMS_URL: streams,
    ...Object.fromEntries(
      SERVICES.map((name) => [`${name.replaceAll('-', '_').toUpperCase()}_URL`, services.url]),
    ),
  });
  gateway = front.url;
}, 120_000);
afterEach(() => {
  for (const request of requests.splice(0)) request.destroy();
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

async function signUp(email = `${randomUUID()}@streams.test`): Promise<string> {
  const account = { firstName: 'Ada', lastName: 'Byron', password: 'long enough for this' };
  const answer = await fetch(`${gateway}/api/auth/signup`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ ...account, email }),
  });
  expect(answer.status).toBe(201);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** A stream as a browser opens it, with the text that came, and what resolves when it is over. */
async function open(url: string, cookie: string) {
  const request = http.get(url + STREAM, { headers: { cookie } });
  requests.push(request);
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  const over = once(answer, 'close');
  over.catch(() => undefined);
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  answer.on('error', () => undefined);
  const has = (words: string) => vi.waitFor(() => expect(text).toContain(words), { timeout: 10_000 });
  await has('event: ready');
  return { answer, has, over };
}

async function openAt(name: string): Promise<number> {
  const text = await (await fetch(metricsUrls.get(name) ?? '')).text();
  return Number(/^casewatch_push_streams(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
}

test('a stream is carried by the process for streams, reached directly or through a gateway, and is fed there', async () => {
  const cookie = await signUp();
  const [direct, forwarded] = [await open(streams, cookie), await open(gateway, cookie)];
  expect(direct.answer.headers).toMatchObject({
    'content-type': expect.stringContaining('text/event-stream'),
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  });
  await expect.poll(() => openAt('streams')).toBe(2);
  expect(await openAt('services')).toBe(0);
  const saved = await fetch(`${gateway}/api/saved-cases`, {
    method: 'POST',
    headers: { ...json, cookie },
    body: JSON.stringify({ receiptNumber: 'EAC9999103403' }),
  });
  expect(saved.status).toBe(201);
  await direct.has('event: cases-changed');
  await forwarded.has('event: cases-changed');
});

test('streams end when their session is signed out at a gateway', async () => {
  const cookie = await signUp();
  const streamsOfSession = [await open(streams, cookie), await open(gateway, cookie)];
  const answer = await fetch(`${gateway}/api/auth/logout`, { method: 'POST', headers: { ...json, cookie } });
  expect(answer.status).toBe(200);
  for (const { over } of streamsOfSession) await over;
});

test('streams end when an operator erases the account', async () => {
  const email = `${randomUUID()}@streams.test`;
  const cookie = await signUp(email);
  const streamsOfAccount = [await open(streams, cookie), await open(gateway, cookie)];
  await promisify(execFile)(process.execPath, [accounts, 'erase', email], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, DATABASE_URL: database.ownerUrl },
  });
  for (const { over } of streamsOfAccount) await over;
});

test('in Redis every key and channel begins with the prefix that is set', async () => {
  const cookie = await signUp();
  await open(streams, cookie);
  const redis = await connectedRedis(redisUrl);
  const names = [...(await redis.keys('*')), ...((await redis.pubsub('CHANNELS')) as string[])];
  redis.disconnect();
  expect(names).toContain(`${REDIS_PREFIX}stale-sessions`);
  expect(names.filter((name) => name.startsWith(`${REDIS_PREFIX}limits:`))).not.toEqual([]);
  expect(names.filter((name) => !name.startsWith(REDIS_PREFIX))).toEqual([]);
});

test.each([
  ['GET', '/'],
  ['GET', '/metrics'],
  ['GET', '/api/docs'],
  ['GET', '/api/auth/me'],
  ['GET', '/api/notifications'],
  ['POST', '/internal/identity/resolve-session'],
])('%s %s is not found at the process for streams', async (method, path) => {
  const answer = await fetch(streams + path, { method, headers: { accept: 'text/html' } });
  expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
});

test('without a session, also with an identity token that no gateway has signed, no stream is opened', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issue = createTokenIssuer(privateKey, systemClock);
  const forged = issue(
    { userId: randomUUID(), sessionId: randomUUID(), tier: 'pro', name: 'Eve' },
    'notifications',
  );
  for (const headers of [{}, { cookie: 'sid=none' }, { 'x-casewatch-identity': forged }]) {
    const answer = await fetch(streams + STREAM, { headers });
    expect([answer.status, await answer.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'SIGNED_OUT' }),
    ]);
  }
  expect((await fetch(streams + STREAM, { method: 'POST', headers: json })).status).toBe(405);
});

test('a stop ends the streams and the process in order', async () => {
  const cookie = await signUp();
  const stream = await open(streams, cookie);
  expect(await streamsProcess.stop()).toBe(0);
  await stream.over;
  expect(stream.answer.complete).toBe(true);
  await streamsProcess.restart();
  await open(streams, cookie);
});
