import { DECISIONS } from './guide-decisions.ts';
import { IN_PROGRESS } from './guide-in-progress.ts';
import { OUTCOMES } from './guide-outcomes.ts';
import { AGENCY_PAGES, type Guidance, type GuideEntry } from './guide-pages.ts';
import type { Language } from './languages.ts';
import { plainTitle } from './status-names.ts';
import { textsIn } from './translations.ts';

/** When the texts were last compared with the agency's pages. */
export const GUIDE_REVIEWED = 'November 2026';
export const guideReviewed = (language: Language): string =>
  textsIn(language)?.guide.reviewed ?? GUIDE_REVIEWED;

export const GUIDE_ENTRIES: readonly GuideEntry[] = [...IN_PROGRESS, ...DECISIONS, ...OUTCOMES];
/** The titles that the guide knows. */
export type GuideTitle = (typeof IN_PROGRESS | typeof DECISIONS | typeof OUTCOMES)[number]['titles'][number];

export interface StatusGuidance {
  means: string;
  todo: string;
  /** A page of the agency. */
  link: { name: string; href: string };
  /** False for a title that the guide has no text for. */
  isKnown: boolean;
}

const UNKNOWN: Guidance = {
  means:
    'We have no explanation for this status yet. Trust the agency’s own words, and the notices it sends you, rather than a guess.',
  todo: 'Read the agency’s description, and check your mail for a notice. If it is not clear, ask the agency.',
  page: 'contact',
};

const BY_TITLE: ReadonlyMap<string, GuideEntry> = new Map(
  GUIDE_ENTRIES.flatMap((entry) => entry.titles.map((title) => [plainTitle(title), entry] as const)),
);

/**
 * Returns what a status means for a form (`N-400`), in plain language; an unknown title is marked as unknown. The texts of a
 * language other than English have to be loaded (`translations.ts`).
 */
export function guidanceFor(status: string, formType: string, language: Language = 'en'): StatusGuidance {
  const entry = BY_TITLE.get(plainTitle(status));
  const { means, todo, page } = { ...(entry ?? UNKNOWN), ...entry?.forms?.[formType] };
  const isKnown = entry !== undefined;
  const guide = textsIn(language)?.guide;
  if (!guide) {
    const [name, href] = AGENCY_PAGES[page];
    return { means, todo, link: { name, href }, isKnown };
  }
  const text = guide.entries[entry?.titles[0] ?? ''] ?? guide.unknown;
  const [name, href] = guide.pages[page];
  return { means: text.means, todo: text.todo, ...text.forms?.[formType], link: { name, href }, isKnown };
}
