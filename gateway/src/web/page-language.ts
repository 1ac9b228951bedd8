import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  LANGUAGES,
  type Language,
  preferredLanguage,
} from '@casewatch/contracts/languages';
import { BROWSERS_PAGE, GUIDE_PAGE, POLICY_NAMES, policyPage } from '@casewatch/contracts/server-paths';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { editPages, type WebFiles } from './web-files.ts';

const ONE_YEAR_SECONDS = 31_536_000;

/** The pages that there are once per language, by their addresses: those that search engines may show. */
export const BUILT_PAGES: Readonly<Record<string, string>> = {
  '/': 'landing',
  [BROWSERS_PAGE]: 'browsers',
  [GUIDE_PAGE]: 'guide',
  ...Object.fromEntries(POLICY_NAMES.map((name) => [policyPage(name), name])),
};

/** Returns the address of such a page in a language, as search engines are to show it. */
export function pageAddress(path: string, language: Language): string {
  return language === 'en' ? path : `${path}?${LANGUAGE_PARAMETER}=${language}`;
}

/** Returns the file of such a page, as the web build names it. */
export function pageFile(name: string, language: Language): string {
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

/** Tells search engines the address of each page, and of the same page in each language: absolute ones, as they ask for. */
export function withPageAddresses(files: WebFiles, publicUrl: string): WebFiles {
  const link = (attributes: string, path: string) =>
    `<link ${attributes} href="${new URL(path, publicUrl).href}">`;
  const linksOf = new Map(
    Object.entries(BUILT_PAGES).flatMap(([path, name]) => {
      const alternates = [
        ...LANGUAGES.map((each) => link(`rel="alternate" hreflang="${each}"`, pageAddress(path, each))),
        link('rel="alternate" hreflang="x-default"', path),
      ].join('');
      return LANGUAGES.map((language) => [
        pageFile(name, language),
        link('rel="canonical"', pageAddress(path, language)) + alternates,
      ]);
    }),
  );
  return editPages(files, (page, path) => page.replace('</head>', () => `${linksOf.get(path) ?? ''}</head>`));
}

function askedLanguage(req: Request): Language | undefined {
  const wanted = new URLSearchParams(req.url.split('?')[1]).get(LANGUAGE_PARAMETER);
  return LANGUAGES.find((language) => language === wanted);
}
