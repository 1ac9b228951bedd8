import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { streamNotifications } from '@casewatch/contracts/notifications';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ListeningServer, listen } from '../src/http/http-server.ts';
import { route, streamRoute } from '../src/http/route.ts';
import { createServiceClient, type ServiceLocation } from '../src/http/service-client.ts';

test('a client that is stopped has closed the connections that it kept for further calls', async () => {
  // The callee closes none by itself during the test.
  const server = createServer({ keepAliveTimeout: 60_000 }, (_req, res) => {
    res.setHeader('content-type', 'application/json').end('{"addresses":[]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createServiceClient({
    locate: () => ({ kind: 'remote', url: `http://127.0.0.1:${port}` }),
    internalSecret: 'secret',
    timeoutMs: 20_000,
  });
  const connected = once(server, 'connection');
  await client.call(listMailAddresses, { body: { userIds: [] } });
  const [socket] = await connected;
  expect(socket.destroyed).toBe(false);
  await client.stop();
  await expect.poll(() => socket.destroyed, { timeout: 10_000 }).toBe(true);
  server.close();
});

const BODY = { userIds: ['0190a1b2-0000-7000-8000-000000000001'] };
const UNAVAILABLE = { code: 'UNAVAILABLE', status: 503, retryAfterSeconds: 2 };

describe('a call over HTTP', () => {
  let callee: ListeningServer;
  let answer: (res: ServerResponse) => void;
  let received: {
    url?: string | undefined;
    method?: string | undefined;
    headers: IncomingHttpHeaders;
    body: string;
  };
  let telemetry: Awaited<ReturnType<typeof startScraped>>;
  let client: ReturnType<typeof createServiceClient>;
  beforeEach(async () => {
    callee = await listen(
      async (req, res) => {
        received = { url: req.url, method: req.method, headers: req.headers, body: await text(req) };
        answer(res);
      },
      { host: '127.0.0.1', port: 0 },
    );
    telemetry = await startScraped();
    client = createServiceClient({
      locate: (service) => (service === 'identity' ? { kind: 'remote', url: callee.url } : undefined),
      internalSecret: 'the secret',
      timeoutMs: 20_000,
      telemetry,
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await client.stop();
    await Promise.all([callee.drain(0), telemetry.stop()]);
  });

  const answerWith = (status: number, body: string) => {
    answer = (res) => void res.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
  const call = (signal?: AbortSignal) =>
    client.call(listMailAddresses, { body: BODY, ...(signal ? { signal } : {}) });
  /** How many calls ended so. */
  const counted = async () => {
    const name = /^http_client_request_duration_seconds_count\{peer="identity",outcome="(\w+)"\}$/;
    return Object.fromEntries(
      Object.entries(await telemetry.scrape()).flatMap(([series, count]) => {
        const outcome = name.exec(series)?.[1];
        return outcome ? [[outcome, count]] : [];
      }),
    );
  };

  test('carries the secret and the body as JSON, and counts as answered', async () => {
    answerWith(200, '{"addresses":[]}');
    expect(await call()).toEqual({ addresses: [] });
    expect(received).toMatchObject({
      method: 'POST',
      url: listMailAddresses.path,
      headers: { 'content-type': 'application/json', 'x-casewatch-internal': 'the secret' },
      body: JSON.stringify(BODY),
    });
    expect(received.headers).not.toHaveProperty('traceparent');
    expect(await counted()).toEqual({ ok: 1 });
  });

  test('that the callee refuses fails with the callee’s own error', async () => {
    answerWith(404, '{"error":"There is no such user.","code":"NOT_FOUND","requestId":""}');
    const refusal = { code: 'NOT_FOUND', status: 404, message: 'There is no such user.' };
    await expect(call()).rejects.toMatchObject(refusal);
    expect(await counted()).toEqual({ refused: 1 });
  });

  test.each([
    ['fails', 500, '{"error":"It failed.","code":"INTERNAL","requestId":""}'],
    ['is not available', 503, '{"error":"Not now.","code":"UNAVAILABLE","requestId":""}'],
    ['answers with another status of success', 202, '{"addresses":[]}'],
    ['answers with an error that is none of ours', 404, '{"message":"no route"}'],
    ['answers with no JSON', 200, '<html>'],
  ])('whose callee %s is unavailable for the moment', async (_what, status, body) => {
    answerWith(status, body);
    const error = await call().catch((reason: unknown) => reason);
    expect(error).toMatchObject(UNAVAILABLE);
    expect(error).toMatchObject({ cause: { message: 'identity could not be called' } });
    expect(await counted()).toEqual({ failed: 1 });
  });

  test('that gets no answer in time is unavailable for the moment', async () => {
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    answer = () => time.abort(new DOMException('it took too long', 'TimeoutError'));
    await expect(call()).rejects.toMatchObject(UNAVAILABLE);
    expect(timeout).toHaveBeenCalledWith(20_000);
    expect(await counted()).toEqual({ timeout: 1 });
  });

  test('may take five seconds by default', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    const other = createServiceClient({
      locate: () => ({ kind: 'remote', url: callee.url }),
      internalSecret: 'the secret',
    });
    answerWith(200, '{"addresses":[]}');
    await other.call(listMailAddresses, { body: BODY });
    expect(timeout).toHaveBeenCalledWith(5_000);
    await other.stop();
  });

  test('ends when its caller no longer waits', async () => {
    const caller = new AbortController();
    answer = () => caller.abort(new Error('the client disconnected'));
    await expect(call(caller.signal)).rejects.toMatchObject(UNAVAILABLE);
    expect(await counted()).toEqual({ failed: 1 });
  });

  test('of a service that is nowhere is unavailable for the moment', async () => {
    const otherRoute = { ...listMailAddresses, service: 'billing' as const };
    await expect(client.call(otherRoute, { body: BODY })).rejects.toMatchObject({
      ...UNAVAILABLE,
      cause: { message: 'billing could not be called', cause: { message: 'no location is known' } },
    });
  });
});

test('a call within the process reaches the use case with its body and its signal, and has the checked answer', async () => {
  const { signal } = new AbortController();
  const seen: unknown[] = [];
  const routes = [
    route(listMailAddresses, async ({ body, caller, request }) => {
      seen.push(body, caller, request.signal === signal, request.signal.aborted);
      return { body: { addresses: [] } };
    }),
  ];
  const client = createServiceClient({ locate: () => ({ kind: 'local', routes }), internalSecret: 'x' });
  expect(await client.call(listMailAddresses, { body: BODY, signal })).toEqual({ addresses: [] });
  await client.call(listMailAddresses, { body: BODY });
  expect(seen).toEqual([BODY, undefined, true, false, BODY, undefined, false, false]);
  await client.stop();
});

test('within the process only routes that are served and answer with JSON can be called', async () => {
  const location: ServiceLocation = {
    kind: 'local',
    routes: [
      streamRoute({ ...streamNotifications, access: 'internal' as const }, async () => ({
        stream: () => undefined,
      })),
    ],
  };
  const client = createServiceClient({ locate: () => location, internalSecret: 'x' });
  const contract = location.routes[0]?.contract ?? listMailAddresses;
  await expect(client.call(contract, { body: undefined })).rejects.toThrow('answers with a stream');
  await expect(client.call(listMailAddresses, { body: BODY })).rejects.toThrow(
    'identity does not serve listMailAddresses',
  );
});
