import { STATUS_TITLES } from '@casewatch/agency-simulator/data/status-titles';
import { expect, test } from 'vitest';
import { AGENCY_PAGES } from './guide-pages.ts';
import { GUIDE_ENTRIES, guidanceFor } from './status-guide.ts';

const TITLES = STATUS_TITLES.map(([english]) => english);

test('every known status title has a plain-language text, and no title has two', () => {
  expect(TITLES.filter((title) => !guidanceFor(title, '').isKnown)).toEqual([]);
  const explained = GUIDE_ENTRIES.flatMap(({ titles }) => titles);
  expect(explained.filter((title) => !TITLES.includes(title))).toEqual([]);
  expect(new Set(explained).size).toBe(explained.length);
});

test('an unknown title is said to be unknown, and the agency’s words come first', () => {
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

test('texts are short, and lead to a page of the agency', () => {
  const texts = GUIDE_ENTRIES.flatMap((entry) => [entry, ...Object.values(entry.forms ?? {})]);
  for (const { means = '', todo = '' } of texts) {
    expect(means.length, means).toBeLessThan(240);
    expect(todo.length, todo).toBeLessThan(240);
  }
  for (const [, href] of Object.values(AGENCY_PAGES)) {
    expect(new URL(href).origin).toBe('https://www.uscis.gov');
  }
});
