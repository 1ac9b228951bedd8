import type { CaseDateKind } from '@casewatch/contracts/case-date-kinds';
import type { Language } from '@casewatch/contracts/languages';
import type { DateSubject } from './subject.ts';
import { dayIn } from './texts.ts';

/** The day follows. */
const WORDS: Readonly<Record<CaseDateKind, Readonly<Record<Language, string>>>> = {
  'respond-by': { en: 'Respond by', es: 'Responda a más tardar el' },
  biometrics: { en: 'Biometrics appointment on', es: 'Cita de datos biométricos el' },
  interview: { en: 'Interview on', es: 'Entrevista el' },
  oath: { en: 'Oath ceremony on', es: 'Ceremonia de juramento el' },
  hearing: { en: 'Hearing on', es: 'Audiencia el' },
  'file-by': { en: 'File by', es: 'Presente su solicitud a más tardar el' },
  own: { en: 'Your date:', es: 'Su fecha:' },
};

/**
 * Returns what a reminder says first, as `Respond by December 24, 2026`. Without how many days are left: a message may be read on a later
 * day than it was written for.
 */
export function dateWords(
  { dateKind, day }: Pick<DateSubject, 'dateKind' | 'day'>,
  language: Language,
): string {
  return `${WORDS[dateKind][language]} ${dayIn(language, new Date(`${day}T00:00:00Z`))}`;
}
