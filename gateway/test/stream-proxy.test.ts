import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { streamNotifications } from '@casewatch/contracts/notifications';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createSecurityHeaders } from '../src/security-headers.ts';
import { createStreamProxy } from '../src/stream-proxy.ts';
import { startGateway } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';

const STREAM = '/api/notifications/stream';
const EVENT_STREAM = { 'content-type': 'text/event-stream' };
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A gateway whose notifications service is the given handler, in a server of its own. */
async function inFrontOf(handler: http.RequestListener, { env = {}, base = '' } = {}) {
  const server = http.createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    ...(await gatewayTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, env)),
  };
}

async function gatewayTo(url: string, env: Record<string, string> = {}) {
  const h = await startGateway({
    env,
    upstreams: (made) => made.set('notifications', { kind: 'remote', url }),
  });
  closers.push(() => h.stop());
  const { sid } = h.signIn();
  const open = async () => {
    const request = http.get(h.url + STREAM, { headers: { cookie: `sid=${sid}` } });
    request.on('error', () => undefined);
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.setEncoding('utf8').on('error', () => undefined);
    return { request, answer };
  };
  return { h, sid, open, get: (headers = {}) => h.send('GET', STREAM, { sid, headers }) };
}

test('the service gets the path, the query and none of what a client could forge', async () => {
  let asked: http.IncomingMessage | undefined;
  const { h, sid, server } = await inFrontOf(
    (req, res) => {
      asked = req;
      res.writeHead(200, EVENT_STREAM).end();
    },
    { base: '/below/' },
  );
  const text = await sendRaw(
    h.port,
    `GET ${STREAM}?after=7 HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${sid}\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n` +
      'X-Casewatch-Address: 192.0.2.9\r\nX-User-Id: eve\r\nAuthorization: Bearer x\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n',
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
  const { port } = server.address() as AddressInfo;
  expect(asked?.url).toBe(`/below${STREAM}?after=7`);
  expect(asked?.headers).toMatchObject({
    host: `127.0.0.1:${port}`,
    connection: 'keep-alive',
    'x-casewatch-address': '127.0.0.1',
    'x-casewatch-identity': expect.any(String),
  });
  for (const name of ['cookie', 'x-hop', 'x-user-id', 'authorization', 'x-forwarded-for']) {
    expect(asked?.headers).not.toHaveProperty(name);
  }
});

test('the client gets the stream’s headers, and none of the service’s connection, software or policy', async () => {
  const { get } = await inFrontOf((_req, res) => {
    res.writeHead(200, {
      ...EVENT_STREAM,
      connection: 'close, x-hop',
      'x-hop': '1',
      server: 'secret/1.0',
      'x-powered-by': 'secret',
      'content-security-policy': 'default-src *',
      'x-request-id': 'theirs',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    res.end('data: 1\n\n');
  });
  const { status, text, headers } = await get();
  expect([status, text]).toEqual([200, 'data: 1\n\n']);
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(headers['x-request-id']).not.toBe('theirs');
  for (const name of ['x-hop', 'server', 'x-powered-by']) expect(headers).not.toHaveProperty(name);
});

test('an error of the service instead of a stream comes through as it is', async () => {
  const { get } = await inFrontOf((_req, res) => {
    res
      .writeHead(503, { 'content-type': 'application/json', 'retry-after': '30' })
      .end('{"code":"UNAVAILABLE","error":"too many"}');
  });
  const answer = await get();
  expect([answer.status, answer.headers['retry-after'], answer.json().error]).toEqual([
    503,
    '30',
    'too many',
  ]);
});

const rejected = {
  status: 200,
  type: 'text/event-stream',
  text: expect.stringMatching(/^retry: \d+\n\n$/),
};
const summary = ({
  status,
  headers,
  text,
}: Awaited<ReturnType<Awaited<ReturnType<typeof gatewayTo>>['get']>>) => ({
  status,
  type: headers['content-type'],
  text,
});

test('a stream is asked to come back while its service refuses connections', async () => {
  const { get } = await gatewayTo('http://127.0.0.1:1');
  expect(summary(await get())).toEqual(rejected);
});

test('a stream is asked to come back if its service does not begin in time, and is not sent twice', async () => {
  let asked = 0;
  const { get } = await inFrontOf(() => (asked += 1), { env: { UPSTREAM_TIMEOUT_SECONDS: '1' } });
  expect(summary(await get())).toEqual(rejected);
  expect(asked).toBe(1);
});

test.each([
  [
    '502 with a page',
    (res: http.ServerResponse) => res.writeHead(502, { 'content-type': 'text/html' }).end('nginx'),
  ],
  ['no HTTP', (res: http.ServerResponse) => res.socket?.end('hello\r\n\r\n')],
  [
    'another protocol',
    (res: http.ServerResponse) =>
      res.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  ],
])('a stream is asked to come back if its service answers %s', async (_what, answerWith) => {
  const { get } = await inFrontOf((_req, res) => answerWith(res));
  expect(summary(await get())).toEqual(rejected);
});

test('a request on a keep-alive connection that turns out closed is sent again', async () => {
  let asked = 0;
  const { get } = await inFrontOf((req, res) => {
    asked += 1;
    if (asked === 1) req.socket.destroy();
    else res.writeHead(200, EVENT_STREAM).end('data: 1\n\n');
  });
  expect([(await get()).text, asked]).toEqual(['data: 1\n\n', 2]);
});

test('a stream that the service breaks off is broken off for the client', async () => {
  const { open } = await inFrontOf((_req, res) => {
    res.writeHead(200, EVENT_STREAM).write('data: 1\n\n');
    res.socket?.once('data', () => undefined);
    setImmediate(() => res.destroy());
  });
  const { answer } = await open();
  const failed = once(answer, 'error');
  answer.resume();
  expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
  expect(answer.complete).toBe(false);
});

test('a client that leaves before the stream begins cancels its request to the service', async () => {
  const arrived = Promise.withResolvers<void>();
  const canceled = Promise.withResolvers<void>();
  const { h, sid } = await inFrontOf((_req, res) => {
    res.once('close', canceled.resolve);
    arrived.resolve();
  });
  const client = http.get(h.url + STREAM, { headers: { cookie: `sid=${sid}` } });
  client.on('error', () => undefined);
  await arrived.promise;
  client.destroy();
  await canceled.promise;
  await expect.poll(() => h.logs.some((line) => line.includes('"status":499'))).toBe(true);
  expect(h.logs.filter((line) => line.includes('upstream failed'))).toEqual([]);
});

test('streams that ended leave their connection to the next one', async () => {
  let connections = 0;
  const { get, server } = await inFrontOf((_req, res) => res.writeHead(200, EVENT_STREAM).end('data: 1\n\n'));
  server.on('connection', () => {
    connections += 1;
  });
  for (let n = 0; n < 3; n += 1) expect((await get({ connection: 'close' })).status).toBe(200);
  expect(connections).toBe(1);
});

test('a reader that does not read holds the service back, and gets everything later', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const pieces = 500;
  let written = 0;
  const { h, sid, open } = await inFrontOf(async (_req, res) => {
    res.writeHead(200, EVENT_STREAM);
    for (; written < pieces; written += 1) if (!res.write(piece)) await once(res, 'drain');
    res.end();
  });
  const { answer } = await open();
  // The gateway answers other requests at the same time: a gateway that kept reading from the service would do so, too.
  const standsStill = async (before = -1): Promise<number> => {
    if (written === before) return written;
    const now = written;
    for (let n = 0; n < 20; n += 1) expect((await h.send('GET', '/api/auth/me', { sid })).status).toBe(200);
    return standsStill(now);
  };
  expect(await standsStill()).toBeLessThan(pieces / 2);
  let length = 0;
  for await (const chunk of answer) length += chunk.length;
  expect(length).toBe(piece.length * pieces);
});

/** The proxy by itself, in front of the given handler: what it counts, and the errors that it hands on. */
async function proxyAlone(handler: http.RequestListener, { timeoutMs = 10_000 } = {}) {
  const counted: string[] = [];
  const errors: unknown[] = [];
  const listening = async (listener: http.RequestListener) => {
    const server = http.createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const proxy = createStreamProxy({
    service: 'notifications',
    url: await listening(handler),
    timeoutMs,
    logger: pino({ level: 'silent' }),
    ownHeaders: createSecurityHeaders({ publicUrl: 'http://localhost:8080', pages: [] }),
    count: (_peer, outcome) => counted.push(outcome),
    tracing: noTracing,
  });
  closers.push(proxy.stop);
  const url = await listening((req, res) => {
    const next = (error?: unknown) => {
      errors.push(error);
      res.writeHead(503).end();
    };
    proxy.forward(req, res, next, streamNotifications);
  });
  return { url, counted, errors };
}

test.each<[what: string, outcome: string, answer: (res: http.ServerResponse) => unknown]>([
  ['a stream', 'ok', (res) => res.writeHead(200, EVENT_STREAM).end('data: 1\n\n')],
  ['a refusal', 'refused', (res) => res.writeHead(401, { 'content-type': 'application/json' }).end('{}')],
  ['silence', 'timeout', () => undefined],
])('a call for a stream that is answered with %s is counted once, as %s', async (_what, outcome, answer) => {
  const timeoutMs = outcome === 'timeout' ? 50 : 10_000;
  const { url, counted } = await proxyAlone((_req, res) => answer(res), { timeoutMs });
  await (await fetch(url + STREAM)).text();
  expect(counted).toEqual([outcome]);
});

test('a stream is sent again once where its connection is closed each time', async () => {
  let asked = 0;
  const { url, counted, errors } = await proxyAlone((req) => {
    asked += 1;
    req.socket.destroy();
  });
  expect((await fetch(url + STREAM)).status).toBe(503);
  expect([asked, counted, errors]).toMatchObject([2, ['failed'], [{ code: 'UNAVAILABLE' }]]);
});

test('the page of a proxy is not read to its end', async () => {
  const left = Promise.withResolvers<void>();
  const { url } = await proxyAlone((_req, res) => {
    res.once('close', left.resolve);
    res.writeHead(502, { 'content-type': 'text/html' }).write('nginx');
  });
  expect((await fetch(url + STREAM)).status).toBe(503);
  await left.promise;
});
