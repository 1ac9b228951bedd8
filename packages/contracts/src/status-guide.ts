import { DECISIONS } from './guide-decisions.ts';
import { IN_PROGRESS } from './guide-in-progress.ts';
import { OUTCOMES } from './guide-outcomes.ts';
import { AGENCY_PAGES, type Guidance, type GuideEntry } from './guide-pages.ts';

/** When the texts were last compared with the agency's pages. */
export const GUIDE_REVIEWED = 'November 2026';
export const GUIDE_ENTRIES: readonly GuideEntry[] = [...IN_PROGRESS, ...DECISIONS, ...OUTCOMES];

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
    'We have no explanation for this status yet. Trust the agency’s own words below, and the notices it sends you, rather than a guess.',
  todo: 'Read the agency’s description, and check your mail for a notice. If it is not clear, ask the agency.',
  page: 'contact',
};

const BY_TITLE: ReadonlyMap<string, GuideEntry> = new Map(
  GUIDE_ENTRIES.flatMap((entry) => entry.titles.map((title) => [plain(title), entry] as const)),
);

/** What a status means for a form (`N-400`), in plain language; an unknown title is said to be unknown. */
export function guidanceFor(status: string, formType: string): StatusGuidance {
  const entry = BY_TITLE.get(plain(status));
  const { means, todo, page } = { ...(entry ?? UNKNOWN), ...entry?.forms?.[formType] };
  const [name, href] = AGENCY_PAGES[page];
  return { means, todo, link: { name, href }, isKnown: entry !== undefined };
}

function plain(title: string): string {
  return title.trim().replace(/\s+/g, ' ').toLowerCase();
}
