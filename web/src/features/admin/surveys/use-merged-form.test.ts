import { expect, it } from 'vitest';
import { differences } from './use-merged-form.ts';

const FIELDS = ['title', 'description', 'isActive', 'startDate'] as const;
const base = { title: 'Old', description: 'Old', isActive: false, startDate: '2026-01-01' };

it('names what another administrator changed and the form would take back, in order, with what is there', () => {
  const mine = { ...base, title: 'Mine' };
  const newer = { ...base, title: 'Theirs', isActive: true, startDate: '' };
  expect(differences(FIELDS, base, mine, newer)).toEqual([
    { field: 'title', newer: 'Theirs' },
    { field: 'isActive', newer: 'on' },
    { field: 'startDate', newer: '(empty)' },
  ]);
});

it('leaves out what only this form changes, and what both changed alike', () => {
  const mine = { ...base, title: 'Mine', description: 'Same' };
  expect(differences(FIELDS, base, mine, { ...base, description: 'Same' })).toEqual([]);
});
