import { type Language, preferredLanguage } from '@casewatch/contracts/languages';
import { i18n, type Messages } from '@lingui/core';
import { type ServerTextTranslator, setServerTexts } from '../lib/server-texts.ts';
import { CATALOG_CACHE } from './catalog-cache.ts';

/** What was chosen last on this device. The cookie is for the server, which answers with whole pages. */
const CHOICE = 'language';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

interface Catalog {
  messages: Messages;
  /** What the server says in English, in this language. */
  serverTexts?: ServerTextTranslator;
  /** The address of the script itself. */
  url: string;
}

const CATALOGS: Record<Language, () => Promise<Catalog>> = {
  en: () => import('./catalog-en.ts'),
  es: () => import('./catalog-es.ts'),
};

/** What was chosen on this device, else what the browser prefers, else English. */
export function deviceLanguage(): Language {
  return preferredLanguage([storedChoice() ?? '', ...navigator.languages]);
}

/** Loads the texts of a language and shows the app in it; throws, and changes nothing, where they can't be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  const { messages, serverTexts, url } = await CATALOGS[language]();
  setServerTexts(serverTexts);
  document.documentElement.lang = language;
  i18n.loadAndActivate({ locale: language, messages });
  if (import.meta.env.PROD) void keepOffline(url).catch(() => undefined);
}

/** Keeps the choice for the next visit; the other tabs follow it at once. */
export function rememberLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${CHOICE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  try {
    localStorage.setItem(CHOICE, language);
  } catch {
    // Storage is forbidden: the language holds until the page is left.
  }
}

/** Shows what another tab has chosen. Returns a function that ends it. */
export function followLanguage(): () => void {
  const follow = ({ key }: StorageEvent) => {
    // A language that can't be loaded now comes with the next page.
    if (key === CHOICE && storedChoice() !== null) void showLanguage(deviceLanguage()).catch(() => undefined);
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

function storedChoice(): string | null {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null;
  }
}

/** The service worker answers with it (`service-worker.ts`): it keeps the files of the app, but of one language only. */
async function keepOffline(url: string): Promise<void> {
  const cache = await caches.open(CATALOG_CACHE);
  if (!(await cache.match(url))) await cache.add(url);
  for (const request of await cache.keys()) if (request.url !== url) await cache.delete(request);
}
