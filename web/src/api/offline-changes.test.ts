import type { SavedCase } from '@casewatch/contracts/cases';
import { expect, test } from 'vitest';
import { applied, type OfflineChange, withChange } from './offline-changes.ts';

const RECEIPT = 'EAC9999103403';
const nickname = (wanted: string | null, before: string | null = null): OfflineChange => ({
  id: `nickname ${wanted}`,
  receiptNumber: RECEIPT,
  kind: 'nickname',
  before,
  wanted,
});
const weekly: OfflineChange = {
  id: 'weekly',
  receiptNumber: RECEIPT,
  kind: 'frequency',
  before: 'none',
  wanted: 'weekly',
};
const removal: OfflineChange = { id: 'removal', receiptNumber: RECEIPT, kind: 'removal' };

test('changes stay in the order in which they were made', () => {
  expect(withChange([nickname('Mother')], weekly)).toEqual([nickname('Mother'), weekly]);
});

test('of several nicknames of a case the last is sent, and compared with what was there before the first', () => {
  expect(withChange([nickname('Mother', 'Mom')], nickname('Ma', 'Mother'))).toEqual([nickname('Ma', 'Mom')]);
});

test('a change back to what was there is none', () => {
  expect(withChange([nickname('Mother', 'Mom')], nickname('Mom', 'Mother'))).toEqual([]);
});

test('what was done to a case before its removal does not matter any more', () => {
  const other = { ...weekly, receiptNumber: 'EAC9999103404' };
  expect(withChange([nickname('Mother'), weekly, other], removal)).toEqual([other, removal]);
});

test('cases are shown as they are once the changes are made', () => {
  const one = savedCase(RECEIPT);
  const other = savedCase('EAC9999103404');
  expect(applied([one, other], [nickname('Mother'), weekly])).toEqual([
    { ...one, nickname: 'Mother', monitoringFrequency: 'weekly' },
    other,
  ]);
  expect(applied([one, other], [removal])).toEqual([other]);
});

function savedCase(receiptNumber: string): SavedCase {
  return {
    id: receiptNumber,
    userId: 'someone',
    receiptNumber,
    nickname: null,
    monitoringFrequency: 'none',
    monitoringPausedAt: null,
    lastCheckedAt: null,
    lastKnownStatus: '',
    needsAction: false,
    statusChangedAt: null,
    formType: null,
    tags: [],
    archivedAt: null,
    snoozedUntil: null,
    createdAt: '2026-11-21T15:10:00.000Z',
  };
}
