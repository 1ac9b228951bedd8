import { isSameStatus } from './fold-status.ts';
import type { Language } from './languages.ts';
import { textsIn } from './translations.ts';

/** The agency's own Spanish for a status. */
export interface AgencySpanish {
  status?: string | null | undefined;
  statusEs?: string | null | undefined;
}

/**
 * Returns a status title in a language; one that is not known as the agency writes it, in Spanish where `own` is of that status. Without
 * the guide, which the web app's first load does not need.
 */
export function statusName(status: string, language: Language, own: AgencySpanish = {}): string {
  const texts = textsIn(language);
  const spanish = isSameStatus(own.status ?? '', status) ? own.statusEs : null;
  return (texts && (texts.statusName(status) ?? spanish)) || status;
}
