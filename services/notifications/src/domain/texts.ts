import type { Language } from '@casewatch/contracts/languages';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es-US' };

type Table = Readonly<Record<string, Readonly<Record<Language, unknown>>>>;

/** Returns one language of a table that has every text in each, side by side. */
export function inLanguage<T extends Table>(table: T, language: Language) {
  const texts = Object.entries(table).map(([name, text]) => [name, text[language]]);
  return Object.fromEntries(texts) as { [Name in keyof T]: T[Name][Language] };
}

/** Returns a day, as `January 5, 2026`. */
export function dayIn(language: Language, date: Date, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone }).format(date);
}

/** Returns the day on which something happens to a plan; where no time zone is chosen it says that it is that of UTC. */
export function planDayIn(language: Language, date: Date, timeZone: string | null): string {
  return timeZone === null ? `${dayIn(language, date)} (UTC)` : dayIn(language, date, timeZone);
}

/** Returns a moment, as `January 5, 2026 at 7:00 AM EST`; in UTC where no time zone is chosen. */
export function momentIn(language: Language, date: Date, timeZone: string | null = null): string {
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  const time = {
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timeZone ?? 'UTC',
  } as const;
  const moment = new Intl.DateTimeFormat(LOCALES[language], { ...day, ...time }).format(date);
  // Spanish has one o'clock in the singular, which the formatter does not know.
  return moment.replace(/ a las (?=1:)/, ' a la ');
}

/** Line breaks, other controls, and what turns the direction of the text around it. */
const DISTURBING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns a text that stays one line, and within its place on it. */
export function oneLine(text: string): string {
  return text.replace(DISTURBING, ' ').replace(/ {2,}/g, ' ').trim();
}
