import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  LANGUAGES,
  type Language,
  preferredLanguage,
} from '@casewatch/contracts/languages';
import { BROWSERS_PAGE } from '@casewatch/contracts/server-paths';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { editPages, type WebFiles } from './web-files.ts';

const ONE_YEAR_SECONDS = 31_536_000;

/** Returns the file of a page that is built once per language, as the web build names it. */
export function pageFile(name: 'landing' | 'browsers', language: Language): string {
  return language === 'en' ? `/${name}.html` : `/${name}.${language}.html`;
}

/** Returns what the address asks for, else what was chosen on the device, else the browser's preference, else English. */
export function pageLanguage(req: Request): Language {
  const chosen = parseCookie(req.headers.cookie ?? '')[LANGUAGE_COOKIE];
  const preferred = req.headers['accept-language'] ? req.acceptsLanguages(...LANGUAGES) : false;
  return preferredLanguage([askedLanguage(req) ?? '', chosen ?? '', preferred || '']);
}

/** Makes the browser keep a language that the address asks for, as the app itself does (`web/src/i18n/language.ts`). */
export function keepChosenLanguage(req: Request, res: Response): void {
  const asked = askedLanguage(req);
  if (asked === undefined) return;
  const cookie = {
    name: LANGUAGE_COOKIE,
    value: asked,
    path: '/',
    maxAge: ONE_YEAR_SECONDS,
    sameSite: 'lax',
  } as const;
  res.append('Set-Cookie', stringifySetCookie(cookie));
}

/** Names a page in each language to search engines, which take absolute addresses only. */
export function withAlternateLanguages(files: WebFiles, publicUrl: string): WebFiles {
  const link = (language: string, path: string) =>
    `<link rel="alternate" hreflang="${language}" href="${new URL(path, publicUrl).href}">`;
  const linksTo = (path: string) =>
    [
      ...LANGUAGES.map((language) => link(language, `${path}?${LANGUAGE_PARAMETER}=${language}`)),
      link('x-default', path),
    ].join('');
  const linksOf = new Map(
    LANGUAGES.flatMap((language) => [
      [pageFile('landing', language), linksTo('/')],
      [pageFile('browsers', language), linksTo(BROWSERS_PAGE)],
    ]),
  );
  return editPages(files, (page, path) => page.replace('</head>', () => `${linksOf.get(path) ?? ''}</head>`));
}

function askedLanguage(req: Request): Language | undefined {
  const wanted = new URLSearchParams(req.url.split('?')[1]).get(LANGUAGE_PARAMETER);
  return LANGUAGES.find((language) => language === wanted);
}
