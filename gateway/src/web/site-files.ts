import { LANGUAGES } from '@casewatch/contracts/languages';
import { BUILT_PAGES, pageAddress } from './page-language.ts';
import type { SupportContact } from './support-contact.ts';
import { compressed, type WebFiles } from './web-files.ts';

/** RFC 9116 has the file say until when it holds; it is made anew at each start. */
const SECURITY_TXT_DAYS = 365;
const DAY_MS = 86_400_000;

/**
 * Adds the files that programs look for at the same address of every site: a map of the public pages in each language, which
 * robots.txt names, and, where there is support, where to report a vulnerability.
 */
export function withSiteFiles(
  files: WebFiles,
  {
    publicUrl,
    support,
    nowMs,
    elsewhere,
  }: {
    publicUrl: string;
    support: SupportContact;
    nowMs: number;
    /** Paths that only lead to another site. */
    elsewhere: ReadonlyMap<string, string>;
  },
): WebFiles {
  const address = (path: string) => new URL(path, publicUrl).href;
  const pages = Object.keys(BUILT_PAGES)
    .filter((path) => !elsewhere.has(path))
    .flatMap((path) => LANGUAGES.map((language) => address(pageAddress(path, language))))
    .map((page) => `<url><loc>${page}</loc></url>`)
    .join('');
  const added = new Map(files);
  const add = (path: string, type: string, text: string) => void added.set(path, compressed(type, text));
  add(
    '/sitemap.xml',
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages}</urlset>\n`,
  );
  const robots = files.get('/robots.txt');
  if (robots) add('/robots.txt', robots.type, `${robots.plain.content}Sitemap: ${address('/sitemap.xml')}\n`);
  const contact = support.email ? `mailto:${support.email}` : support.url;
  if (contact) {
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(nowMs + SECURITY_TXT_DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en, es',
      `Canonical: ${address('/.well-known/security.txt')}`,
    ];
    add('/.well-known/security.txt', 'text/plain; charset=utf-8', `${lines.join('\n')}\n`);
  }
  return added;
}
