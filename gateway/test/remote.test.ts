import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterEach, expect, test } from 'vitest';
import { type Harness, sameOrigin, startGateway } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';

/** Than a connection is kept idle that the service keeps for two seconds. */
const SLOWER_THAN_KEPT_MS = 1_500;
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A gateway whose cases service is the given handler, on a port of its own. */
async function inFrontOf(handler: http.RequestListener, env: Record<string, string> = {}) {
  const server = http.createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, h: await gatewayTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, env) };
}

async function gatewayTo(url: string, env: Record<string, string> = {}): Promise<Harness> {
  const h = await startGateway({ env, upstreams: (made) => made.set('cases', { kind: 'remote', url }) });
  closers.push(() => h.stop());
  return h;
}

const list = (h: Harness) => h.send('GET', '/api/saved-cases', { sid: h.signIn().sid });

test('a service that refuses connections is 503 UNAVAILABLE with Retry-After', async () => {
  const h = await gatewayTo('http://127.0.0.1:1');
  const answer = await list(h);
  expect([answer.status, answer.headers['retry-after'], answer.json().code]).toEqual([
    503,
    '2',
    'UNAVAILABLE',
  ]);
  expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|saved-cases/);
});

test('an answer whose failure the service blames on the agency is measured so', async () => {
  const telemetry = await startScraped();
  closers.push(telemetry.stop);
  const service = http.createServer((_req, res) => {
    res.writeHead(503, { 'content-type': 'application/json', 'x-casewatch-fault': 'agency' }).end('{}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  closers.push(() => service.close());
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const h = await startGateway({
    upstreams: (made) => made.set('cases', { kind: 'remote', url }),
    overrides: { telemetry },
  });
  closers.push(() => h.stop());
  expect((await list(h)).status).toBe(503);
  const counted = Object.keys(await telemetry.scrape()).filter((name) =>
    name.includes('_count{service="gateway"'),
  );
  expect(counted).toEqual([expect.stringContaining('http_response_status_code="503",fault="agency"')]);
});

test('a silent service is 503 UNAVAILABLE after the time it has', async () => {
  let calls = 0;
  const { h } = await inFrontOf(
    () => {
      calls += 1;
    },
    { UPSTREAM_TIMEOUT_SECONDS: '1' },
  );
  const answer = await list(h);
  expect([answer.status, answer.json().code, calls]).toEqual([503, 'UNAVAILABLE', 1]);
});

test('a service has its time on a kept connection too, whatever it says of how long that is kept', async () => {
  let calls = 0;
  const { h, server } = await inFrontOf((_req, res) => {
    calls += 1;
    const answer = () => res.setHeader('content-type', 'application/json').end('[]');
    setTimeout(answer, calls === 1 ? 0 : SLOWER_THAN_KEPT_MS);
  });
  // The client closes an idle connection a second before the service would.
  server.keepAliveTimeout = 2_000;
  expect((await list(h)).status).toBe(200);
  expect((await list(h)).status).toBe(200);
});

test.each([502, 503, 504])('the page of a broken proxy with %i becomes 503 UNAVAILABLE', async (status) => {
  const { h } = await inFrontOf((_req, res) => {
    res.writeHead(status, { 'content-type': 'text/html' }).end('<h1>nginx</h1>');
  });
  const answer = await list(h);
  expect([answer.status, answer.json().code]).toEqual([503, 'UNAVAILABLE']);
});

test('a read is tried again when a kept connection was closed under it, a write is not', async () => {
  let reads = 0;
  let writes = 0;
  const { h } = await inFrontOf((req, res) => {
    if (req.method === 'DELETE') {
      writes += 1;
      req.socket.destroy();
      return;
    }
    reads += 1;
    if (reads === 1) req.socket.destroy();
    else res.setHeader('content-type', 'application/json').end('[]');
  });
  expect((await list(h)).status).toBe(200);
  expect(reads).toBe(2);
  const { sid } = h.signIn();
  const removal = await h.send('DELETE', '/api/saved-cases/EAC9999103403', { sid, headers: sameOrigin });
  expect([removal.status, writes]).toEqual([503, 1]);
});

test('a client that leaves takes its request to the service with it', async () => {
  const disconnected = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { h } = await inFrontOf((_req, res) => {
    arrived.resolve();
    res.once('close', () => disconnected.resolve());
  });
  const { sid } = h.signIn();
  const client = http.get(`${h.url}/api/saved-cases`, { headers: { cookie: `sid=${sid}` } });
  client.on('error', () => undefined);
  await arrived.promise;
  client.destroy();
  await disconnected.promise;
  await expect.poll(() => h.logs.some((line) => line.includes('"status":499'))).toBe(true);
});

test('a sign-out counts at the gateway also when its client leaves before the answer', async () => {
  const arrived = Promise.withResolvers<void>();
  const identity = http.createServer(() => arrived.resolve()).listen(0, '127.0.0.1');
  await once(identity, 'listening');
  closers.push(() => {
    identity.closeAllConnections();
    identity.close();
  });
  const url = `http://127.0.0.1:${(identity.address() as AddressInfo).port}`;
  const h = await startGateway({ upstreams: (made) => made.set('identity', { kind: 'remote', url }) });
  closers.push(() => h.stop());
  const { sid } = h.signIn();
  const list = () => h.send('GET', '/api/saved-cases', { sid });
  expect((await list()).status).toBe(200);
  h.sessions.delete(sid);
  const headers = { ...sameOrigin, cookie: `sid=${sid}` };
  const client = http.request(`${h.url}/api/auth/logout`, { method: 'POST', headers }).end();
  client.on('error', () => undefined);
  await arrived.promise;
  expect((await list()).status).toBe(200);
  client.destroy();
  await expect.poll(async () => (await list()).status).toBe(401);
});

test('connections to a service are kept whatever clients ask for theirs', async () => {
  const { server, h } = await inFrontOf((_req, res) => {
    res.setHeader('content-type', 'application/json').end('[]');
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const { sid } = h.signIn();
  for (let n = 0; n < 3; n += 1) {
    const text = await sendRaw(
      h.port,
      `GET /api/saved-cases HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${sid}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/);
  }
  expect(connections).toBe(1);
});

test('while the server drains, proxied answers too say that the connection ends', async () => {
  const release = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { h } = await inFrontOf(async (_req, res) => {
    arrived.resolve();
    await release.promise;
    res.setHeader('content-type', 'application/json').end('[]');
  });
  const { sid } = h.signIn();
  const agent = new http.Agent({ keepAlive: true });
  const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .get(`${h.url}/api/saved-cases`, { agent, headers: { cookie: `sid=${sid}` } }, resolve)
      .on('error', reject);
  });
  await arrived.promise;
  const stopped = h.stop();
  closers.length = 0;
  release.resolve();
  expect([(await answer).statusCode, (await answer).headers.connection]).toEqual([200, 'close']);
  (await answer).resume();
  await stopped;
  agent.destroy();
});
