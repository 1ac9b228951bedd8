import { expect, test } from 'vitest';
import { changesOfWatchers, compareStatus, type SeenStatus } from './compare-status.ts';

const seen = (status: string, observedAtMs: number) => ({
  receiptNumber: 'EAC0000000001',
  status,
  observedAtMs,
  terminal: false,
});

test('the first status is a beginning, the next different one a change', () => {
  const { newest, changes } = compareStatus(undefined, [seen('A', 1), seen('A', 2), seen('B', 3)]);
  expect(newest).toEqual(seen('B', 3));
  expect(changes).toEqual([
    { receiptNumber: 'EAC0000000001', oldStatus: 'A', newStatus: 'B', oldObservedAtMs: 2, changedAtMs: 3 },
  ]);
});

test('a first status counts whatever its time', () => {
  expect(compareStatus(undefined, [seen('A', 0)]).newest).toEqual(seen('A', 0));
});

test('what is not newer than what is known says nothing', () => {
  const known = { status: 'B', observedAtMs: 5 };
  expect(compareStatus(known, [seen('A', 4), seen('C', 5)])).toEqual({ newest: undefined, changes: [] });
});

test('within one batch an older observation that comes later says nothing either', () => {
  const { newest, changes } = compareStatus(undefined, [seen('A', 1), seen('C', 3), seen('B', 2)]);
  expect(newest).toEqual(seen('C', 3));
  expect(changes).toHaveLength(1);
});

test('there and back again are two changes', () => {
  const { changes } = compareStatus(undefined, [seen('A', 1), seen('B', 2), seen('A', 3)]);
  expect(changes.map(({ oldStatus, newStatus }) => `${oldStatus}${newStatus}`)).toEqual(['AB', 'BA']);
});

const watch = { status: 'A', observedAtMs: 5 };
const changesOf = (known: SeenStatus | undefined, shown: SeenStatus | undefined, ...next: string[]) =>
  changesOfWatchers(
    known,
    next.map((status, n) => seen(status, 10 + n)),
    [{ userId: 'ada', sinceMs: 0, seen: shown }],
  ).map(({ userId, oldStatus, newStatus }) => `${userId} ${oldStatus}${newStatus}`);

test.each([
  ['nothing', undefined],
  ['something older', { status: 'B', observedAtMs: 4 }],
  ['something of the same time', { status: 'B', observedAtMs: 5 }],
])('the changes of a watcher lead from what the watch knows, who has seen %s', (_, shown) => {
  expect(changesOf(watch, shown, 'B', 'C')).toEqual(['ada AB', 'ada BC']);
  expect(changesOf(watch, shown, 'A')).toEqual([]);
});

test('the changes of a watcher who has seen something newer lead from there', () => {
  const shown = { status: 'B', observedAtMs: 6 };
  expect(changesOf(watch, shown, 'B')).toEqual([]);
  expect(changesOf(watch, shown, 'A', 'C')).toEqual(['ada BA', 'ada AC']);
  expect(changesOf(watch, { status: 'B', observedAtMs: 10 }, 'C', 'D')).toEqual(['ada BD']);
});

test('the first status of a watch changes nothing, whatever its watchers have seen', () => {
  expect(changesOf(undefined, { status: 'B', observedAtMs: 6 }, 'A')).toEqual([]);
});

test('a watcher gets no change from before the beginning', () => {
  const watchers = [11, 10].map((sinceMs) => ({ userId: `${sinceMs}`, sinceMs, seen: undefined }));
  expect(changesOfWatchers(watch, [seen('B', 10)], watchers)).toMatchObject([{ userId: '10' }]);
});
