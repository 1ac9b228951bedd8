import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { APP_PAGES } from '@casewatch/contracts/app-pages';
import { APP_PAGE_PATH, POLICY_NAMES, policyPage } from '@casewatch/contracts/server-paths';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET, builtWeb } from './built-web.ts';
import { type Harness, sameOrigin, startGateway } from './gateway-harness.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the web app', () => {
  const web = builtWeb();
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway({ webRoot: web.root });
  });
  afterAll(async () => {
    await h.stop();
    web.remove();
  });

  type Row = [path: string, who: 'visitor' | 'with a session', page: string];
  const navigations: Row[] = [
    ['/', 'visitor', 'landing page'],
    ['/', 'with a session', 'app'],
    ['/?payment_intent=x', 'with a session', 'app'],
    ['/saved-cases', 'visitor', 'landing page'],
    ['/saved-cases', 'with a session', 'app'],
    ['/no/such/page', 'with a session', 'app'],
    ['/auth', 'visitor', 'app'],
    ['/auth/', 'visitor', 'app'],
    ['/AUTH', 'visitor', 'app'],
    ['/auth/x', 'visitor', 'landing page'],
    ['/authors', 'visitor', 'landing page'],
    ['/admin/single-sign-on?code=x', 'visitor', 'app'],
    ['/cases/EAC9999103403', 'visitor', 'app'],
    ['/notifications/01890a5d-ac96-774b-bcce-b302099a8057', 'visitor', 'app'],
    ['/admin', 'visitor', 'app'],
    ['/admin/logs', 'visitor', 'landing page'],
    ['/administration', 'visitor', 'landing page'],
    ['/unsubscribed', 'visitor', 'landing page'],
    ['/forgot-password', 'visitor', 'app'],
    ['/reset-password', 'visitor', 'app'],
    ['/confirm-email', 'visitor', 'app'],
    ['/stop-email-change', 'visitor', 'app'],
    ['/reset-passwords', 'visitor', 'landing page'],
    ['/apiary', 'visitor', 'landing page'],
    ['/%ZZ', 'visitor', 'landing page'],
    ['/help/browsers', 'visitor', 'page about browsers'],
    ['/help/browsers/', 'with a session', 'page about browsers'],
    ['/help', 'visitor', 'landing page'],
    ['/guide', 'visitor', 'status guide'],
    ['/guide/?q=x', 'with a session', 'status guide'],
    ['/guides', 'visitor', 'landing page'],
  ];
  test.each(navigations)('a browser that opens %s (%s) gets the %s', async (url, who, page) => {
    const answer = await h.send('GET', url, {
      headers: browser,
      ...(who === 'visitor' ? {} : { sid: 'any' }),
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`<body>the ${page}</body>`);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers.vary).toMatch(/cookie/i);
  });

  test.each([
    ['/cases/EAC9999103403.', 'with a session', 200, 'app'],
    ['/cases/EAC9999103403.', 'visitor', 200, 'app'],
    ['/cases/EAC9999103403.pdf', 'with a session', 200, 'app'],
    ['/profile.html', 'with a session', 404, 'app'],
    ['/profile.html', 'visitor', 404, 'landing page'],
    ['/saved-cases.', 'with a session', 404, 'app'],
    ['/no/such.page', 'with a session', 404, 'app'],
    ['/wp-login.php', 'visitor', 404, 'landing page'],
    ['/index.html', 'with a session', 404, 'app'],
    ['/landing.es.html', 'with a session', 404, 'app'],
    ['/browsers.html', 'with a session', 404, 'app'],
    ['/guide.es.html', 'with a session', 404, 'app'],
  ])('a browser that opens %s (%s), which has a dot, gets %i and the %s', async (url, who, status, page) => {
    const sid = who === 'visitor' ? {} : { sid: 'any' };
    const answer = await h.send('GET', url, { headers: browser, ...sid });
    expect([answer.status, answer.text.match(/<body>the (.*)<\/body>/)?.[1]]).toEqual([status, page]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    // Programs that ask for data get an error as data.
    const data = await h.send('GET', url, { headers: { accept: 'application/json' }, ...sid });
    expect([data.status, data.json().code]).toEqual([404, 'NOT_FOUND']);
  });

  test('without a session every page of the app that shows something gets the app, and the others the landing page', async () => {
    for (const [page, shown] of Object.entries(APP_PAGES)) {
      const url = page.replace(/:\w+/g, 'EAC9999103403');
      const { text } = await h.send('GET', url, { headers: browser });
      expect([url, text.match(/<body>(.*)<\/body>/)?.[1]]).toEqual([
        url,
        shown === 'landing' ? 'the landing page' : 'the app',
      ]);
    }
  });

  test.each([
    ['without an Accept header', undefined],
    ['of curl and uptime monitors', '*/*'],
    ['of a link preview', 'text/html;q=0.9,image/*;q=0.8,*/*;q=0.1'],
    ['for any text', 'text/*'],
    ['that is empty', ''],
  ])('a request %s gets the page, GET and HEAD, on every route of the app', async (_what, accept) => {
    for (const path of ['/', '/saved-cases', '/auth', '/admin/logs']) {
      const headers = accept === undefined ? {} : { accept };
      const page = await h.send('GET', path, { headers, sid: 'any' });
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<body>the app</body>');
      expect(page.headers.vary).toMatch(/accept(?!-)/i);
      const head = await h.send('HEAD', path, { headers, sid: 'any' });
      expect([head.status, head.text, head.headers['content-length']]).toEqual([
        200,
        '',
        page.headers['content-length'],
      ]);
    }
  });

  test.each([
    ['/', 'application/json'],
    ['/saved-cases', 'application/json'],
    ['/', 'text/html;q=0, */*'],
    ['/auth', 'image/*'],
    ['/api', '*/*'],
    ['/api/no-such-route', '*/*'],
    ['/api/no-such-route', 'text/html'],
    ['/metrics', '*/*'],
    ['/assets/app-9999.js', 'text/html'],
    ['/missing.png', 'text/html'],
    ['/favicon.ico', 'text/html'],
    ['/logo.SVG', 'text/html'],
    ['/app.js.map', 'text/html'],
    ['/help/browsers/more', 'text/html'],
    ['/guide/more', 'text/html'],
    ['/guide', 'application/json'],
    ['/.secret', 'text/html'],
    ['/assets/', 'text/html'],
    ['/assets/app-1a2b.js.br', '*/*'],
    ['/../package.json', '*/*'],
    ['/assets/..%2f..%2fpackage.json', '*/*'],
    ['/assets/../.secret', '*/*'],
    ['//evil.test', 'text/html'],
    ['/__proto__', 'application/json'],
  ])('%s with Accept: %s is a JSON 404, not the app', async (url, accept) => {
    const answer = await h.send('GET', url, { headers: { accept }, sid: 'any' });
    expect([answer.status, answer.json().code]).toEqual([404, 'NOT_FOUND']);
    expect((await h.send('HEAD', url, { headers: { accept }, sid: 'any' })).status).toBe(404);
  });

  test.each([
    ['/', 'es-MX,es;q=0.9,en;q=0.8', undefined, 'the Spanish landing page'],
    ['/saved-cases', 'fr, es;q=0.5, en;q=0.4', undefined, 'the Spanish landing page'],
    ['/', 'en-US,en;q=0.9,es;q=0.8', undefined, 'the landing page'],
    ['/', 'fr', undefined, 'the landing page'],
    ['/', '*', undefined, 'the landing page'],
    ['/', undefined, undefined, 'the landing page'],
    ['/', 'en', 'es', 'the Spanish landing page'],
    ['/', 'es', 'en', 'the landing page'],
    ['/', 'es', 'xx', 'the Spanish landing page'],
    ['/?lang=es', 'en', 'en', 'the Spanish landing page'],
    ['/?lang=xx', 'es', undefined, 'the Spanish landing page'],
    ['/help/browsers', 'es', undefined, 'the Spanish page about browsers'],
    ['/help/browsers?lang=en', 'es', undefined, 'the page about browsers'],
    ['/guide', 'es-MX', undefined, 'the Spanish status guide'],
    ['/guide?lang=es', 'en', 'en', 'the Spanish status guide'],
    ['/guide?lang=en', 'es', 'es', 'the status guide'],
  ])('%s with Accept-Language: %s and %s chosen on the device is %s', async (url, accepted, chosen, page) => {
    const answer = await h.send('GET', url, {
      headers: {
        ...browser,
        ...(accepted === undefined ? {} : { 'accept-language': accepted }),
        ...(chosen === undefined ? {} : { cookie: `other=1; language=${chosen}` }),
      },
    });
    expect([answer.status, answer.text.match(/<body>(.*)<\/body>/)?.[1]]).toEqual([200, page]);
    expect(answer.headers.vary).toMatch(/cookie.*accept-language/i);
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  test('a language that the address asks for is kept on the device, where scripts can change it', async () => {
    const chosen = await h.send('GET', '/?lang=es', { headers: browser });
    expect(chosen.headers['set-cookie']).toBe('language=es; Max-Age=31536000; Path=/; SameSite=Lax');
    for (const url of ['/', '/?lang=xx', '/?lang=']) {
      expect((await h.send('GET', url, { headers: browser })).headers['set-cookie']).toBeUndefined();
    }
  });

  test('a page in another language is not taken for unchanged', async () => {
    const english = await h.send('GET', '/', { headers: browser });
    const spanish = await h.send('GET', '/', {
      headers: { ...browser, 'accept-language': 'es', 'if-none-match': String(english.headers.etag) },
    });
    expect([spanish.status, spanish.text.includes('the Spanish landing page')]).toEqual([200, true]);
  });

  test.each([
    ['/', '/', '/'],
    ['/?lang=en', '/', '/'],
    ['/?lang=es', '/', '/?lang=es'],
    ['/saved-cases', '/', '/'],
    ['/help/browsers?lang=es', '/help/browsers', '/help/browsers?lang=es'],
    ['/guide', '/guide', '/guide'],
    ['/guide/?lang=en', '/guide', '/guide'],
    ['/guide?lang=es', '/guide', '/guide?lang=es'],
  ])('%s tells search engines its absolute address, and those of the languages', async (url, path, own) => {
    const { text } = await h.send('GET', url, { headers: browser });
    const links = [
      ...text.matchAll(/<link rel="(.*?)"(?: hreflang="(.*?)")? href="http:\/\/[^/]+(\/.*?)">/g),
    ];
    expect(links.map(([, ...found]) => found)).toEqual([
      ['canonical', undefined, own],
      ['alternate', 'en', path],
      ['alternate', 'es', `${path}?lang=es`],
      ['alternate', 'x-default', path],
    ]);
    expect(text).not.toContain('noindex');
  });

  test('the app has no address for search engines', async () => {
    const { text } = await h.send('GET', '/', { headers: browser, sid: 'any' });
    expect(text).not.toMatch(/hreflang|canonical/);
  });

  test('search engines find the public pages, and password managers the page that changes a password', async () => {
    const map = await h.send('GET', '/sitemap.xml');
    expect(map.headers['content-type']).toBe('application/xml');
    const paths = [...map.text.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path]) => path);
    expect(paths).toEqual(
      ['/', '/help/browsers', '/guide', ...POLICY_NAMES.map(policyPage)].flatMap((path) => [
        path,
        `${path}?lang=es`,
      ]),
    );
    const change = await h.send('GET', '/.well-known/change-password', { headers: browser });
    expect([change.status, change.headers.location]).toEqual([302, '/auth?next=%2Fprofile%2Fsecurity']);
    expect((await h.send('GET', '/.well-known/unknown', { headers: browser })).status).toBe(404);
    expect((await h.send('GET', '/.well-known/security.txt')).status).toBe(404);
  });

  test('pages can only be read', async () => {
    for (const url of [
      '/',
      '/.well-known/change-password',
      '/robots.txt',
      '/api/docs',
      '/api/openapi.json',
    ]) {
      const answer = await h.send('POST', url, { headers: { ...browser, ...sameOrigin } });
      expect([answer.status, answer.headers.allow, answer.json().code]).toEqual([
        405,
        'GET, HEAD',
        'METHOD_NOT_ALLOWED',
      ]);
    }
  });

  test('pages and files are logged as such, without their paths', async () => {
    h.logs.length = 0;
    for (const url of ['/saved-cases', '/robots.txt', '/api/docs']) await h.send('GET', url);
    const routes = () => h.logs.map((line) => JSON.parse(line).route);
    await expect.poll(routes).toEqual(['(page)', '(file)', '(file)']);
  });

  test('HEAD of a page has its headers and no body', async () => {
    const answer = await h.send('HEAD', '/', { headers: browser });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
  });

  test('hashed assets are kept for a year, other files are asked about', async () => {
    const asset = await h.send('GET', '/assets/app-1a2b.js');
    expect([asset.status, asset.text]).toEqual([200, ASSET]);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const robots = await h.send('GET', '/robots.txt');
    expect([robots.text, robots.headers['cache-control']]).toEqual([
      expect.stringMatching(/^User-agent: \*\nSitemap: http:\/\/[^/]+\/sitemap\.xml\n$/),
      'no-cache',
    ]);
    expect((await h.send('GET', '/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  test('the service worker is asked about each time, may load what pages may, and serves the whole site', async () => {
    const worker = await h.send('GET', '/sw.js');
    expect([worker.status, worker.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(worker.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const page = await h.send('GET', '/', { headers: browser });
    expect(worker.headers['content-security-policy']).toBe(page.headers['content-security-policy']);
    const manifest = await h.send('GET', '/manifest.webmanifest');
    expect([manifest.headers['content-type'], manifest.headers['cache-control']]).toEqual([
      'application/manifest+json; charset=utf-8',
      'no-cache',
    ]);
  });

  test('the page that the service worker keeps is the app with and without a session, for any accepted type', async () => {
    for (const sid of [undefined, 'any']) {
      const kept = await h.send('GET', APP_PAGE_PATH, {
        headers: { accept: '*/*' },
        ...(sid ? { sid } : {}),
      });
      expect([kept.status, kept.text.includes('<body>the app</body>')]).toEqual([200, true]);
    }
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=1', 'gzip'],
    ['*', 'br'],
    ['gzip;q=0, *', 'br'],
    ['br;q=nonsense', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('Accept-Encoding %j gets %s', async (accepted, encoding) => {
    const answer = await h.send('GET', '/assets/app-1a2b.js', { headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    expect(answer.text === ASSET).toBe(encoding === undefined);
  });

  test('a file without compressed copies comes as it is', async () => {
    const answer = await h.send('GET', '/favicon.svg', { headers: { 'accept-encoding': 'br, gzip' } });
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, undefined]);
    expect(answer.text).toContain('<svg');
  });

  test('an unchanged page is 304 without a body; each form has its own ETag', async () => {
    const first = await h.send('GET', '/', { headers: browser });
    const etag = String(first.headers.etag);
    const again = await h.send('GET', '/', { headers: { ...browser, 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect(again.headers['content-type']).toBeUndefined();
    const compressed = await h.send('GET', '/', { headers: { ...browser, 'accept-encoding': 'br' } });
    expect(compressed.headers.etag).not.toBe(etag);
    const asUser = await h.send('GET', '/', { headers: { ...browser, 'if-none-match': etag }, sid: 'any' });
    expect(asUser.status).toBe(200);
  });
});

describe('without a built web app', () => {
  test.each(['no folder', 'a folder that does not exist', 'an empty folder'])(
    'for %s a browser gets a page that says so, and the API works',
    async (what) => {
      const empty = mkdtempSync(path.join(tmpdir(), 'casewatch-web-'));
      const roots: Record<string, string> = {
        'an empty folder': empty,
        'a folder that does not exist': `${empty}/x`,
      };
      const webRoot = roots[what];
      const h = await startGateway(webRoot ? { webRoot } : {});
      const page = await h.send('GET', '/', { headers: browser });
      expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
        503,
        'text/plain; charset=utf-8',
        'no-store',
      ]);
      expect(page.text).toMatch('The web app is not built yet.');
      expect((await h.send('GET', '/api/auth/me')).status).toBe(401);
      await h.stop();
      rmSync(empty, { recursive: true, force: true });
    },
  );
});
