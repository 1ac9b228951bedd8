import { afterEach, describe, expect, test } from 'vitest';
import { builtWeb } from './built-web.ts';
import { type Harness, type HarnessOptions, KINDS, sameOrigin, startGateway } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(env: Record<string, string>, options: HarnessOptions = {}): Promise<Harness> {
  const h = await startGateway({ ...options, env });
  closers.push(() => h.stop());
  return h;
}

const API = 'RATE_LIMIT_PER_ADDRESS_PER_MINUTE';
const PAGES = 'RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE';
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('an address has to wait', () => {
  test('whether it is signed in or not', async () => {
    const h = await start({ [API]: '2' });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await h.send('GET', '/api/auth/me')).status);
    expect(statuses).toEqual([401, 401, 429]);
  });

  test.each([
    ['an API path that does not exist', 'GET', '/api/no-such-route'],
    ['a method that a route does not have', 'PUT', '/api/saved-cases'],
    ['the page of the API', 'GET', '/api/docs'],
    ['the OpenAPI document', 'GET', '/api/openapi.json'],
    ['HEAD', 'HEAD', '/api/saved-cases'],
    ['OPTIONS', 'OPTIONS', '/api/saved-cases'],
    ['a malformed path', 'GET', '/api/case-status/%ZZ'],
    ['a request of another site', 'POST', '/api/auth/login'],
  ])('after too many requests of %s to the API', async (_what, method, path) => {
    const h = await start({ [API]: '1', [PAGES]: '1' });
    expect((await h.send(method, path)).status).not.toBe(429);
    const refused = await h.send(method, path);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await h.send('GET', '/')).status).not.toBe(429);
  });

  test.each([
    ['a page', 'GET', '/'],
    ['a file', 'GET', '/robots.txt'],
    ['a path that does not exist', 'GET', '/wp-login.php'],
    ['HEAD', 'HEAD', '/'],
    ['OPTIONS', 'OPTIONS', '/'],
    ['a probe with a method that it does not have', 'POST', '/livez'],
  ])('after too many requests of %s', async (_what, method, path) => {
    const web = builtWeb();
    closers.push(web.remove);
    const h = await start({ [API]: '1', [PAGES]: '1' }, { webRoot: web.root });
    expect((await h.send(method, path)).status).not.toBe(429);
    const refused = await h.send(method, path);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await h.send('GET', '/api/auth/me')).status).toBe(401);
  });

  test('after too many chunked bodies', async () => {
    const h = await start({ [API]: '1' });
    const chunked =
      'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n';
    expect(await sendRaw(h.port, chunked)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(h.port, chunked)).toMatch(/^HTTP\/1\.1 429 /);
  });

  test('together with its /64 network, where it is IPv6', async () => {
    const h = await start({ [API]: '1', [PAGES]: '1', TRUST_PROXY_HOPS: '1' });
    for (const path of ['/api/auth/me', '/robots.txt']) {
      const ask = async (address: string) => (await h.send('GET', path, { headers: from(address) })).status;
      const allowed = await ask('2001:db8:0:1::1');
      expect(allowed).not.toBe(429);
      expect(await ask('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(429);
      expect(await ask('2001:0DB8:0000:0001::2')).toBe(429);
      expect(await ask('2001:db8:0:2::1')).toBe(allowed);
    }
  });

  test.each(KINDS)('before its request reaches a service or identity (%s service)', async (kind) => {
    const h = await start({ [API]: '1' }, { kind });
    const { sid } = h.signIn();
    expect((await h.send('GET', '/api/saved-cases', { sid })).status).toBe(200);
    h.received.length = 0;
    h.resolved.length = 0;
    expect((await h.send('GET', '/api/saved-cases', { sid: h.signIn().sid })).status).toBe(429);
    expect([h.received, h.resolved]).toEqual([[], []]);
  });
});

test('a user has to wait wherever they come from', async () => {
  const h = await start({ RATE_LIMIT_PER_USER_PER_MINUTE: '3', TRUST_PROXY_HOPS: '1' });
  const { sid } = h.signIn();
  const other = h.signIn();
  const ask = (n: number, session = sid) =>
    h.send('GET', '/api/saved-cases', { sid: session, headers: from(`192.0.2.${n}`) });
  const statuses = [];
  for (let n = 1; n <= 4; n += 1) statuses.push((await ask(n)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await ask(5);
  expect(refused.json().code).toBe('RATE_LIMITED');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(6, other.sid)).status).toBe(200);
});

test('a person whose page is refused reads what to do; a program gets the JSON error', async () => {
  const h = await start({ [PAGES]: '1' });
  await h.send('GET', '/');
  const page = await h.send('GET', '/saved-cases', { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    429,
    'text/plain; charset=utf-8',
    'no-store',
  ]);
  expect(page.text).toContain(`Wait ${page.headers['retry-after']} seconds, then reload this page.`);
  const program = await h.send('GET', '/saved-cases', { headers: { accept: 'application/json' } });
  expect([program.status, program.json().code]).toEqual([429, 'RATE_LIMITED']);
});

test('ten tabs behind one address that load the app ten times within a minute never meet the default limit', async () => {
  const web = builtWeb();
  closers.push(web.remove);
  const h = await start({}, { webRoot: web.root });
  const load = async () => {
    const paths = [
      '/',
      '/favicon.svg',
      '/robots.txt',
      ...Array.from({ length: 27 }, () => '/assets/app-1a2b.js'),
    ];
    return Promise.all(paths.map(async (path) => (await h.send('GET', path)).status));
  };
  const statuses = new Set<number>();
  for (let n = 0; n < 100; n += 1) for (const status of await load()) statuses.add(status);
  expect([...statuses]).toEqual([200]);
});

describe('probes', () => {
  test('are never refused', async () => {
    const h = await start({ [API]: '1', [PAGES]: '1' });
    for (let n = 0; n < 5; n += 1) {
      for (const method of ['GET', 'HEAD']) {
        for (const path of ['/livez', '/readyz']) expect((await h.send(method, path)).status).toBe(200);
      }
    }
  });

  test('however many ask for readiness at once, dependencies are checked once', async () => {
    const release = Promise.withResolvers<void>();
    let checks = 0;
    const h = await start(
      {},
      {
        overrides: {
          ready: () => {
            checks += 1;
            return release.promise;
          },
        },
      },
    );
    const answers = Array.from({ length: 50 }, () => h.send('GET', '/readyz'));
    await expect.poll(() => checks).toBe(1);
    await h.send('GET', '/livez');
    release.resolve();
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(checks).toBeLessThanOrEqual(2);
  });
});

describe.each(KINDS)('a body (%s service)', (kind) => {
  test.each([
    [100_000, 200],
    [100_001, 413],
  ])('of %i bytes is answered %i', async (bytes, status) => {
    const h = await start({}, { kind });
    const { sid } = h.signIn('pro');
    const json = JSON.stringify({ receiptNumbers: ['EAC9999103403'] });
    const answer = await h.send('POST', '/api/case-status/bulk', {
      sid,
      headers: { ...sameOrigin, 'content-type': 'application/json' },
      body: json.padEnd(bytes),
    });
    expect(answer.status).toBe(status);
    if (status === 413) expect(answer.json().code).toBe('BODY_TOO_LARGE');
    expect(h.received).toHaveLength(status === 413 ? 0 : 1);
  });
});

describe('the log', () => {
  const lines = (h: Harness) => h.logs.map((line) => JSON.parse(line) as Record<string, unknown>);

  test('has one line for any number of unknown or refused requests within ten seconds, with their count', async () => {
    const h = await start({ TRUST_PROXY_HOPS: '1' });
    for (let n = 0; n < 30; n += 1) {
      const headers = from(`192.0.2.${n % 3}`);
      expect((await h.send('GET', `/api/guess-${n}`, { headers })).status).toBe(404);
      expect((await h.send('GET', `/wp-${n}.js`, { headers })).status).toBe(404);
    }
    expect(lines(h)).toEqual([]);
    await h.clock.advance(10_000);
    expect(lines(h)).toMatchObject([
      { status: 404, area: 'api', requests: 30, addresses: 3, msg: expect.stringMatching(/^gateway: /) },
      { status: 404, area: 'web', requests: 30, addresses: 3 },
    ]);
    expect(h.logs.join()).not.toMatch(/guess|wp-|192\.0\.2/);
    await h.clock.advance(60_000);
    expect(lines(h)).toHaveLength(2);
  });

  test('counts what limits refuse', async () => {
    const h = await start({ [API]: '1' });
    for (let n = 0; n < 5; n += 1) await h.send('GET', '/api/auth/me');
    await h.clock.advance(10_000);
    expect(lines(h).map(({ status, route, requests }) => ({ status, route, requests }))).toEqual([
      { status: 401, route: '/api/auth/me', requests: undefined },
      { status: 429, route: undefined, requests: 4 },
    ]);
  });

  test('logs the counts when the gateway stops', async () => {
    const h = await startGateway();
    await h.send('GET', '/nothing.png');
    await h.stop();
    expect(lines(h)).toMatchObject([{ status: 404, area: 'web', requests: 1 }]);
  });
});
