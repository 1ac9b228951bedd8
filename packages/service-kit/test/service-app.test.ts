import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createSubscription } from '@casewatch/contracts/billing';
import { listSavedCases, lookUpCase, saveCase } from '@casewatch/contracts/cases';
import { listWatches } from '@casewatch/contracts/monitoring';
import { listNotifications, streamNotifications } from '@casewatch/contracts/notifications';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../src/errors/app-error.ts';
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
  { userId: randomUUID(), sessionId: randomUUID(), tier: 'free', name: 'Ana' },
  'cases',
);
const logged: string[] = [];
let server: ListeningServer;

beforeAll(async () => {
  const router = createServiceRouter({
    routes: [
      route(listSavedCases, async () => ({ body: [], headers: { 'X-Total-Count': '0' } })),
      route(lookUpCase, ({ params }) =>
        Promise.reject(
          new AppError('RECEIPT_NOT_RECOGNIZED', { en: `There is no ${params.receiptNumber}.` }),
        ),
      ),
      route(createSubscription, async ({ body }) => ({
        body: { tier: 'free' as const, status: null, clientSecret: `of ${body.priceId}` },
      })),
      route(saveCase, () => Promise.reject(new Error('no case is saved here'))),
      route(listWatches, () => Promise.reject(new Error('the table is missing'))),
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
    ['a parameter', '/api/case-status/eac9999103403', token, 404],
    ['a parameter in percent signs', '/api/case-status/%45AC9999103403', token, 404],
    ['a parameter that is none', '/api/case-status/1', token, 400],
    ['a percent sign too many', '/api/case-status/%zz', token, 400],
    ['an empty parameter', '/api/case-status/', token, 404],
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
    expect.objectContaining({ requestId, err: expect.objectContaining({ message: 'the table is missing' }) }),
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

test.each([
  ['no JSON', {}, '{', 400, 'BAD_REQUEST'],
  ['JSON that is no object', {}, '7', 400, 'BAD_REQUEST'],
  ['more than 100 kB', {}, `"${'x'.repeat(100_000)}"`, 413, 'BODY_TOO_LARGE'],
  [
    'an unknown charset',
    { 'content-type': 'application/json; charset=latin1' },
    '{}',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['an unknown encoding', { 'content-encoding': 'zip' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['another media type', { 'content-type': 'text/plain' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
])(
  'a body with %s is refused with the request id, and nothing is logged',
  async (_name, headers, sent, status, code) => {
    logged.length = 0;
    const response = await fetch(server.url + createSubscription.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [REQUEST_ID_HEADER]: requestId,
        [IDENTITY_HEADER]: token,
        ...headers,
      },
      body: sent,
    });
    expect([response.status, JSON.parse(await response.text())]).toEqual([
      status,
      expect.objectContaining({ code, requestId }),
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(logged).toEqual([]);
  },
);

test('at an address that no route has there is nothing', async () => {
  const { status, body } = await get('/api/nothing', token);
  expect([status, JSON.parse(body).code]).toEqual([404, 'NOT_FOUND']);
});

test('an answer that says when to come back does so, one without a reason does not', async () => {
  const unavailable = await get(listNotifications.path, token);
  expect(unavailable.headers).toMatchObject({ 'retry-after': '5' });
  expect((await get(listWatches.path, token)).headers).not.toHaveProperty('retry-after');
});

describe('the probes of a process', () => {
  const probe = { alive: true, ready: async (): Promise<void> => undefined };
  const lines: string[] = [];
  let probed: ListeningServer;
  beforeAll(async () => {
    const logger = pino(
      { level: 'info' },
      { write: (line) => void lines.push([JSON.parse(line).msg, JSON.parse(line).err?.message].join(': ')) },
    );
    const app = createServiceApp({
      routers: [],
      ready: () => probe.ready(),
      alive: () => probe.alive,
      handleMetrics: (_req, res) => void res.end('up 1'),
      logger,
    });
    probed = await listen(app, { host: '127.0.0.1', port: 0 });
  });
  afterAll(() => probed.drain());
  const ask = async (path: string) => {
    const response = await fetch(probed.url + path);
    return [response.status, await response.text(), response.headers.get('cache-control')];
  };

  test.each(['/livez', '/healthz'])('%s says whether only a new start can help', async (path) => {
    probe.alive = true;
    expect(await ask(path)).toEqual([200, '{"status":"ok"}', 'no-store']);
    probe.alive = false;
    expect(await ask(path)).toEqual([503, '{"status":"stuck"}', 'no-store']);
  });

  test('/readyz says whether it is to get traffic; each new reason why not is logged, and its end', async () => {
    lines.length = 0;
    const isUnready = [503, '{"status":"not ready"}', 'no-store'];
    for (const reason of ['no database', 'no database', 'schema behind']) {
      probe.ready = () => Promise.reject(new Error(reason));
      expect(await ask('/readyz')).toEqual(isUnready);
    }
    probe.ready = async () => undefined;
    expect(await ask('/readyz')).toEqual([200, '{"status":"ready"}', 'no-store']);
    expect(lines).toEqual([
      'readiness: not ready, taking no traffic: no database',
      'readiness: not ready, taking no traffic: schema behind',
      'readiness: ready, taking traffic: ',
    ]);
  });

  test('requests that come during a check of readiness share it; the next one checks again', async () => {
    let checks = 0;
    const check = Promise.withResolvers<void>();
    probe.ready = () => {
      checks += 1;
      return check.promise;
    };
    const asked = ask('/readyz');
    await expect.poll(() => checks).toBe(1);
    const others = [ask('/readyz'), ask('/readyz')];
    // Answered in the order of their arrival at the latest.
    await ask('/livez');
    check.resolve();
    await Promise.all([asked, ...others]);
    expect(checks).toBe(1);
    await ask('/readyz');
    expect(checks).toBe(2);
  });

  test('/metrics is there only where it is to be', async () => {
    expect((await ask('/metrics')).slice(0, 2)).toEqual([200, 'up 1']);
    expect((await get('/metrics', undefined)).status).toBe(404);
  });
});
