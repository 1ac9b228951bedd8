import type { SavedCase } from '@casewatch/contracts/cases';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';
import { expect, test } from 'vitest';
import { afterChanges, inParts, undoOf } from './undo-change.ts';

const [ONE, TWO, THREE] = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405'];
const receiptNumbers = [ONE, TWO, THREE];

const saved = (receiptNumber: string, facts: Partial<SavedCase>): [string, SavedCase] => [
  receiptNumber,
  {
    id: receiptNumber,
    userId: 'someone',
    receiptNumber,
    nickname: null,
    monitoringFrequency: 'none',
    monitoringPausedAt: null,
    lastCheckedAt: null,
    lastKnownStatus: null,
    needsAction: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    tags: [],
    archivedAt: null,
    snoozedUntil: null,
    formType: null,
    statusChangedAt: null,
    ...facts,
  },
];
const outcomes = (...list: BulkOutcome['outcome'][]): BulkOutcome[] =>
  list.map((outcome, nth) => ({ receiptNumber: receiptNumbers[nth] ?? '', outcome }));

test('only what took effect is taken back', () => {
  const before = new Map([saved(ONE, {}), saved(TWO, {}), saved(THREE, {})]);
  const undo = undoOf(
    { action: 'remove', receiptNumbers },
    before,
    outcomes('changed', 'refused', 'changed'),
  );
  expect(undo).toEqual([{ action: 'restore', receiptNumbers: [ONE, THREE] }]);
  expect(undoOf({ action: 'archive', receiptNumbers }, before, outcomes('unchanged'))).toEqual([]);
});

test('each case gets back the frequency that it had', () => {
  const before = new Map([
    saved(ONE, { monitoringFrequency: 'daily' }),
    saved(TWO, { monitoringFrequency: 'none' }),
    saved(THREE, { monitoringFrequency: 'daily' }),
  ]);
  const change: BulkChange = { action: 'setFrequency', receiptNumbers, monitoringFrequency: 'weekly' };
  expect(undoOf(change, before, outcomes('changed', 'changed', 'changed'))).toEqual([
    {
      action: 'setFrequency',
      monitoringFrequency: 'daily',
      receiptNumbers: [ONE, THREE],
      evenIfPaused: true,
    },
    { action: 'setFrequency', monitoringFrequency: 'none', receiptNumbers: [TWO] },
  ]);
});

test('each case is snoozed again as it was, or awake', () => {
  const until = '2026-03-01T00:00:00.000Z';
  const before = new Map([saved(ONE, {}), saved(TWO, { snoozedUntil: until }), saved(THREE, {})]);
  const change: BulkChange = { action: 'snooze', receiptNumbers, snoozedUntil: '2026-06-01T00:00:00.000Z' };
  expect(undoOf(change, before, outcomes('changed', 'changed', 'changed'))).toEqual([
    { action: 'snooze', snoozedUntil: null, receiptNumbers: [ONE, THREE] },
    { action: 'snooze', snoozedUntil: until, receiptNumbers: [TWO] },
  ]);
});

test('tags that a case had before stay, and removed ones come back as they were written', () => {
  const before = new Map([saved(ONE, { tags: ['Family'] }), saved(TWO, { tags: [] })]);
  const tags = ['family', 'urgent'];
  expect(undoOf({ action: 'addTags', receiptNumbers, tags }, before, outcomes('changed', 'changed'))).toEqual(
    [
      { action: 'removeTags', tags: ['urgent'], receiptNumbers: [ONE] },
      { action: 'removeTags', tags: ['family', 'urgent'], receiptNumbers: [TWO] },
    ],
  );
  expect(undoOf({ action: 'removeTags', receiptNumbers, tags }, before, outcomes('changed'))).toEqual([
    { action: 'addTags', tags: ['Family'], receiptNumbers: [ONE] },
  ]);
});

test('many cases go in requests of 500', () => {
  const many = Array.from({ length: 1_001 }, (_, nth) => `SRC${2_190_000_000 + nth}`);
  expect(
    inParts({ action: 'archive', receiptNumbers: many }).map((part) => part.receiptNumbers.length),
  ).toEqual([500, 500, 1]);
});

test('cases that left the list, or are not found, are not selected any more; those that refused are', () => {
  const before = new Map([saved(ONE, {}), saved(TWO, {}), saved(THREE, {})]);
  const results: BulkOutcome[] = [
    { receiptNumber: ONE, outcome: 'changed' },
    { receiptNumber: TWO, outcome: 'refused', code: 'UNAVAILABLE', error: 'Not now.' },
    { receiptNumber: THREE, outcome: 'refused', code: 'SAVED_CASE_NOT_FOUND', error: 'Not saved.' },
  ];
  for (const action of ['archive', 'unarchive', 'remove'] as const)
    expect([...afterChanges(before, [{ action, receiptNumbers }], results).keys()]).toEqual([TWO]);
  const tagging: BulkChange = { action: 'addTags', receiptNumbers, tags: ['Mom'] };
  expect([...afterChanges(before, [tagging], results).keys()]).toEqual([ONE, TWO]);
});

test('after several changes each case gets back what it had before the last', () => {
  const first: BulkChange = { action: 'setFrequency', receiptNumbers, monitoringFrequency: 'weekly' };
  const tagging: BulkChange = { action: 'addTags', receiptNumbers, tags: ['Mom'] };
  const snoozing: BulkChange = { action: 'snooze', receiptNumbers, snoozedUntil: '2026-03-01T00:00:00.000Z' };
  const before = new Map([saved(ONE, { tags: ['Work'] }), saved(TWO, { tags: ['mom'] })]);
  const results = outcomes('changed', 'refused');
  const after = afterChanges(before, [first, tagging, snoozing], results);
  expect(after.get(ONE)).toMatchObject({
    monitoringFrequency: 'weekly',
    tags: ['Work', 'Mom'],
    snoozedUntil: '2026-03-01T00:00:00.000Z',
  });
  expect(after.get(TWO)).toEqual(before.get(TWO));
  const untagging: BulkChange = { action: 'removeTags', receiptNumbers: [ONE], tags: ['mom'] };
  expect(undoOf(untagging, after, outcomes('changed'))).toEqual([
    { action: 'addTags', tags: ['Mom'], receiptNumbers: [ONE] },
  ]);
  expect(afterChanges(after, [untagging], outcomes('changed')).get(ONE)?.tags).toEqual(['Work']);
});
