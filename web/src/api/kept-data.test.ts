import { expect, test } from 'vitest';
import { isKept, withinSize } from './kept-data.ts';
import {
  bulkQueryKey,
  caseStatusQueryKey,
  chosenCasesQueryKey,
  pagesQueryKey,
  removedCasesQueryKey,
  watchesQueryKey,
} from './saved-case-data.ts';

test.each([
  [[...pagesQueryKey, { sort: 'added', order: 'desc' }]],
  [[...chosenCasesQueryKey, 'EAC9999103403']],
  [caseStatusQueryKey('EAC9999103403')],
])('%j is kept for reading offline', (queryKey) => {
  expect(isKept(queryKey)).toBe(true);
});

test.each([
  [['me']],
  [watchesQueryKey],
  [removedCasesQueryKey],
  [bulkQueryKey(['EAC9999103403'])],
  [['notifications']],
  [['subscription']],
  [['surveys']],
  [['logs', {}, 1]],
])('%j is not', (queryKey) => {
  expect(isKept(queryKey)).toBe(false);
});

test('what is kept stays within a size: the newest answers first', () => {
  const answer = (name: string, updatedAt: number, length: number) => ({
    queryKey: ['case-status', name],
    data: 'x'.repeat(length),
    updatedAt,
  });
  const kept = withinSize([answer('old', 1, 100), answer('new', 3, 100), answer('middle', 2, 100)], 300);
  expect(kept.map(({ queryKey }) => queryKey[1])).toEqual(['new', 'middle']);
});
