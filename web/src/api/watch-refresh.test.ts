import type { Watch } from '@casewatch/contracts/monitoring';
import { expect, test } from 'vitest';
import { isWatched, readAgainInMs, wereChecked } from './watch-refresh.ts';

const NOW = Date.parse('2026-11-21T15:10:00.000Z');
const MINUTE_MS = 60_000;
const iso = (atMs: number) => new Date(atMs).toISOString();

const watch = (given: Partial<Watch> = {}): Watch => ({
  receiptNumber: 'EAC9999103403',
  frequency: 'daily',
  lastCheckedAt: iso(NOW - MINUTE_MS),
  nextCheckAt: iso(NOW + 24 * 60 * MINUTE_MS),
  late: null,
  ...given,
});
const saved = (monitoringFrequency: Watch['frequency'], receiptNumber = 'EAC9999103403') => ({
  receiptNumber,
  monitoringFrequency,
  monitoringPausedAt: null,
  archivedAt: null,
});

test('with nothing ahead the watches are read every minute', () => {
  expect(readAgainInMs([watch()], [saved('daily')], NOW)).toBe(MINUTE_MS);
  expect(readAgainInMs([], [saved('none')], NOW)).toBe(MINUTE_MS);
});

test('they are read shortly after the first of them is due', () => {
  const watches = [watch(), watch({ receiptNumber: 'EAC9999103404', nextCheckAt: iso(NOW + 20_000) })];
  const cases = [saved('daily'), saved('daily', 'EAC9999103404')];
  expect(readAgainInMs(watches, cases, NOW)).toBe(23_000);
});

test('while a check is in progress they are read soon, and no longer once it is late', () => {
  const due = watch({ nextCheckAt: iso(NOW - 30_000) });
  expect(readAgainInMs([due], [saved('daily')], NOW)).toBe(3_000);
  const late = watch({ ...due, late: { code: 'QUEUED', reason: 'Older checks run first.' } });
  expect(readAgainInMs([late], [saved('daily')], NOW)).toBe(MINUTE_MS);
});

test('a frequency that has not reached the scheduler yet is read at once', () => {
  expect(readAgainInMs([], [saved('weekly')], NOW)).toBe(1_000);
  expect(readAgainInMs([watch()], [saved('weekly')], NOW)).toBe(1_000);
});

test('a check since the answer before is noticed', () => {
  const before = [watch({ lastCheckedAt: null })];
  expect(wereChecked(before, [watch()])).toBe(true);
  expect(wereChecked([watch()], [watch({ nextCheckAt: iso(NOW) })])).toBe(false);
});

test('a watch that has come is no check, unless it was checked already', () => {
  expect(wereChecked([], [watch({ lastCheckedAt: null })])).toBe(false);
  expect(wereChecked([], [watch()])).toBe(true);
});

test('after the first answer the cases may have been checked, if any is watched', () => {
  expect(wereChecked(undefined, [watch()])).toBe(true);
  expect(wereChecked(undefined, [])).toBe(false);
});

test('a paused case is not waited for', () => {
  const paused = { ...saved('daily'), monitoringPausedAt: '2026-11-20T12:00:00.000Z' };
  expect(readAgainInMs([], [paused], 0)).toBe(readAgainInMs([], [saved('none')], 0));
});

test('an archived case, which has no watch, is not waited for', () => {
  const archived = { ...saved('daily'), archivedAt: '2026-11-20T12:00:00.000Z' };
  expect(readAgainInMs([], [archived], NOW)).toBe(MINUTE_MS);
  expect(isWatched(archived)).toBe(false);
  expect(isWatched(saved('daily'))).toBe(true);
});
