import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { builtWeb } from './built-web.ts';
import { startGateway } from './gateway-harness.ts';

const web = builtWeb();
afterAll(() => web.remove());

const OPERATOR = {
  OPERATOR_NAME: 'Agency *of* <b>Example</b> & Sons',
  OPERATOR_EMAIL: 'a_b_c@agency.example',
  POLICIES_DATE: '2026-12-01',
};

async function start(env: Record<string, string>) {
  const gateway = await startGateway({ webRoot: web.root, env });
  onTestFinished(() => gateway.stop());
  return (url: string, language = 'en') =>
    gateway.send('GET', url, { headers: { accept: 'text/html', 'accept-language': language } });
}

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-policies-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

test('a policy page names the operator as it is written, the version, and the numbers of the settings', async () => {
  const open = await start({ ...OPERATOR, LOG_ROW_MONTHS: '7' });
  const terms = await open('/terms');
  expect(terms.status).toBe(200);
  expect(terms.text).toContain('Agency *of* &lt;b&gt;Example&lt;/b&gt; &amp; Sons, a_b_c@agency.example.');
  expect(terms.text).toContain('<title>Terms | Casewatch</title>');
  expect(terms.text).toContain('<em>In effect since: 2026-12-01</em>');
  expect(terms.text).not.toContain('is a sample');
  expect((await open('/')).text).toContain('<html data-policies-version="2026-12-01"');
  expect((await open('/privacy/')).text).toContain('7 months.');
  expect((await open('/privacy', 'es')).text).toContain('7 meses.');
});

test('without settings the pages show sample values and say so, in both languages', async () => {
  const open = await start({});
  expect((await open('/terms')).text).toContain('This page is a sample');
  expect((await open('/')).text).not.toContain('data-policies-version');
  expect((await open('/terms')).text).toContain('Of [sample: the organization]');
  const spanish = await open('/terms?lang=es');
  expect(spanish.text).toContain('Esta página es un ejemplo');
  expect(spanish.text).toContain('De [ejemplo: la organización]');
});

test('Markdown of the operator replaces a page, runs no script, and is shown in its language where there is no other', async () => {
  const own = '# Our terms\n\n<script>alert(1)</script> [x](javascript:alert(1)) for {{OPERATOR_NAME}}\n';
  const open = await start({ ...OPERATOR, POLICY_PAGES_DIR: folderWith({ 'terms.md': own }) });
  for (const language of ['en', 'es']) {
    const { text } = await open('/terms', language);
    expect(text).toContain('<h1>Our terms</h1>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toMatch(/<script>alert|href="javascript/);
    expect(text).toContain(language === 'en' ? '<article><h1>' : '<article lang="en"><h1>');
    expect(text).toContain('<em>In effect since: 2026-12-01</em>');
  }
  expect((await open('/privacy')).text).toContain('<h1>Privacy</h1>');
});

test.each([
  ['with a byte order mark', '\uFEFF# Our terms\n\nText', '<title>Our terms | Casewatch</title>'],
  ['with an underlined heading', 'Our *terms*\n=====\n\nText', '<title>Our terms | Casewatch</title>'],
  ['without a heading', 'Text', '<title>Casewatch</title>'],
  ['with spaces in a placeholder', '# Our terms\n\n{{ OPERATOR_EMAIL }}', 'a_b_c@agency.example</p>'],
])('a page of the operator %s has its title and the version', async (_what, own, shown) => {
  const open = await start({ ...OPERATOR, POLICY_PAGES_DIR: folderWith({ 'terms.md': own }) });
  const { text } = await open('/terms');
  expect(text).toContain(shown);
  expect(text).toContain('<em>In effect since: 2026-12-01</em>');
});

const NAMES = ['privacy', 'terms', 'accessibility', 'cookies', 'contact']
  .map((name) => `${name}.md, ${name}.es.md`)
  .join(', ');

test.each([
  [
    { 'terms.md': '# T\n\n{{OPERATOR_FAX}}' },
    'POLICY_PAGES_DIR: terms.md has {{OPERATOR_FAX}}, which is no placeholder',
  ],
  [
    { 'terms.md': '# T\n\n{{operator_name}}' },
    'POLICY_PAGES_DIR: terms.md has {{operator_name}}, which is no placeholder',
  ],
  [{ 'terms.en.md': '# T' }, `POLICY_PAGES_DIR: terms.en.md is of no page: the names are ${NAMES}`],
  [{ 'Privacy.MD': '# P' }, `POLICY_PAGES_DIR: Privacy.MD is of no page: the names are ${NAMES}`],
  [undefined, 'POLICY_PAGES_DIR: there is no folder /nowhere'],
])('a folder with %j is refused at the start', async (files, problem) => {
  const folder = files ? folderWith(files) : '/nowhere';
  await expect(start({ ...OPERATOR, POLICY_PAGES_DIR: folder })).rejects.toMatchObject({
    problems: [problem],
  });
});

test('a page that is elsewhere leads there, and one that there is not is a page of the app', async () => {
  const open = await start({ ...OPERATOR, POLICY_PAGES_ELSEWHERE: 'terms=https://agency.example/t?a=1' });
  for (const url of ['/terms', '/terms/']) {
    const answer = await open(url);
    expect([answer.status, answer.headers.location]).toEqual([302, 'https://agency.example/t?a=1']);
  }
  expect((await open('/privacy')).status).toBe(200);
  expect((await open('/privacy/none')).text).toContain('<body>the landing page</body>');
  // Neither the texts nor their frame are pages.
  expect((await open('/policies/terms.md')).text).toContain('<body>the landing page</body>');
  expect((await open('/policy.html')).text).toContain('<body>the landing page</body>');
});
