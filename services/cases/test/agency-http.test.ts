import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AgencyHttp, createAgencyHttp } from '../src/agency/agency-http.ts';

const CALLS = 'http_client_request_duration_seconds_count';

let server: Server;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
let http: AgencyHttp;
/** What the server answers; undefined breaks the connection, 0 never answers. */
let status: number | undefined;
beforeAll(async () => {
  telemetry = await startScraped();
  server = createServer(({ url }, response) => {
    asked.push(url);
    if (status === undefined) response.destroy();
    else if (status > 0) response.writeHead(status, { location: '/elsewhere' }).end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  http = createAgencyHttp(url, 5_000, telemetry);
});
afterAll(async () => {
  await http.stop();
  server.close();
  await telemetry.stop();
});
let before: Record<string, number>;
/** The paths that the server was asked for. */
let asked: (string | undefined)[];
beforeEach(async () => {
  asked = [];
  before = await telemetry.scrape();
});

const send = (timeoutMs = 5_000) =>
  http.send({ method: 'GET', path: '/x', route: '/x', headers: {}, timeoutMs });

test.each([
  [200, 'ok', { kind: 'answer', status: 200, body: 'x' }],
  [399, 'ok', { kind: 'answer', status: 399 }],
  [400, 'refused', { kind: 'answer', status: 400 }],
  [499, 'refused', { kind: 'answer', status: 499 }],
  [500, 'failed', { kind: 'answer', status: 500 }],
  [undefined, 'failed', { kind: 'unreachable', detail: 'SocketError UND_ERR_SOCKET' }],
  [0, 'timeout', { kind: 'timeout', detail: expect.stringContaining('TimeoutError') }],
])('an answer %j is counted as a call that is %s', async (answered, outcome, result) => {
  status = answered;
  expect(await send(answered === 0 ? 50 : undefined)).toMatchObject(result);
  const after = await telemetry.scrape();
  const counted = Object.keys(after).filter((key) => key.startsWith(CALLS) && after[key] !== before[key]);
  expect(counted).toEqual([`${CALLS}{peer="agency",outcome="${outcome}"}`]);
});

test('a failure says whether a connection came about', async () => {
  status = undefined;
  expect(await send()).toMatchObject({ kind: 'unreachable', isUnconnected: false });
  const other = createAgencyHttp('http://127.0.0.1:1', 5_000, telemetry);
  const get = { method: 'GET', path: '/x', route: '/x', headers: {}, timeoutMs: 5_000 } as const;
  expect(await other.send(get)).toMatchObject({ kind: 'unreachable', isUnconnected: true });
  await other.stop();
});

test('a redirect is an answer, and is not followed', async () => {
  status = 302;
  expect(await send()).toMatchObject({ kind: 'answer', status: 302 });
  expect(asked).toEqual(['/x']);
});

test('an answer in pieces is put together, and its bytes are known to be UTF-8 or not', async () => {
  const answers = [Buffer.from('Aprobó'), Buffer.from([0x41, 0xc3])];
  const pieces = createServer((_request, response) => {
    const [answer = Buffer.of()] = answers.splice(0, 1);
    response.writeHead(200, { 'content-type': 'text/html' }).write(answer.subarray(0, 6));
    setImmediate(() => response.end(answer.subarray(6)));
  });
  await new Promise<void>((resolve) => pieces.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(pieces.address() as AddressInfo).port}/api`;
  const other = createAgencyHttp(url, 5_000, telemetry);
  const get = () => other.send({ method: 'GET', path: '/x', route: '/x', headers: {}, timeoutMs: 5_000 });
  expect(await get()).toMatchObject({ body: 'Aprobó', isUtf8: true, isHtml: true });
  expect(await get()).toMatchObject({ body: 'A\ufffd', isUtf8: false });
  await other.stop();
  pieces.close();
});
