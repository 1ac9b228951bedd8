import { expect, test } from 'vitest';
import { compareStatus } from './compare-status.ts';

const seen = (status: string, observedAtMs: number) => ({
  receiptNumber: 'EAC0000000001',
  status,
  observedAtMs,
  terminal: false,
});
const unknown = { lastStatus: null, statusObservedAtMs: null };

test('the first status is a beginning, the next different one a change', () => {
  const { newest, changes } = compareStatus(unknown, [seen('A', 1), seen('A', 2), seen('B', 3)]);
  expect(newest).toEqual(seen('B', 3));
  expect(changes).toEqual([
    { receiptNumber: 'EAC0000000001', oldStatus: 'A', newStatus: 'B', changedAtMs: 3 },
  ]);
});

test('a first status counts whatever its time', () => {
  expect(compareStatus(unknown, [seen('A', 0)]).newest).toEqual(seen('A', 0));
});

test('what is not newer than what is known says nothing', () => {
  const known = { lastStatus: 'B', statusObservedAtMs: 5 };
  expect(compareStatus(known, [seen('A', 4), seen('C', 5)])).toEqual({ newest: undefined, changes: [] });
});

test('within one batch an older observation that comes later says nothing either', () => {
  const { newest, changes } = compareStatus(unknown, [seen('A', 1), seen('C', 3), seen('B', 2)]);
  expect(newest).toEqual(seen('C', 3));
  expect(changes).toHaveLength(1);
});

test('there and back again are two changes', () => {
  const { changes } = compareStatus(unknown, [seen('A', 1), seen('B', 2), seen('A', 3)]);
  expect(changes.map(({ oldStatus, newStatus }) => `${oldStatus}${newStatus}`)).toEqual(['AB', 'BA']);
});
