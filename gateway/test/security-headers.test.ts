import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtWeb, INLINE_SCRIPT, INLINE_STYLE } from './built-web.ts';
import { type Harness, startGateway } from './gateway-harness.ts';

const browser = { accept: 'text/html' };
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function directives(headers: IncomingHttpHeaders): Map<string, string[]> {
  const policy = String(headers['content-security-policy']);
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

/**
 * The grade by the rules of the MDN HTTP Observatory that concern headers ("Tests & Scoring"): 100 less the
 * penalties; bonuses count from 90 on; A+ is 100 and more.
 */
function observatoryScore(headers: IncomingHttpHeaders): number {
  const csp = directives(headers);
  const sources = (name: string) => csp.get(name) ?? csp.get('default-src') ?? ['*'];
  const unsafe = (name: string) =>
    sources(name).some((source) => /^'unsafe-(?:inline|eval)'$|^(?:https?|data):$|^\*$/.test(source));
  const hsts = Number(/max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1] ?? 0);
  const framing = csp.get('frame-ancestors')?.join() === "'none'";
  const referrer = /^(?:no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/;
  const penalties = [
    csp.has('default-src') ? 0 : 25,
    unsafe('script-src') || unsafe('object-src') ? 20 : 0,
    unsafe('style-src') ? 10 : 0,
    hsts >= 15_768_000 ? 0 : 20,
    headers['x-content-type-options'] === 'nosniff' ? 0 : 5,
    framing || /^(?:DENY|SAMEORIGIN)$/.test(String(headers['x-frame-options'])) ? 0 : 20,
    headers['access-control-allow-origin'] === undefined ? 0 : 50,
  ];
  const bonuses = [
    csp.get('default-src')?.join() === "'none'" ? 10 : 5,
    framing ? 5 : 0,
    referrer.test(String(headers['referrer-policy'])) ? 5 : 0,
    headers['cross-origin-resource-policy'] === 'same-origin' ? 10 : 0,
  ];
  const sum = (all: number[]) => all.reduce((total, points) => total + points, 0);
  const score = 100 - sum(penalties);
  return score >= 90 ? score + sum(bonuses) : score;
}

describe('over HTTPS', () => {
  const web = builtWeb();
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway({ webRoot: web.root, env: { PUBLIC_URL: 'https://casewatch.test' } });
  });
  afterAll(async () => {
    await h.stop();
    web.remove();
  });

  test.each([
    ['GET', '/', 200],
    ['GET', '/auth', 200],
    ['GET', '/assets/app-1a2b.js', 200],
    ['GET', '/missing.png', 404],
    ['GET', '/api/auth/me', 401],
    ['POST', '/api/auth/login', 403],
    ['PUT', '/api/auth/me', 405],
    ['GET', '/api/nothing', 404],
    ['GET', '/api/docs', 200],
    ['GET', '/api/openapi.json', 200],
    ['GET', '/livez', 200],
    ['GET', '/readyz', 200],
  ])('%s %s (%i) is graded A+', async (method, path, status) => {
    const answer = await h.send(method, path, { headers: browser });
    expect(answer.status).toBe(status);
    expect(observatoryScore(answer.headers)).toBeGreaterThanOrEqual(130);
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.headers.server).toBeUndefined();
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('pages may use no camera, microphone or place, share no window but those that they open, and are HTTPS for a year', async () => {
    const { headers } = await h.send('GET', '/', { headers: browser });
    expect(headers['permissions-policy']).toBe(
      'camera=(), geolocation=(), microphone=(), payment=(self "https://js.stripe.com" "https://*.js.stripe.com")',
    );
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('pages may load from themselves and Stripe.js, and nothing else foreign', async () => {
    const { headers } = await h.send('GET', '/', { headers: browser });
    expect(Object.fromEntries(directives(headers))).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com', sha256(INLINE_SCRIPT)],
      'style-src': ["'self'", sha256(INLINE_STYLE)],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'manifest-src': ["'self'"],
      'connect-src': ["'self'", 'https://api.stripe.com'],
      'frame-src': [
        'https://js.stripe.com',
        'https://*.js.stripe.com',
        'https://hooks.stripe.com',
        'https://link.com',
        'https://*.link.com',
      ],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
      'report-to': ['csp'],
      'report-uri': ['/csp-reports'],
      'upgrade-insecure-requests': [],
    });
    // With its style sheet.
    const docs = await h.send('GET', '/api/docs', { headers: browser });
    expect(docs.headers['content-security-policy']).toBe(headers['content-security-policy']);
  });

  test('inline scripts and styles of the pages are allowed by hash, once each, and no others', async () => {
    const { headers } = await h.send('GET', '/', { headers: browser });
    const hashes = (name: string) =>
      directives(headers)
        .get(name)
        ?.filter((source) => source.startsWith("'sha"));
    expect(hashes('script-src')).toEqual([sha256(INLINE_SCRIPT)]);
    expect(hashes('style-src')).toEqual([sha256(INLINE_STYLE)]);
    expect(headers['content-security-policy']).not.toMatch(/unsafe/);
  });

  test('data may load nothing at all', async () => {
    const { headers } = await h.send('GET', '/api/auth/me');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
  });
});

test('over plain HTTP nothing demands HTTPS', async () => {
  const h = await startGateway();
  const { headers } = await h.send('GET', '/', { headers: browser });
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['content-security-policy']).not.toMatch('upgrade-insecure-requests');
  await h.stop();
});

test('where payments are simulated, pages may load from there', async () => {
  const origin = 'http://127.0.0.1:9000';
  const h = await startGateway({
    env: { STRIPE_API_BASE: origin, STRIPE_SCRIPT_URL: `${origin}/v3/` },
  });
  const csp = directives((await h.send('GET', '/', { headers: browser })).headers);
  for (const name of ['script-src', 'connect-src', 'frame-src']) expect(csp.get(name)).toContain(origin);
  await h.stop();
});
