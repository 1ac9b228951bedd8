import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtWeb } from './built-web.ts';
import { type Harness, startGateway } from './gateway-harness.ts';

const web = builtWeb();
let telemetry: Awaited<ReturnType<typeof startScraped>>;
let h: Harness;
beforeAll(async () => {
  telemetry = await startScraped();
});
beforeEach(async () => {
  h = await startGateway({ webRoot: web.root, overrides: { telemetry } });
  return () => h.stop();
});
afterAll(async () => {
  await telemetry.stop();
  web.remove();
});

const legacy = (blocked: string, directive: string) =>
  ({
    type: 'application/csp-report',
    body: {
      'csp-report': {
        'blocked-uri': blocked,
        'violated-directive': directive,
        'document-uri': 'https://c.test/',
      },
    },
  }) as const;
const listed = (...blocked: [string, string][]) =>
  ({
    type: 'application/reports+json',
    body: blocked.map(([blockedURL, effectiveDirective]) => ({
      type: 'csp-violation',
      url: 'https://c.test/upgrade',
      body: { blockedURL, effectiveDirective, documentURL: 'https://c.test/upgrade' },
    })),
  }) as const;
const report = ({ type, body }: { type: string; body: unknown }) =>
  h.send('POST', '/csp-reports', { headers: { 'content-type': type }, body: JSON.stringify(body) });
const allCounted = async () =>
  Object.entries(await telemetry.scrape()).filter(([name]) => name.startsWith('casewatch_csp_reports_total'));
const counted = async (directive: string, source: string) =>
  (await telemetry.scrape())[`casewatch_csp_reports_total{directive="${directive}",source="${source}"}`] ?? 0;
const warnings = () => h.logs.filter((line) => line.includes('security policy blocked'));

test.each([
  [
    'a frame of Stripe',
    legacy('https://b.js.stripe.com/v3/frame.html', 'frame-src https://js.stripe.com'),
    'frame-src',
    'stripe',
    1,
  ],
  [
    'a script of Stripe, by the Reporting API',
    listed(['https://m.stripe.network/inner.js', 'script-src-elem']),
    'script-src',
    'stripe',
    1,
  ],
  ['a frame of Link', listed(['https://checkout.link.com/', 'frame-src']), 'frame-src', 'stripe', 1],
  ['an extension', legacy('chrome-extension', 'script-src'), 'script-src', 'other', 1],
  [
    'something inline',
    listed(['inline', 'style-src-attr'], ['inline', 'style-src-attr']),
    'style-src',
    'other',
    2,
  ],
  [
    'a host that only looks like Stripe',
    listed(['https://js.stripe.com.evil.test/', 'frame-src']),
    'frame-src',
    'other',
    1,
  ],
  ['an unknown directive', listed(['https://a.test/', 'x'.repeat(100)]), 'other', 'other', 1],
])('%s that was blocked is counted', async (_what, sent, directive, source, count) => {
  const before = await counted(directive, source);
  expect((await report(sent)).status).toBe(204);
  expect(await counted(directive, source)).toBe(before + count);
});

test('each kind is logged once, with the origin alone', async () => {
  for (const page of ['a?code=secret', 'b', 'c'])
    await report(listed([`https://hooks.stripe.com/${page}`, 'frame-src']));
  await report(listed(['https://hooks.stripe.com/', 'connect-src']));
  expect(warnings()).toHaveLength(2);
  expect(warnings()[0]).toContain('"origin":"https://hooks.stripe.com"');
  expect(h.logs.join()).not.toContain('secret');
});

test('ever new kinds fill neither the log nor the metrics', async () => {
  for (let page = 0; page < 15; page += 1) {
    const many = Array.from(
      { length: 10 },
      (_, nth) => [`https://h${page}x${nth}.test/`, `d${nth}`] as [string, string],
    );
    expect((await report(listed(...many))).status).toBe(204);
  }
  expect(warnings()).toHaveLength(100);
  const series = await allCounted();
  expect(series.length).toBeLessThanOrEqual(14);
});

test.each([
  ['no JSON', '{', 400],
  ['another shape', '{"a":1}', 400],
  ['nothing', '', 400],
  ['more than a browser sends', JSON.stringify(['x'.repeat(70_000)]), 413],
])('%s is refused, and counts nothing', async (_what, body, status) => {
  const before = await allCounted();
  const answer = await h.send('POST', '/csp-reports', {
    headers: { 'content-type': 'application/reports+json' },
    body,
  });
  expect(answer.status).toBe(status);
  expect(await allCounted()).toEqual(before);
});
