import { type Language, preferredLanguage } from '@casewatch/contracts/languages';
import { i18n, type Messages } from '@lingui/core';

/** The language chosen last on this device, for pages without a session. */
const STORAGE_KEY = 'language';

const CATALOGS: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('./catalog-en.ts'),
  es: () => import('./catalog-es.ts'),
};

/** What was chosen on this device, else what the browser prefers, else English. */
export function deviceLanguage(): Language {
  return preferredLanguage([localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]);
}

/** Loads the texts of a language and shows the app in it; throws, and changes nothing, where they can't be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  const { messages } = await CATALOGS[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language);
}
