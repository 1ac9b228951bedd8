import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  preferredLanguage,
} from '@casewatch/contracts/languages';
import { i18n, type Messages } from '@lingui/core';
import { CATALOG_CACHE } from '../config/product.ts';
import { type ServerTextTranslator, setServerTexts } from '../lib/server-texts.ts';

const COOKIE_MAX_AGE_SECONDS = 31_536_000;
/** The browser's tabs send each other the choice here. */
const CHANNEL = 'casewatch-language';

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

/** Returns what a link asks for, else what was chosen on this device, else what the browser prefers, else English. */
export function deviceLanguage(): Language {
  const asked = new URLSearchParams(window.location.search).get(LANGUAGE_PARAMETER);
  const language = preferredLanguage([asked ?? '', chosenLanguage(document.cookie), ...navigator.languages]);
  if (asked === language) rememberLanguage(language);
  return language;
}

/** Returns whether a screen is in English only, as the admin area is. */
export function isInEnglishOnly(path: string): boolean {
  return /^\/admin(\/|$)/.test(path);
}

/** Loads the texts of a language and shows the app in it; throws, and changes nothing, where they can't be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  const { messages, serverTexts, url } = await CATALOGS[language]();
  setServerTexts(serverTexts);
  document.documentElement.lang = language;
  i18n.loadAndActivate({ locale: language, messages });
  if (import.meta.env.PROD) void keepOffline(url).catch(() => undefined);
}

/** Remembers the choice in a cookie: the server chooses the landing page by it. */
export function rememberLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have no Cookie Store everywhere yet.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=${COOKIE_MAX_AGE_SECONDS}; samesite=lax`;
}

/** Makes the browser's other tabs show a language too. */
export function sendLanguageToOtherTabs(language: Language): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(language);
  channel.close();
}

/** Shows what another tab has chosen. Returns a function that ends it. */
export function followLanguage(): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Language>) => {
    // A language that can't be loaded now comes with the next page.
    void showLanguage(preferredLanguage([data])).catch(() => undefined);
  };
  return () => channel.close();
}

function chosenLanguage(cookies: string): string {
  const pairs = cookies.split('; ').map((pair) => pair.split('='));
  return pairs.find(([name]) => name === LANGUAGE_COOKIE)?.[1] ?? '';
}

/** The service worker answers with it (`service-worker.ts`): it keeps the files of the app, but of one language only. */
async function keepOffline(url: string): Promise<void> {
  const cache = await caches.open(CATALOG_CACHE);
  if (!(await cache.match(url))) await cache.add(url);
  for (const request of await cache.keys()) if (request.url !== url) await cache.delete(request);
}
