import type { Language } from '@casewatch/contracts/languages';
import { i18n } from '@lingui/core';

/** Returns a number as people write it in the language of the page: `1,234`. */
export function count(value: number): string {
  return value.toLocaleString(formatLocale());
}

/** Returns the language of the page. */
export function languageShown(): Language {
  return i18n.locale === 'es' ? 'es' : 'en';
}

/** Returns the locale for `Intl`: people who read Spanish in the US write dates and numbers as there, `1,234` and `2:28 p. m.`. */
export function formatLocale(): string {
  return languageShown() === 'es' ? 'es-US' : 'en-US';
}

/** Returns an amount in dollars as people write it: `$9`, `$7.50`. */
export function dollars(amount: number): string {
  return `$${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;
}
