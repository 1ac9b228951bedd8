import { expect, it } from 'vitest';
import { descriptionKind, SPANISH_TITLES } from './description-kinds.ts';
import { EARLY_ENDS, FORMS, REJECTIONS } from './forms.ts';
import { STATUS_DESCRIPTIONS } from './status-descriptions.ts';

const titles = [...SPANISH_TITLES.keys()];

it('has a description for every title, and none that no title uses but the one for unknown titles', () => {
  const used = new Set<string>(titles.map(descriptionKind));
  expect(used).not.toContain('other');
  expect(Object.keys(STATUS_DESCRIPTIONS).filter((kind) => !used.has(kind))).toEqual(['other']);
});

it('has every title that a made-up case can show', () => {
  const shown = [...EARLY_ENDS, ...REJECTIONS, ...FORMS.flatMap(({ journey }) => journey)];
  expect(shown.filter((title) => !titles.includes(title))).toEqual([]);
});
