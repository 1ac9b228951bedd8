import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  preferredLanguage,
} from '@casewatch/contracts/languages';
import { i18n, type Messages } from '@lingui/core';

const COOKIE_MAX_AGE_SECONDS = 31_536_000;

const CATALOGS: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('./catalog-en.ts'),
  es: () => import('./catalog-es.ts'),
};

/** What a link asks for, else what was chosen on this device, else what the browser prefers, else English. */
export function deviceLanguage(): Language {
  const asked = new URLSearchParams(window.location.search).get(LANGUAGE_PARAMETER);
  const language = preferredLanguage([asked ?? '', chosenLanguage(document.cookie), ...navigator.languages]);
  if (asked === language) rememberLanguage(language);
  return language;
}

/** Loads the texts of a language and shows the app in it; throws, and changes nothing, where they can't be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  const { messages } = await CATALOGS[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** Remembers the choice in a cookie: the server chooses the landing page by it. */
export function rememberLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have no Cookie Store everywhere yet.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=${COOKIE_MAX_AGE_SECONDS}; samesite=lax`;
}

function chosenLanguage(cookies: string): string {
  const pairs = cookies.split('; ').map((pair) => pair.split('='));
  return pairs.find(([name]) => name === LANGUAGE_COOKIE)?.[1] ?? '';
}
