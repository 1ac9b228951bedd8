import { expect, test } from 'vitest';
import { formatAge, formatDayAndTime, formatLastChecked, formatMoment } from './format-moment.ts';

test('a moment is shown with its day and its time of twelve hours', () => {
  expect(formatMoment(new Date(2023, 8, 5, 14, 28, 46).toISOString())).toBe('Sep 5, 2023 2:28 PM');
  expect(formatMoment(new Date(2023, 8, 15, 0, 5).toISOString())).toBe('Sep 15, 2023 12:05 AM');
});

test('a moment in a zone of its own is shown in the zone of the reader', () => {
  const inParis = '2023-09-05T14:28:46+02:00';
  expect(formatMoment(inParis)).toBe(formatMoment('2023-09-05T12:28:46Z'));
});

test('the time is shown with its day and twelve hours', () => {
  expect(formatDayAndTime(new Date(2023, 8, 5, 14, 28, 46).toISOString())).toBe('Sep 5, 2:28 PM');
  expect(formatDayAndTime(new Date(2023, 8, 15, 0, 5).toISOString())).toBe('Sep 15, 12:05 AM');
});

test('a case that was never checked says so', () => {
  expect(formatLastChecked(null)).toBe('Never');
  expect(formatLastChecked('')).toBe('Never');
});

test.each(['yesterday', '2023-99-99T00:00:00Z', '5'])('a bad moment (%s) is an invalid date', (value) => {
  expect(formatLastChecked(value)).toBe('Invalid date');
  expect(formatDayAndTime(value)).toBe('Invalid date');
});

const THEN = '2026-03-01T12:00:00.000Z';
const after = (ms: number) => Date.parse(THEN) + ms;

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [3_600_000, '1 hour ago'],
  [86_399_000, '23 hours ago'],
  [86_400_000, '1 day ago'],
  [10 * 86_400_000, '10 days ago'],
])('%d ms later it was %s', (ms, text) => {
  expect(formatAge(THEN, after(ms))).toBe(text);
});

test('a moment a little ahead of a slow clock was just now', () => {
  expect(formatAge(THEN, after(-5_000))).toBe('just now');
});

test('a bad moment has no age', () => {
  expect(formatAge('soon', after(0))).toBe('at an unknown time');
});
