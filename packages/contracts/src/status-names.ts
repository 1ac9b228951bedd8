import { foldStatus } from './fold-status.ts';
import type { Language } from './languages.ts';
import { textsIn } from './translations.ts';

const BY_TITLE = new Map<Language, ReadonlyMap<string, string>>();

/**
 * Returns a status title in a language; a title that is not known stays as the agency wrote it. Without the guide, which
 * the web app's first load does not need.
 */
export function statusName(status: string, language: Language): string {
  return namesIn(language)?.get(foldStatus(status)) ?? status;
}

function namesIn(language: Language): ReadonlyMap<string, string> | undefined {
  const texts = textsIn(language);
  if (!texts) return undefined;
  const known = BY_TITLE.get(language);
  if (known) return known;
  const names = new Map(Object.entries(texts.statusNames).map(([title, name]) => [foldStatus(title), name]));
  BY_TITLE.set(language, names);
  return names;
}
