import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { streamNotifications } from '@casewatch/contracts/notifications';
import { listen } from '@casewatch/platform/http/http-server';
import { streamRoute } from '@casewatch/platform/http/route';
import { createServiceApp } from '@casewatch/platform/http/service-app';
import { createServiceRouter } from '@casewatch/platform/http/service-router';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type Harness, type HarnessOptions, KINDS, type Kind, startGateway } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A gateway in front of a service that opens a stream for every request and leaves it to the test. */
async function gatewayToStreams(kind: Kind, options: Pick<HarnessOptions, 'env' | 'upstreams'> = {}) {
  const opened: { out: Writable; lastEventId: string | undefined }[] = [];
  const router = createServiceRouter({
    routes: [
      streamRoute(streamNotifications, async ({ request }) => ({
        stream: (out) => opened.push({ out, lastEventId: request.lastEventId }),
      })),
    ],
    verifyToken: () => ({ userId: 'ada', tier: 'free', name: 'Ada' }),
    internalSecret: undefined,
  });
  const logger = pino({ level: 'silent' });
  const server = await listen(createServiceApp({ routers: [router], ready: async () => undefined, logger }), {
    host: '127.0.0.1',
    port: 0,
  });
  closers.push(() => server.drain());
  const h = await startGateway({
    ...options,
    kind,
    upstreams: (made) => {
      made.set('notifications', kind === 'local' ? { kind, router } : { kind, url: server.url });
      options.upstreams?.(made);
    },
  });
  let running = true;
  const stop = async () => {
    if (running) await h.stop();
    running = false;
  };
  closers.push(stop);
  return { h, opened, stop };
}

async function open(h: Harness, headers: Record<string, string> = {}) {
  const { sid } = h.signIn();
  const request = http.get(`${h.url}/api/notifications/stream`, {
    headers: { cookie: `sid=${sid}`, ...headers },
  });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.setEncoding('utf8').on('error', () => undefined);
  return { request, answer };
}

test.each(KINDS)('an event stream comes through piece by piece (%s service)', async (kind) => {
  const { h, opened } = await gatewayToStreams(kind);
  const { answer } = await open(h, { 'last-event-id': '41' });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  expect(answer.headers['cache-control']).toBe('no-store, no-transform');
  expect(opened[0]?.lastEventId).toBe('41');
  for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
    opened[0]?.out.write(piece);
    expect(await once(answer, 'data')).toEqual([piece]);
  }
  opened[0]?.out.end();
  answer.resume();
  await once(answer, 'end');
  expect(answer.complete).toBe(true);
});

test.each(KINDS)('HEAD gets the headers of the stream at once, and opens none (%s service)', async (kind) => {
  const { h, opened } = await gatewayToStreams(kind);
  const { sid } = h.signIn();
  const request = (method: string, path: string, more = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${sid}\r\n${more}\r\n`;
  // The next request on the connection is answered, too.
  const text = await sendRaw(
    h.port,
    request('HEAD', '/api/notifications/stream') + request('GET', '/api/auth/me', 'Connection: close\r\n'),
  );
  const [head = '', next] = text.split(/(?<=\r\n\r\n)(?=HTTP)/);
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head).toMatch(/^content-type: text\/event-stream/im);
  expect(head).toMatch(/^cache-control: no-store, no-transform\r$/im);
  expect(head).toMatch(/\r\n\r\n$/);
  expect(next).toMatch(/^HTTP\/1\.1 200 /);
  expect(opened).toEqual([]);
});

test.each(KINDS)('a browser that leaves ends its stream at the service (%s service)', async (kind) => {
  const { h, opened } = await gatewayToStreams(kind);
  const { request } = await open(h);
  const out = opened[0]?.out;
  const over = out && once(out, 'close');
  request.destroy();
  await over;
});

test.each(KINDS)('a gateway that stops ends its streams at once, at both ends (%s service)', async (kind) => {
  const { h, opened, stop } = await gatewayToStreams(kind);
  const { answer } = await open(h);
  const out = opened[0]?.out;
  const over = out && once(out, 'close');
  answer.resume();
  const ended = once(answer, 'end');
  const before = performance.now();
  await Promise.all([stop(), ended, over]);
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(answer.complete).toBe(true);
});

test('a stream may be silent for longer than a service may be with an answer', async () => {
  const silent = http.createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closers.push(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { h, opened } = await gatewayToStreams('remote', {
    env: { UPSTREAM_TIMEOUT_SECONDS: '1' },
    upstreams: (made) => made.set('cases', { kind: 'remote', url }),
  });
  const { answer } = await open(h);
  const timedOut = await h.send('GET', '/api/saved-cases', { sid: h.signIn().sid });
  expect(timedOut.status).toBe(503);
  opened[0]?.out.write('data: late\n\n');
  expect(await once(answer, 'data')).toEqual(['data: late\n\n']);
});
