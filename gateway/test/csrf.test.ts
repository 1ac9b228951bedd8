import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, startGateway } from './gateway-harness.ts';

type Row = [what: string, headers: Record<string, string>, allowed: boolean];

async function outcome(h: Harness, headers: Record<string, string>) {
  const answer = await h.send('POST', '/api/auth/logout', { headers });
  return answer.status === 403 ? answer.json().code : answer.status;
}

describe('at a public address', () => {
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway({ env: { PUBLIC_URL: 'https://casewatch.test' } });
  });
  afterAll(() => h.stop());

  const rows: Row[] = [
    ['from our own page', { 'sec-fetch-site': 'same-origin' }, true],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, false],
    ['from a sibling subdomain', { 'sec-fetch-site': 'same-site' }, false],
    ['from no page', { 'sec-fetch-site': 'none' }, false],
    [
      'from a sibling that claims our Origin',
      { 'sec-fetch-site': 'same-site', origin: 'https://casewatch.test' },
      false,
    ],
    ['from an old browser with our Origin', { origin: 'https://casewatch.test' }, true],
    ['with another Origin', { origin: 'https://evil.test' }, false],
    ['with our Origin as a prefix', { origin: 'https://casewatch.test.evil.test' }, false],
    ['with our Origin over http', { origin: 'http://casewatch.test' }, false],
    ['with our Origin on another port', { origin: 'https://casewatch.test:444' }, false],
    ['with a loopback Origin', { origin: 'http://localhost:8080', host: 'localhost:8080' }, false],
    ['with Origin null', { origin: 'null' }, false],
    ['with our address in Referer alone', { referer: 'https://casewatch.test/' }, false],
    ['with nothing', {}, false],
  ];
  test.each(rows)('an unsafe request %s', async (_what, headers, allowed) => {
    expect(await outcome(h, headers)).toBe(allowed ? 200 : 'CSRF');
  });

  test('reading needs no such word', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('GET', '/api/saved-cases', {
      headers: { cookie: `__Host-sid=${sid}`, 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(200);
  });
});

describe('on loopback', () => {
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway();
  });
  afterAll(() => h.stop());

  const rows: Row[] = [
    ['with its own origin', { origin: 'http://localhost:4711', host: 'localhost:4711' }, true],
    ['with its own origin by number', { origin: 'http://127.0.0.1:4711', host: '127.0.0.1:4711' }, true],
    ['with its own origin by IPv6', { origin: 'http://[::1]:4711', host: '[::1]:4711' }, true],
    [
      'with the origin of another local port',
      { origin: 'http://localhost:3000', host: 'localhost:4711' },
      false,
    ],
    [
      'under a name that was bent to loopback',
      { origin: 'http://evil.test:4711', host: 'evil.test:4711' },
      false,
    ],
    ['with another Origin', { origin: 'https://evil.test', host: 'localhost:4711' }, false],
  ];
  test.each(rows)('an unsafe request %s', async (_what, headers, allowed) => {
    expect(await outcome(h, headers)).toBe(allowed ? 200 : 'CSRF');
  });
});
