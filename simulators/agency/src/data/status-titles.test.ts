import { expect, it } from 'vitest';
import { EARLY_ENDS, FORMS, REJECTIONS } from './forms.ts';
import { STATUS_DESCRIPTIONS } from './status-descriptions.ts';
import { STATUS_TITLES } from './status-titles.ts';

const titles = STATUS_TITLES.map(([english]) => english);

it('lists each title once, with a Spanish one of its own wording', () => {
  expect(new Set(titles).size).toBe(titles.length);
  for (const [english, spanish] of STATUS_TITLES) expect(spanish, english).not.toBe(english);
});

it('has every title that a made-up case can show', () => {
  const shown = [...EARLY_ENDS, ...REJECTIONS, ...FORMS.flatMap(({ journey }) => journey)];
  expect(shown.filter((title) => !titles.includes(title))).toEqual([]);
});

it('has no description that no title uses, but the one for unknown titles', () => {
  const used = new Set(STATUS_TITLES.map(([, , kind]) => String(kind)));
  expect(Object.keys(STATUS_DESCRIPTIONS).filter((kind) => !used.has(kind))).toEqual(['other']);
});
