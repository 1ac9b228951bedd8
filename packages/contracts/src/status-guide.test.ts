import { expect, test } from 'vitest';
import { foldStatus } from './fold-status.ts';
import { AGENCY_PAGES, pageLink } from './status-guide/agency-pages.ts';
import type { Row } from './status-guide/row.ts';
import { guidanceFor, needsAction, phaseOf, STATUS_TITLES, STATUSES } from './status-guide.ts';
import { statusName } from './status-names.ts';
import './es/texts.ts';

const UNKNOWN = 'Your Horoscope Was Consulted';

/** Each text of the guide, that of forms included, with what its row says of it. */
const TEXTS = STATUSES.flatMap((row) =>
  [{}, ...Object.values(row.forms ?? {})].map((own) => {
    const { titles, en, es, law, action } = { ...row, ...own } as Row;
    return { title: Object.keys(titles)[0] ?? '', en, es, law, action };
  }),
);

test('no status is in the guide twice, however its title is spelled', () => {
  expect(new Set(STATUS_TITLES.map(foldStatus)).size).toBe(STATUS_TITLES.length);
  expect(STATUS_TITLES.length).toBeGreaterThan(170);
});

test('every status says what it means and what to do, in both languages, and leads to a page of the agency', () => {
  for (const { title, en, es } of TEXTS) {
    for (const text of [en, es]) {
      const parts = text.split(' → ');
      expect(parts, title).toHaveLength(2);
      for (const part of parts) expect(part, title).toMatch(/^\p{Lu}.{8,348}[.?)]$/u);
    }
    expect(es, title).not.toBe(en);
  }
  for (const title of STATUS_TITLES) {
    const { isKnown, link } = guidanceFor(title, '');
    expect([isKnown, new URL(link.href).origin]).toEqual([true, 'https://www.uscis.gov']);
  }
});

test('every title has a name in Spanish, and another title stays as the agency wrote it', () => {
  expect(STATUS_TITLES.filter((title) => statusName(title, 'es') === title)).toEqual([]);
  expect(statusName(' CASE  was approved. ', 'es')).toBe('El caso fue aprobado');
  expect(statusName(UNKNOWN, 'es')).toBe(UNKNOWN);
  expect(STATUS_TITLES.map((title) => statusName(title, 'en'))).toEqual(STATUS_TITLES);
});

test('a link leads to a page in Spanish, or its name says that the page is in English', () => {
  for (const page of AGENCY_PAGES) {
    const { name, href } = pageLink(page, 'es');
    expect(href.startsWith('https://www.uscis.gov/es/'), page).toBe(!name.endsWith('(en inglés)'));
    if (name.endsWith('(en inglés)')) expect(href).toBe(pageLink(page, 'en').href);
  }
});

/** A time that a text says someone has, and words for a date that a notice sets. */
const FIGURE = /\b(?:\d+|two|dos) (?:\w+ )?(?:days?|years?|días|años)\b/;
const DEADLINE =
  /\bdate printed\b|\bprinted date\b|\bby (?:the|that) (?:same )?date\b|\b(?:to appeal|an appeal|deadline)\b|\bfecha límite|\bantes de la fecha\b|\b(?:para|puede) apelar\b/;

test('where the next step names a deadline, the status needs action', () => {
  const withDeadline = TEXTS.filter(({ en, es }) => DEADLINE.test(en) || DEADLINE.test(es));
  expect(withDeadline.length).toBeGreaterThan(10);
  const calm = withDeadline.filter(({ action }) => !action);
  expect(calm.map(({ title }) => title)).toEqual([]);
});

test('a legal figure has its source beside it', () => {
  const withFigure = TEXTS.filter(({ en, es }) => FIGURE.test(en) || FIGURE.test(es));
  expect(withFigure.length).toBeGreaterThan(20);
  const bare = withFigure.filter(({ law }) => !law);
  expect(bare.map(({ title, en }) => `${title}: ${en}`)).toEqual([]);
});

test('every text reads at grade 8 or below', () => {
  expect(
    gradeOf(
      'Notwithstanding preliminary eligibility determinations, adjudication necessitates documentation.',
    ),
  ).toBeGreaterThan(20);
  const hard = TEXTS.map(({ title, en }) => ({ title, grade: gradeOf(en) })).filter(({ grade }) => grade > 8);
  expect(hard).toEqual([]);
});

/** The Flesch-Kincaid grade; names that everyone who has a case reads anyway count as one short word. */
function gradeOf(text: string): number {
  const plain = text
    .replace(/\((?:uscis|acis)[^)]*\)|\b(?:Form )?[A-Z]-\d+\w*\b|USCIS/g, 'it')
    .replace(
      /\b(?:immigration|citizenship|consulate|evidence|application|petition(?:er)?|interview|biometrics)\b/gi,
      'word',
    );
  const words = plain.match(/[\p{L}’'-]+/gu) ?? [];
  const sentences = plain.split(/[.?!:;→]+(?:\s|$)/).filter((part) => /\p{L}/u.test(part)).length;
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word.toLowerCase()), 0);
  return (0.39 * words.length) / sentences + (11.8 * syllables) / words.length - 15.59;
}

function syllablesOf(word: string): number {
  const spoken = word.replace(/(?:[^laeiouy]es|[^td]ed|[^laeiouy]e)$/, '').replace(/^y/, '');
  return Math.max(1, spoken.match(/[aeiouy]{1,2}/g)?.length ?? 0);
}

test.each([
  [
    'a decision by form',
    'Case Was Approved',
    ['I-129', 'I-130', 'I-140', 'I-485', 'I-589', 'I-765', 'N-400', ''],
  ],
  ['a denial by form', 'Case Was Denied', ['I-485', 'I-539', 'I-589', 'N-400', '']],
])('%s has a text of its own', (_name, title, forms) => {
  for (const language of ['en', 'es'] as const) {
    const texts = forms.map((form) => Object.values(guidanceFor(title, form, language)).join());
    expect(new Set(texts).size).toBe(forms.length);
  }
});

test('an unknown title gets careful words and the agency’s page', () => {
  expect(guidanceFor(UNKNOWN, 'I-130')).toMatchObject({
    isKnown: false,
    means: 'We do not know this status yet. It may have a deadline.',
    link: pageLink('contact', 'en'),
  });
  expect(guidanceFor(UNKNOWN, 'I-130', 'es').means).toBe(
    'Todavía no conocemos este estatus. Puede tener un plazo.',
  );
});

test.each([
  'Notice Explaining USCIS’ Actions Was Mailed',
  "NOTICE EXPLAINING USCIS' ACTIONS WAS MAILED.",
  'Notice\u00a0Explaining  USCIS Actions Was Mailed',
  'Notice Explain\u00ading USCIS Actions Was\u200b Mailed',
  'Ｎｏｔｉｃｅ Explaining USCIS Actions Was Mailed',
])('%j is the known status, with its texts, phase and urgency', (title) => {
  const known = 'Notice Explaining USCIS Actions Was Mailed';
  for (const language of ['en', 'es'] as const) {
    expect(guidanceFor(title, '', language)).toEqual(guidanceFor(known, '', language));
    expect(statusName(title, 'es')).toBe(statusName(known, 'es'));
  }
  expect([phaseOf(title), needsAction(title)]).toEqual([phaseOf(known), true]);
});
