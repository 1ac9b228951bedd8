import { once } from 'node:events';
import http, { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type HarnessOptions, KINDS, type Kind } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';
import { openStream, startStreamGateway } from './stream-harness.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function gatewayToStreams(kind: Kind, options: Omit<HarnessOptions, 'kind'> = {}) {
  const gateway = await startStreamGateway(kind, options);
  closers.push(gateway.stop);
  return gateway;
}

test.each(KINDS)('an event stream comes through piece by piece (%s service)', async (kind) => {
  const { h, opened } = await gatewayToStreams(kind);
  const { answer } = await openStream(h, { headers: { 'last-event-id': '41' } });
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

test('a stream in the process of its service keeps the headers of its request and its answer no longer than it needs them', async () => {
  const { h, opened } = await gatewayToStreams('local');
  await openStream(h, { headers: { 'user-agent': 'a browser' } });
  const out = opened[0]?.out;
  if (!(out instanceof ServerResponse)) throw new Error('the stream is not an answer');
  expect([out.req.headers, out.req.rawHeaders]).toEqual([{}, []]);
  expect(out.getHeaderNames()).toEqual([]);
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
  const { request } = await openStream(h);
  const out = opened[0]?.out;
  const over = out && once(out, 'close');
  request.destroy();
  await over;
});

test.each(KINDS)('a gateway that stops ends its streams at once, at both ends (%s service)', async (kind) => {
  const { h, opened, stopGateway } = await gatewayToStreams(kind);
  const { answer } = await openStream(h);
  const out = opened[0]?.out;
  const over = out && once(out, 'close');
  answer.resume();
  const ended = once(answer, 'end');
  const before = performance.now();
  await Promise.all([stopGateway(), ended, over]);
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
  const { answer } = await openStream(h);
  const timedOut = await h.send('GET', '/api/saved-cases', { sid: h.signIn().sid });
  expect(timedOut.status).toBe(503);
  opened[0]?.out.write('data: late\n\n');
  expect(await once(answer, 'data')).toEqual(['data: late\n\n']);
});
