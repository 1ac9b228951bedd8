import { foldStatus, statusWords } from './fold-status.ts';
import type { Language } from './languages.ts';
import { pageLink } from './status-guide/agency-pages.ts';
import { APPEALS } from './status-guide/appeals.ts';
import { DECISIONS } from './status-guide/decisions.ts';
import { IN_PROGRESS } from './status-guide/in-progress.ts';
import { MAIL } from './status-guide/mail.ts';
import { MOVES } from './status-guide/moves.ts';
import { REJECTIONS } from './status-guide/rejections.ts';
import { IF_MISSING, type Phase, type Row } from './status-guide/row.ts';
import { likelyPhase, seemsToAsk } from './status-guide/rules.ts';

export type { Phase, Row as GuideRow } from './status-guide/row.ts';

/** When the texts were last compared with the agency's pages. */
const REVIEWED: Readonly<Record<Language, string>> = { en: 'November 2026', es: 'noviembre de 2026' };
export const guideReviewed = (language: Language): string => REVIEWED[language];

/** Every status that the product knows: its titles, texts, phase and urgency. */
export const STATUSES: readonly Row[] = [
  ...IN_PROGRESS,
  ...MOVES,
  ...APPEALS,
  ...DECISIONS,
  ...REJECTIONS,
  ...MAIL,
];
/** The titles of all of them, as the agency writes them. */
export const STATUS_TITLES: readonly string[] = STATUSES.flatMap(({ titles }) => Object.keys(titles));

const BY_TITLE: ReadonlyMap<string, { title: string; row: Row }> = new Map(
  STATUSES.flatMap((row) =>
    Object.keys(row.titles).map((title) => [foldStatus(title), { title, row }] as const),
  ),
);

const UNKNOWN: Pick<Row, 'en' | 'es' | 'page' | 'law'> = {
  en: 'We do not know this status yet. It may have a deadline. → Read USCIS’s description and look for a notice in your mail or online account. If it is not clear, ask USCIS.',
  es: 'Todavía no conocemos este estatus. Puede tener un plazo. → Lea la descripción de USCIS y busque un aviso en su correo postal o en su cuenta en línea. Si no le queda claro, pregunte a USCIS.',
  page: 'contact',
};

export interface StatusGuidance {
  means: string;
  next: string;
  /** What to do if the notice does not come. */
  ifMissing: string | undefined;
  /** The next step and, if a notice announces it, what to do without the notice. */
  todo: string;
  /** A page of the agency. */
  link: { name: string; href: string };
  /** The source of each legal figure in the texts. */
  law: string | undefined;
  /** False for a title that the guide has no text for. */
  isKnown: boolean;
}

/** Returns what a status means for a form (`N-400`), in plain language; an unknown title is marked as unknown. */
export function guidanceFor(status: string, formType: string, language: Language = 'en'): StatusGuidance {
  const row = BY_TITLE.get(foldStatus(status))?.row;
  const texts = { ...(row ?? UNKNOWN), ...row?.forms?.[formType] };
  const [means = '', next = ''] = texts[language].split(' → ');
  const ifMissing = row?.notice && IF_MISSING[row.notice][language];
  const todo = ifMissing ? `${next} ${ifMissing}` : next;
  const link = pageLink(texts.page, language);
  return { means, next, ifMissing, todo, link, law: texts.law, isKnown: row !== undefined };
}

/** Returns the id of a title on the page of the guide, whatever its spelling. Made of its words alone: links outlive a change of the rows. */
export function guideId(title: string): string {
  return statusWords(BY_TITLE.get(foldStatus(title))?.title ?? title).replaceAll(' ', '-');
}

/** Agency titles are stored up to this length; it bounds the work of the rules. */
const TITLE_MAX = 1_000;

/** Returns whether a case with this status title waits for its applicant. No status: no. */
export function needsAction(status: string | null | undefined): boolean {
  const title = (status ?? '').slice(0, TITLE_MAX);
  const known = BY_TITLE.get(foldStatus(title));
  return known ? known.row.action !== undefined : seemsToAsk(statusWords(title));
}

/** Returns the phase of a status title; every title has one. */
export function phaseOf(status: string): Phase {
  return BY_TITLE.get(foldStatus(status))?.row.phase ?? likelyPhase(statusWords(status));
}
