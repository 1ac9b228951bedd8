import { startConnectProxy } from '@casewatch/testing/connect-proxy';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgencyHttp } from '../src/agency/agency-http.ts';

let proxy: Awaited<ReturnType<typeof startConnectProxy>>;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
beforeEach(async () => {
  [proxy, telemetry] = await Promise.all([startConnectProxy(), startScraped()]);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([proxy.stop(), telemetry.stop()]);
});

test.each([
  ['through HTTPS_PROXY', '.svc,.cluster.local', true],
  ['past it where NO_PROXY names the host', '.svc,localhost', false],
])('the agency is called %s', async (_how, noProxy, isProxied) => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) vi.stubEnv(name, proxy.url);
  vi.stubEnv('NO_PROXY', noProxy);
  const http = createAgencyHttp(proxy.origin, 5_000, telemetry);
  const get = { method: 'GET', path: '/x', route: '/x', headers: {}, timeoutMs: 5_000 } as const;
  expect(await http.send(get)).toMatchObject({ kind: 'answer', status: 201 });
  expect(proxy.asked).toEqual(isProxied ? [proxy.host] : []);
  await http.stop();
});

test('an agency without TLS, which is a simulator, is called past every proxy', async () => {
  vi.stubEnv('HTTP_PROXY', proxy.url);
  vi.stubEnv('NO_PROXY', '');
  const http = createAgencyHttp('http://127.0.0.1:1', 5_000, telemetry);
  const get = { method: 'GET', path: '/x', route: '/x', headers: {}, timeoutMs: 5_000 } as const;
  expect(await http.send(get)).toMatchObject({ kind: 'unreachable', isUnconnected: true });
  expect(proxy.asked).toEqual([]);
  await http.stop();
});
