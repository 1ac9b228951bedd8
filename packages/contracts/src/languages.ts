/** The languages of the app, its e-mails and its push messages, as BCP 47 names them. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
/** A text in every language, side by side: one that lacks a language does not compile. */
export type Translated = Readonly<Record<Language, string>>;

/** Keeps the language chosen on a device; readable by scripts, and no secret. */
export const LANGUAGE_COOKIE = 'language';
/** In the query of a page's address: chooses a language and has the device keep it. */
export const LANGUAGE_PARAMETER = 'lang';

/** Returns the first of a reader's languages (`es-MX`) that there are texts in; English without one. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = LANGUAGES.find((each) => each === tag.split('-')[0]?.toLowerCase());
    if (language !== undefined) return language;
  }
  return 'en';
}
