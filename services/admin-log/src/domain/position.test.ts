import { expect, test } from 'vitest';
import { fromCursor, isKnownTime, parseTime, toCursor } from './position.ts';

const ID = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11';
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

test.each([0, 1, Date.parse('2026-01-05T12:00:00.123Z'), LAST])(
  'a position at %i is read as it was given',
  (atMs) => {
    expect(fromCursor('older', toCursor({ atMs, id: ID }))).toEqual({ atMs, id: ID });
  },
);

test('a cursor of a time that can not be written was never given', () => {
  expect(() => fromCursor('older', toCursor({ atMs: LAST + 1, id: ID }))).toThrow(
    expect.objectContaining({ code: 'VALIDATION', details: [expect.objectContaining({ path: 'older' })] }),
  );
});

test('times are those of the years 1 to 9999; others are the nearest of them', () => {
  expect([FIRST - 1, FIRST, LAST, LAST + 1].map(isKnownTime)).toEqual([false, true, true, false]);
  expect(parseTime('0000-06-01T00:00:00Z')).toBe(FIRST);
  expect(parseTime('9999-12-31T23:59:59-12:00')).toBe(LAST);
  expect(parseTime('2026-01-05T12:00:00+02:00')).toBe(Date.parse('2026-01-05T10:00:00Z'));
});
