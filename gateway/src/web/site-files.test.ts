import { expect, test } from 'vitest';
import { withSiteFiles } from './site-files.ts';

const NOW_MS = Date.parse('2026-11-26T00:00:00Z');
const textOf = (path: string, support: { email?: string; url?: string }) => {
  const files = withSiteFiles(new Map(), {
    publicUrl: 'https://cases.example/',
    support,
    nowMs: NOW_MS,
    elsewhere: new Map([['/terms', 'https://agency.example/terms']]),
  });
  return files.get(path)?.plain.content.toString();
};

test.each([
  [{ email: 'help@cases.example', url: 'https://help.example/' }, 'mailto:help@cases.example'],
  [{ url: 'https://help.example/' }, 'https://help.example/'],
])('security.txt says who reads about vulnerabilities, and holds for a year: %j', (support, contact) => {
  expect(textOf('/.well-known/security.txt', support)).toBe(
    `Contact: ${contact}\nExpires: 2027-11-26T00:00:00.000Z\nPreferred-Languages: en, es\n` +
      'Canonical: https://cases.example/.well-known/security.txt\n',
  );
});

test('an installation without support promises no reader', () => {
  expect(textOf('/.well-known/security.txt', {})).toBeUndefined();
  expect(textOf('/sitemap.xml', {})).toContain('<loc>https://cases.example/help/browsers</loc>');
  expect(textOf('/sitemap.xml', {})).toContain('<loc>https://cases.example/privacy?lang=es</loc>');
  expect(textOf('/sitemap.xml', {})).not.toContain('/terms');
});
