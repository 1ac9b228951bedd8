import { expect, test } from 'vitest';
import { isRealDay, readCaseDates, type WrittenDate, writeCaseDates } from './case-date-kinds.ts';

test('what is written into a cell is read from it again, whatever the label says', () => {
  const dates: WrittenDate[] = [
    { kind: 'respond-by', day: '2026-12-24', label: 'RFE; see page 2: both sides', done: false },
    { kind: 'interview', day: '2026-11-02', done: true },
    { kind: 'own', day: '2027-01-01', label: 'done', done: true },
  ];
  expect(readCaseDates(writeCaseDates(dates))).toEqual(dates);
  expect(readCaseDates('')).toEqual([]);
});

test('a day in a label is no other date, and the cell can be read', () => {
  const written = (label: string) =>
    writeCaseDates([{ kind: 'respond-by', day: '2026-12-24', label, done: false }]);
  const read = (label: string) => [{ kind: 'respond-by', day: '2026-12-24', label, done: false }];
  expect(readCaseDates(written('closed; 2026-12-25 holiday'))).toEqual(read('closed, 2026-12-25 holiday'));
  expect(readCaseDates(written('not; hearing 2026-12-25'))).toEqual(read('not, hearing 2026-12-25'));
});

test('a day alone is read as an own date', () => {
  expect(readCaseDates(' 2026-12-24 ; Hearing 2026-12-25; ')).toEqual([
    { kind: 'own', day: '2026-12-24', done: false },
    { kind: 'hearing', day: '2026-12-25', done: false },
  ]);
});

test.each(['soon', 'respond-by 2026-02-31', 'birthday 2026-01-01', '2026-12-24; soon 5', '12/24/2026'])(
  '%j is not read as dates',
  (cell) => {
    expect(readCaseDates(cell)).toBeUndefined();
  },
);

test('a day is real in its month and year', () => {
  expect(['2028-02-29', '1900-01-01', '2199-12-31'].every(isRealDay)).toBe(true);
  expect(['2027-02-29', '1899-12-31', '2200-01-01', '2026-00-10', '2026-04-31'].some(isRealDay)).toBe(false);
});
