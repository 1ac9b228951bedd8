import { expect, test } from 'vitest';
import { lateCodeOf, latenessOf, type WatchState } from './lateness.ts';

const NOW_MS = 10_000_000;
const MINUTE_MS = 60_000;
const DUE: WatchState = { nextCheckAtMs: NOW_MS, owedSinceMs: null, attempts: 0, lastFailure: null };
const codeOf = (watch: Partial<WatchState>, queueFailure: string | null = null) =>
  latenessOf({ ...DUE, ...watch }, queueFailure, NOW_MS)?.code;

test('a watch is late when it waits for more than a minute since its check was owed', () => {
  expect(codeOf({ nextCheckAtMs: NOW_MS - MINUTE_MS })).toBeUndefined();
  expect(codeOf({ nextCheckAtMs: NOW_MS - MINUTE_MS - 1 })).toBe('QUEUED');
  expect(codeOf({ owedSinceMs: NOW_MS - MINUTE_MS - 1, nextCheckAtMs: NOW_MS + MINUTE_MS })).toBe('QUEUED');
});

test('a failed check and an answer without a status are reported at once', () => {
  expect(codeOf({ attempts: 1, lastFailure: 'AGENCY_BUSY' })).toBe('AGENCY_BUSY');
  expect(codeOf({ lastFailure: 'AGENCY_BUSY' })).toBeUndefined();
  for (const lastFailure of ['AGENCY_REFUSED', 'RECEIPT_NOT_RECOGNIZED']) {
    expect(codeOf({ lastFailure })).toBe(lastFailure);
  }
});

test('a late watch has its own reason, else that of the head of the queue unless that is about another case', () => {
  const late = { nextCheckAtMs: NOW_MS - 2 * MINUTE_MS };
  expect(codeOf({ ...late, lastFailure: 'UNAVAILABLE' }, 'BUDGET_SPENT')).toBe('UNAVAILABLE');
  expect(codeOf(late, 'BUDGET_SPENT')).toBe('BUDGET_SPENT');
  expect(codeOf(late, 'AGENCY_REFUSED')).toBe('QUEUED');
  expect(codeOf(late, 'RECEIPT_NOT_RECOGNIZED')).toBe('QUEUED');
});

test('an unknown code means that the agency gave no answer', () => {
  expect(lateCodeOf('BUDGET_SPENT')).toBe('BUDGET_SPENT');
  expect(lateCodeOf('SOMETHING_NEW')).toBe('AGENCY_UNAVAILABLE');
  expect(lateCodeOf(undefined)).toBe('AGENCY_UNAVAILABLE');
});
