import type { Watch } from '@casewatch/contracts/monitoring';
import { expect, test } from 'vitest';
import { pausedWords, watchWords } from './watch-words.ts';

const AT = new Date(2026, 10, 21, 15, 10).getTime();
const TOMORROW = new Date(2026, 10, 22, 15, 10).toISOString();
const EARLIER = new Date(AT - 30_000).toISOString();

const watch = (given: Partial<Watch>): Watch => ({
  receiptNumber: 'EAC9999103403',
  frequency: 'daily',
  lastCheckedAt: null,
  nextCheckAt: TOMORROW,
  late: null,
  ...given,
});
const words = (given: Partial<Watch>) => watchWords(watch(given), 'daily', AT);

test('a check that is planned is shown with its day and time', () => {
  expect(words({})).toEqual({ next: 'Next check Nov 22, 2026 3:10 PM', short: 'Nov 22' });
});

test('a check that is due waits for its turn', () => {
  expect(words({ nextCheckAt: EARLIER })).toEqual({ next: 'Check queued', short: 'queued' });
});

test('a case that waits longer than usual says why', () => {
  const reason = 'Older checks run first.';
  expect(words({ nextCheckAt: EARLIER, late: { code: 'QUEUED', reason } })).toEqual({
    reason,
    next: 'Check queued',
    short: 'late',
  });
});

test('a failed check says why, and when the next try is', () => {
  const reason = 'The agency is limiting requests right now. We will keep trying.';
  expect(words({ late: { code: 'AGENCY_BUSY', reason } })).toEqual({
    reason,
    next: 'Next check Nov 22, 2026 3:10 PM',
    short: 'late',
  });
});

test('nothing is shown of a schedule that a change of frequency has overtaken', () => {
  const late = { code: 'AGENCY_BUSY', reason: 'The agency is limiting requests right now.' } as const;
  expect(watchWords(watch({ late }), 'weekly', AT)).toEqual({
    next: 'Being scheduled',
    short: 'Being scheduled',
  });
  expect(watchWords(undefined, 'daily', AT)).toEqual({ next: 'Being scheduled', short: 'Being scheduled' });
});

test('what Pro ran is paused while it has ended, and about to resume once it is back', () => {
  const monitoringPausedAt = EARLIER;
  const saved = { monitoringFrequency: 'daily', archivedAt: null } as const;
  expect(pausedWords({ ...saved, monitoringPausedAt }, 'free')).toBe('Paused: Pro ended');
  expect(pausedWords({ ...saved, monitoringPausedAt }, 'pro')).toBe('Resumes in a moment');
  expect(pausedWords({ ...saved, monitoringPausedAt: null }, 'free')).toBeUndefined();
});

test('an archived case is not being scheduled, and does not resume with Pro', () => {
  const archived = { monitoringFrequency: 'daily', archivedAt: EARLIER } as const;
  for (const monitoringPausedAt of [null, EARLIER]) {
    expect(pausedWords({ ...archived, monitoringPausedAt }, 'pro')).toBe('Not checked while archived');
  }
  const unwatched = { ...archived, monitoringFrequency: 'none', monitoringPausedAt: null } as const;
  expect(pausedWords(unwatched, 'pro')).toBeUndefined();
});
