import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createSubscription } from '@casewatch/contracts/billing';
import { listSavedCases, saveCase } from '@casewatch/contracts/cases';
import { listWatches } from '@casewatch/contracts/monitoring';
import { listNotifications, streamNotifications } from '@casewatch/contracts/notifications';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListeningServer, listen } from '../src/http/http-server.ts';
import { createTokenIssuer, createTokenVerifier } from '../src/http/identity-token.ts';
import { IDENTITY_HEADER, REQUEST_ID_HEADER } from '../src/http/internal-headers.ts';
import { route, streamRoute } from '../src/http/route.ts';
import { createServiceApp } from '../src/http/service-app.ts';
import { createServiceRouter } from '../src/http/service-router.ts';
import { systemClock } from '../src/runtime/clock.ts';

const requestId = randomUUID();
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const token = createTokenIssuer(privateKey, systemClock)(
  { userId: randomUUID(), tier: 'free', name: 'Ana' },
  'cases',
);
const logged: string[] = [];
let server: ListeningServer;

beforeAll(async () => {
  const router = createServiceRouter({
    routes: [
      route(listSavedCases, async () => ({ body: [], headers: { 'X-Total-Count': '0' } })),
      route(createSubscription, async ({ body }) => ({
        body: { tier: 'free' as const, status: null, clientSecret: `of ${body.priceId}` },
      })),
      route(saveCase, () => Promise.reject(new Error('no case is saved here'))),
      route(listWatches, () => Promise.reject(new Error('the table is gone'))),
      route(listNotifications, () =>
        Promise.reject(Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' })),
      ),
    ],
    verifyToken: createTokenVerifier([publicKey], 'cases', systemClock),
    internalSecrets: undefined,
  });
  const logger = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  server = await listen(createServiceApp({ routers: [router], ready: async () => undefined, logger }), {
    host: '127.0.0.1',
    port: 0,
  });
});
afterAll(() => server.drain());

/** Express ignores a slash at the end: with one, it answers. */
describe('a user’s plain read is answered without Express as Express answers it', () => {
  test.each([
    ['a list', listSavedCases.path, token, 200],
    ['a query that does not fit', `${listSavedCases.path}?receiptNumbers=1`, token, 400],
    ['no token', listSavedCases.path, undefined, 401],
    ['an unexpected error', listWatches.path, token, 500],
  ])('%s', async (_name, path, identity, status) => {
    const direct = await get(path, identity);
    expect(direct.status).toBe(status);
    expect(direct).toEqual(await get(path.replace(/(?=\?|$)/, '/'), identity));
  });

  test('HEAD gets the headers alone', async () => {
    const { headers, body } = await get(listSavedCases.path, token);
    const head = await get(listSavedCases.path, token, 'HEAD');
    expect(head).toEqual({ status: 200, headers, body: '' });
    expect(body).toBe('[]');
  });
});

test('a request without a body reaches a route that needs none of its fields, and no other', async () => {
  const { status, body } = await get(createSubscription.path, token, 'POST');
  expect([status, JSON.parse(body)]).toEqual([
    200,
    expect.objectContaining({ clientSecret: 'of undefined' }),
  ]);
  expect((await get(saveCase.path, token, 'POST')).status).toBe(415);
});

test.each([
  ['without Express', streamNotifications.path],
  ['by Express', `${streamNotifications.path}/`],
])('an event stream that is answered %s ends when its server drains', async (_how, path) => {
  const router = createServiceRouter({
    routes: [
      streamRoute(streamNotifications, async () => ({ stream: (out) => void out.write(': begun\n\n') })),
    ],
    verifyToken: createTokenVerifier([publicKey], 'cases', systemClock),
    internalSecrets: undefined,
  });
  const logger = pino({ level: 'silent' });
  const streaming = await listen(
    createServiceApp({ routers: [router], ready: async () => undefined, logger }),
    { host: '127.0.0.1', port: 0 },
  );
  const stream = await fetch(streaming.url + path, { headers: { [IDENTITY_HEADER]: token } });
  const [text] = await Promise.all([stream.text(), streaming.drain()]);
  expect(text).toBe(': begun\n\n');
});

test('an unexpected error of a plain read is logged with its request id', async () => {
  logged.length = 0;
  await get(listWatches.path, token);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ requestId, err: expect.objectContaining({ message: 'the table is gone' }) }),
  ]);
});

test('a dependency that is unavailable is answered and logged as 503', async () => {
  logged.length = 0;
  const { status, body } = await get(listNotifications.path, token);
  expect([status, JSON.parse(body)]).toEqual([503, expect.objectContaining({ code: 'UNAVAILABLE' })]);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      requestId,
      msg: 'http: dependency unavailable, answering 503',
      err: expect.objectContaining({ message: 'connect refused' }),
    }),
  ]);
});

async function get(path: string, identity: string | undefined, method = 'GET') {
  const response = await fetch(server.url + path, {
    method,
    headers: { [REQUEST_ID_HEADER]: requestId, ...(identity ? { [IDENTITY_HEADER]: identity } : {}) },
  });
  // What belongs to the connection: fetch closes it after HEAD.
  const {
    date: _date,
    connection: _,
    'keep-alive': _timeout,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}
