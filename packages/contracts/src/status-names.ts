import type { Language } from './languages.ts';
import { textsIn } from './translations.ts';

/**
 * Returns a status title in a language; a title that is not known stays as the agency wrote it. Without the guide, which
 * the web app's first load does not need.
 */
export function statusName(status: string, language: Language): string {
  return textsIn(language)?.statusName(status) ?? status;
}
