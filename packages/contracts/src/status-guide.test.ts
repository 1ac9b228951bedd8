import { expect, test } from 'vitest';
import './es/texts.ts';
import { foldStatus } from './fold-status.ts';
import { AGENCY_PAGES, pageLink } from './status-guide/agency-pages.ts';
import { IF_MISSING } from './status-guide/row.ts';
import { guidanceFor, guideId, guideReviewed, needsAction, STATUS_TITLES, STATUSES } from './status-guide.ts';
import { statusName } from './status-names.ts';

const UNKNOWN = 'Your Horoscope Was Consulted';
const FORMS = ['', ...new Set(STATUSES.flatMap(({ forms }) => Object.keys(forms ?? {})))];
/** Every text of the guide, once, with the row that it is in. */
const TEXTS = STATUSES.flatMap((row) => {
  const [title = ''] = Object.keys(row.titles);
  return ['', ...Object.keys(row.forms ?? {})].map((form) => ({
    name: `${title} ${form}`.trim(),
    row: { ...row, ...row.forms?.[form] },
    en: guidanceFor(title, form),
    es: guidanceFor(title, form, 'es'),
  }));
});

test('every known status title has a plain-language text, and no title has two', () => {
  expect(STATUS_TITLES.filter((title) => !guidanceFor(title, '').isKnown)).toEqual([]);
  const rows = Map.groupBy(
    STATUSES.flatMap((row) => Object.keys(row.titles).map((title) => [foldStatus(title), row] as const)),
    ([folded]) => folded,
  );
  expect([...rows].filter(([, found]) => found.length > 1).map(([folded]) => folded)).toEqual([]);
  // Nor one name in Spanish: a change between the two would read as none.
  const names = STATUS_TITLES.map((title) => foldStatus(statusName(title, 'es')));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(rows.size).toBeGreaterThanOrEqual(170);
  for (const { name, en, es } of TEXTS)
    for (const text of [en.means, en.todo, es.means, es.todo]) expect(text, name).toMatch(/^\p{Lu}.*[.)]$/su);
});

test('an unknown title is shown as unknown, and the agency’s words come first', () => {
  const { isKnown, means, todo, link } = guidanceFor(UNKNOWN, 'I-130');
  expect(isKnown).toBe(false);
  expect(means).toBe('We do not know this status yet. It may have a deadline.');
  expect(todo).toMatch(/Read USCIS’s description and look for a notice in your mail or online account/);
  expect(link.href).toBe('https://www.uscis.gov/contactcenter');
  expect(guidanceFor(UNKNOWN, '', 'es').means).toMatch(/Todavía no conocemos este estatus/);
});

const SPELLINGS: readonly (readonly [string, (title: string) => string])[] = [
  ['UPPER CASE', (title) => title.toUpperCase()],
  ['lower case', (title) => title.toLowerCase()],
  ['Title Case', (title) => title.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())],
  ['no-break spaces', (title) => title.replaceAll(' ', '\u00a0')],
  ['thin spaces', (title) => title.replaceAll(' ', '\u2009')],
  ['double spaces', (title) => title.replaceAll(' ', '  ')],
  ['a tab and a new line', (title) => title.replace(' ', '\t').replace(' ', '\n')],
  ['spaces around it', (title) => ` ${title}  `],
  ['a final period', (title) => `${title}.`],
  ['a final period and a space', (title) => `${title}. `],
  ['soft hyphens', (title) => title.replace(/(..)(?=\w)/g, '$1\u00ad')],
  ['zero-width spaces', (title) => title.replaceAll(' ', ' \u200b')],
  ['zero-width joiners', (title) => title.replace(/(\w)(\w)/, '$1\u200d$2')],
  ['a byte order mark', (title) => `\ufeff${title}`],
  ['full-width letters', (title) => title.replace(/[A-Za-z]/g, (one) => wide(one))],
  ['decomposed letters', (title) => title.normalize('NFD')],
  ['quotes around it', (title) => `“${title}”`],
  ['a curly apostrophe', (title) => title.replaceAll("'", '’')],
  ['no apostrophe', (title) => title.replaceAll("'", '')],
  ['en dashes', (title) => title.replaceAll('-', '–')],
  ['em dashes', (title) => title.replaceAll('-', '—')],
  ['a no-break hyphen', (title) => title.replaceAll('-', '\u2011')],
  ['no hyphen', (title) => title.replaceAll('-', '')],
  ['an ampersand for and', (title) => title.replace(/\band\b/gi, '&')],
  ['an E-Mail', (title) => title.replace('Emailed', 'E-Mailed')],
  ['a possessive', (title) => title.replace("USCIS'", 'USCIS’s')],
  ['a straight quote for the apostrophe', (title) => title.replace("'", '"')],
  ['the United States in letters', (title) => title.replace('U.S.', 'US')],
  ['another slash', (title) => title.replace('/', ' ⁄ ')],
  ['the other spelling of canceled', (title) => title.replace('Cancelled', 'Canceled')],
  ['the British spelling of canceled', (title) => title.replace('Canceled', 'Cancelled')],
  ['other articles', (title) => title.replace(/\b(?:The|An?) /gi, '').replace('By Post', 'By The Post')],
  ['no helping verb', (title) => title.replace(/ (?:Was|Were)(?! Destroyed)\b/g, '')],
  ['one for many', (title) => title.replace('Biometrics', 'Biometric').replace('Fees', 'Fee')],
  ['a final exclamation', (title) => `${title}!`],
  ['a mark at its end', (title) => `${title} ✓`],
  ['an ellipsis', (title) => `${title}…`],
];
const wide = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);

test.each(SPELLINGS)('of a title in %s the guide, its urgency and its Spanish name are found', (_, spell) => {
  for (const title of STATUS_TITLES) {
    const spelled = spell(title);
    expect(guidanceFor(spelled, ''), spelled).toEqual(guidanceFor(title, ''));
    expect(needsAction(spelled), spelled).toBe(needsAction(title));
    expect(statusName(spelled, 'es'), spelled).toBe(statusName(title, 'es'));
  }
});

test('each title has an id of its own on the page of the guide, the same in every spelling', () => {
  const ids = STATUS_TITLES.map(guideId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  for (const [, spell] of SPELLINGS) expect(STATUS_TITLES.map((title) => guideId(spell(title)))).toEqual(ids);
  expect(guideId('Premium Processing Case is Eligible for Pre-Certification')).toBe(
    'premium-processing-case-is-eligible-for-pre-certification',
  );
});

test.each([
  "Notice Explaining USCIS' Actions Was Mailed",
  'Notice Explaining USCIS’ Actions Was Mailed',
  'Response to USCIS´ Request for Evidence Was Received',
  'Case Was Approved And USCIS Notified The U. S. Consulate Or Port Of Entry',
  'Premium Processing Case Is Eligible For Pre–Certification',
  'Case Rejected For Incorrect Fee; Payment Not Signed; And Incorrect Form Version',
])('%s is known', (title) => expect(guidanceFor(title, '').isKnown).toBe(true));

test('a form for which a status means something else has its own text', () => {
  const approved = [
    'I-129',
    'I-129F',
    'I-130',
    'I-140',
    'I-485',
    'I-539',
    'I-589',
    'I-601A',
    'I-765',
    'I-821',
  ];
  const meanings = [...approved, 'N-400', ''].map((form) => guidanceFor('Case Was Approved', form).means);
  expect(new Set(meanings).size).toBe(meanings.length);
  const denied = ['I-485', 'I-539', 'I-589', 'I-751', 'N-400', ''];
  const steps = denied.map((form) => guidanceFor('Case Was Denied', form).todo);
  expect(new Set(steps).size).toBe(steps.length);
  expect(guidanceFor('Case Was Approved', 'N-400').means).toMatch(/oath/);
});

test('every known status title has a name in Spanish, and another title stays as the agency wrote it', () => {
  const names = STATUS_TITLES.map((title) => statusName(title, 'es'));
  expect(names.filter((name, index) => name === STATUS_TITLES[index])).toEqual([]);
  expect(statusName(' CASE  was approved ', 'es')).toBe('El caso fue aprobado');
  expect(statusName(UNKNOWN, 'es')).toBe(UNKNOWN);
  expect(STATUS_TITLES.map((title) => statusName(title, 'en'))).toEqual(STATUS_TITLES);
});

test('every text of the guide is there in Spanish, for each form too', () => {
  for (const title of [...STATUS_TITLES, UNKNOWN]) {
    for (const form of [...FORMS, 'ZZ-1']) {
      const english = guidanceFor(title, form);
      const { means, todo, isKnown } = guidanceFor(title, form, 'es');
      expect(isKnown).toBe(english.isKnown);
      expect(means, `${title} ${form}`).not.toBe(english.means);
      expect(todo, `${title} ${form}`).not.toBe(english.todo);
      // A form has a text of its own in Spanish exactly where it has one in English.
      expect(means === guidanceFor(title, 'ZZ-1', 'es').means, `${title} ${form}`).toBe(
        english.means === guidanceFor(title, 'ZZ-1').means,
      );
      expect(todo === guidanceFor(title, 'ZZ-1', 'es').todo, `${title} ${form}`).toBe(
        english.todo === guidanceFor(title, 'ZZ-1').todo,
      );
    }
  }
  expect(guideReviewed('en')).toBe('November 2026');
  expect(guideReviewed('es')).toBe('noviembre de 2026');
});

test('texts are short, and a row has the pair of a meaning and a next step', () => {
  for (const { name, row, en, es } of TEXTS) {
    for (const text of [row.en, row.es]) expect(text.split(' → '), name).toHaveLength(2);
    const most = row.notice ? IF_MISSING[row.notice].es.length : 0;
    expect(en.means.length, name).toBeLessThan(240);
    expect(es.means.length, name).toBeLessThan(280);
    expect(en.todo.length, name).toBeLessThan(320 + most);
    expect(es.todo.length, name).toBeLessThan(360 + most);
  }
});

test('a link leads to a page of the agency in Spanish, or its name says that the page is in English', () => {
  for (const page of AGENCY_PAGES) {
    const [english, spanish] = [pageLink(page, 'en'), pageLink(page, 'es')];
    expect(new URL(english.href).origin).toBe('https://www.uscis.gov');
    expect(spanish.href.startsWith('https://www.uscis.gov/es/'), page).toBe(
      !spanish.name.endsWith('(en inglés)'),
    );
    if (spanish.name.endsWith('(en inglés)')) expect(spanish.href).toBe(english.href);
  }
  expect(AGENCY_PAGES.filter((page) => !TEXTS.some(({ row }) => row.page === page))).toEqual([]);
});

/** Figures of the law: a count of days, months or years. */
const FIGURE = /\b(?:\d+|two|four to five|four|ten)(?: working)?[ -](?:days?|months?|years?)\b/i;
const FIGURE_ES = /\b(?:\d+|dos|cuatro a cinco|cuatro|diez) (?:días?|meses|años)\b/i;

test('each figure of the law has its source beside it, and both languages name it', () => {
  expect(TEXTS.filter(({ row }) => FIGURE.test(row.en) && !row.law).map(({ name }) => name)).toEqual([]);
  for (const { name, row } of TEXTS) {
    expect(FIGURE_ES.test(row.es), name).toBe(FIGURE.test(row.en));
    expect(row.es.match(/\d+/g)?.toSorted(), name).toEqual(row.en.match(/\d+/g)?.toSorted());
  }
  for (const { en, es } of Object.values(IF_MISSING)) expect(`${en} ${es}`).not.toMatch(/\d+ (?:days|días)/);
});

/** Next steps with a date that is not one to act by after a notice, each for the form alone. */
const DATES_OF_AN_APPROVAL = ['I-129F', 'I-485', 'I-589'].map((form) => `Case Was Approved ${form}`);
const DEADLINE =
  /\b(?:\d+|two|four)(?: working)? (?:days?|months?|years?)\b|\bprinted (?:date|time)\b|\bby the (?:printed )?date\b|\bdate to answer\b|\b(?:time|deadline)\b.*\b(?:short|appeal|running)\b|\bany deadline\b/i;

test('a status whose next step names a deadline needs action', () => {
  const named = TEXTS.filter(({ en }) => DEADLINE.test(en.todo.replace('within 10 days of moving', '')));
  const calm = named.filter(({ row }) => row.action === undefined).map(({ name }) => name);
  expect(calm.toSorted()).toEqual(DATES_OF_AN_APPROVAL.toSorted());
  expect(named.length).toBeGreaterThan(25);
});

test('a status that needs action says what to do if its notice does not come', () => {
  const silent = TEXTS.filter(
    ({ row, en }) =>
      row.action && row.action !== 'none' && !/e-request|account|no notice|yourself/.test(en.todo),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('a text reads at grade 8 or below', () => {
  const hard = TEXTS.filter(({ en }) => gradeOf(`${en.means} ${en.todo}`) > 8).map(
    ({ name, en }) => `${gradeOf(`${en.means} ${en.todo}`).toFixed(1)} ${name}`,
  );
  expect(hard).toEqual([]);
});

test('a sentence in Spanish has at most 30 words', () => {
  for (const { name, es } of TEXTS)
    for (const sentence of `${es.means} ${es.todo}`.split(/[.:;] /))
      expect(sentence.split(' ').length, `${name}: ${sentence}`).toBeLessThanOrEqual(30);
});

/** Returns the grade of a text by Flesch and Kincaid; names of forms, addresses and numbers count as one short word. */
function gradeOf(text: string): number {
  const plain = text
    .replace(/\(?\b(?:uscis\.gov|acis\.eoir)\S*/g, 'page')
    .replace(/\bForm [A-Z]+-\w+/g, 'form')
    .replace(/\bU\.S\./g, 'US');
  const sentences = plain.split(/[.:;](?:\s|$)/).filter((sentence) => sentence.trim() !== '');
  const words = plain.match(/[\p{L}\d’'-]+/gu) ?? [];
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word.toLowerCase()), 0);
  return (0.39 * words.length) / sentences.length + (11.8 * syllables) / words.length - 15.59;
}

function syllablesOf(word: string): number {
  if (!/[aeiouy]/.test(word) || word === 'uscis') return 1;
  const spoken = word.replace(/(?:[^laeiouy]es|[^dt]ed|[^laeiouy]e)$/, '');
  return Math.max(1, spoken.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}
