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
  server = createServer((_request, response) => {
    if (status === undefined) response.destroy();
    else if (status > 0) response.writeHead(status).end('x');
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
beforeEach(async () => {
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
