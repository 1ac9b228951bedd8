import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  LANGUAGES,
  type Language,
  preferredLanguage,
} from '@casewatch/contracts/languages';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { editPages, type WebFiles } from './web-files.ts';

const ONE_YEAR_SECONDS = 31_536_000;

/** The file of the landing page in a language, as the web build names it. */
export function landingFile(language: Language): string {
  return language === 'en' ? '/landing.html' : `/landing.${language}.html`;
}

/** What the address asks for, else what was chosen on the device, else the browser's preference, else English. */
export function pageLanguage(req: Request): Language {
  const chosen = parseCookie(req.headers.cookie ?? '')[LANGUAGE_COOKIE];
  const preferred = req.headers['accept-language'] ? req.acceptsLanguages(...LANGUAGES) : false;
  return preferredLanguage([askedLanguage(req) ?? '', chosen ?? '', preferred || '']);
}

/** Has the browser keep a language that the address asks for, as the app itself does (`web/src/i18n/language.ts`). */
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

/** Names the landing page in each language to search engines, which take absolute addresses only. */
export function withAlternateLanguages(files: WebFiles, publicUrl: string): WebFiles {
  const link = (language: string, path: string) =>
    `<link rel="alternate" hreflang="${language}" href="${new URL(path, publicUrl).href}">`;
  const links = [
    ...LANGUAGES.map((language) => link(language, `/?${LANGUAGE_PARAMETER}=${language}`)),
    link('x-default', '/'),
  ].join('');
  const landing = new Set(LANGUAGES.map(landingFile));
  return editPages(files, (page, path) =>
    landing.has(path) ? page.replace('</head>', () => `${links}</head>`) : page,
  );
}

function askedLanguage(req: Request): Language | undefined {
  const wanted = new URLSearchParams(req.url.split('?')[1]).get(LANGUAGE_PARAMETER);
  return LANGUAGES.find((language) => language === wanted);
}
