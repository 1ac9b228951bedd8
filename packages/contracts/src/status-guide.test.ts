import { expect, test } from 'vitest';
import { STATUS_NAMES_ES } from './es/status-names.ts';
import './es/texts.ts';
import { AGENCY_PAGES } from './guide-pages.ts';
import { GUIDE_ENTRIES, GUIDE_REVIEWED, guidanceFor, guideReviewed } from './status-guide.ts';
import { statusName } from './status-names.ts';
import { textsIn } from './translations.ts';

const TITLES = Object.keys(STATUS_NAMES_ES);

test('every known status title has a plain-language text, and no title has two', () => {
  expect(TITLES.filter((title) => !guidanceFor(title, '').isKnown)).toEqual([]);
  const explained = GUIDE_ENTRIES.flatMap(({ titles }) => titles);
  expect(explained.filter((title) => !TITLES.includes(title))).toEqual([]);
  expect(new Set(explained).size).toBe(explained.length);
});

test('an unknown title is shown as unknown, and the agency’s words come first', () => {
  const { isKnown, means, link } = guidanceFor('Your Horoscope Was Consulted', 'I-130');
  expect(isKnown).toBe(false);
  expect(means).toMatch(/no explanation for this status yet/);
  expect(link.href).toBe(AGENCY_PAGES.contact[1]);
});

test('case and spaces of a title do not matter', () => {
  expect(guidanceFor(' CASE  was approved ', '')).toEqual(guidanceFor('Case Was Approved', ''));
});

test('a form for which a status means something else has its own text', () => {
  const forms = [
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
    'N-400',
  ];
  const approved = [...forms, ''].map((form) => guidanceFor('Case Was Approved', form).means);
  expect(new Set(approved).size).toBe(approved.length);
  const denied = ['I-485', 'I-539', 'I-589', 'N-400', ''].map(
    (form) => guidanceFor('Case Was Denied', form).todo,
  );
  expect(new Set(denied).size).toBe(denied.length);
  expect(guidanceFor('Case Was Approved', 'N-400').means).toMatch(/oath/);
});

test('every known status title has a name in Spanish, and another title stays as the agency wrote it', () => {
  const names = TITLES.map((title) => statusName(title, 'es'));
  expect(names.filter((name, index) => name === TITLES[index])).toEqual([]);
  expect(statusName(' CASE  was approved ', 'es')).toBe('El caso fue aprobado');
  expect(statusName('Your Horoscope Was Consulted', 'es')).toBe('Your Horoscope Was Consulted');
  expect(TITLES.map((title) => statusName(title, 'en'))).toEqual(TITLES);
});

test('every text of the guide is there in Spanish, for each form too', () => {
  const forms = ['', 'ZZ-1', ...new Set(GUIDE_ENTRIES.flatMap((entry) => Object.keys(entry.forms ?? {})))];
  const english = (title: string, form: string) => guidanceFor(title, form);
  for (const title of [...TITLES, 'Your Horoscope Was Consulted']) {
    for (const form of forms) {
      const { means, todo, isKnown } = guidanceFor(title, form, 'es');
      expect(isKnown).toBe(english(title, form).isKnown);
      expect(means, `${title} ${form}`).not.toBe(english(title, form).means);
      expect(todo, `${title} ${form}`).not.toBe(english(title, form).todo);
      // A form has a text of its own in Spanish exactly where it has one in English.
      expect(means === guidanceFor(title, 'ZZ-1', 'es').means, `${title} ${form}`).toBe(
        english(title, form).means === english(title, 'ZZ-1').means,
      );
    }
  }
  expect(guideReviewed('en')).toBe(GUIDE_REVIEWED);
  expect(guideReviewed('es')).toBe('noviembre de 2026');
});

test('texts are short, and lead to a page of the agency', () => {
  const texts = GUIDE_ENTRIES.flatMap((entry) => [entry, ...Object.values(entry.forms ?? {})]);
  for (const { means = '', todo = '' } of texts) {
    expect(means.length, means).toBeLessThan(240);
    expect(todo.length, todo).toBeLessThan(240);
  }
  const spanish = Object.values(textsIn('es')?.guide.entries ?? {});
  for (const { means = '', todo = '' } of spanish.flatMap((entry) => [
    entry,
    ...Object.values(entry.forms ?? {}),
  ])) {
    expect(means.length, means).toBeLessThan(280);
    expect(todo.length, todo).toBeLessThan(280);
  }
  for (const [, href] of Object.values(AGENCY_PAGES)) {
    expect(new URL(href).origin).toBe('https://www.uscis.gov');
  }
});

test('a link leads to a page in Spanish, or its name says that the page is in English', () => {
  for (const [page, [name, href]] of Object.entries(textsIn('es')?.guide.pages ?? {})) {
    expect(href.startsWith('https://www.uscis.gov/es/'), page).toBe(!name.endsWith('(en inglés)'));
    if (name.endsWith('(en inglés)'))
      expect(Object.values(AGENCY_PAGES).map(([, url]) => url)).toContain(href);
  }
});
