import { expect, test } from 'vitest';
import { formatLastChecked, formatMoment } from './format-moment.ts';

test('a moment is shown with its day and its time of twelve hours', () => {
  expect(formatMoment(new Date(2023, 8, 5, 14, 28, 46).toISOString())).toBe('Sep 5, 2023 2:28 PM');
  expect(formatMoment(new Date(2023, 8, 15, 0, 5).toISOString())).toBe('Sep 15, 2023 12:05 AM');
});

test('a moment in a zone of its own is shown in the zone of the reader', () => {
  const inParis = '2023-09-05T14:28:46+02:00';
  expect(formatMoment(inParis)).toBe(formatMoment('2023-09-05T12:28:46Z'));
});

test('a case that was never checked says so', () => {
  expect(formatLastChecked(null)).toBe('Never');
  expect(formatLastChecked('')).toBe('Never');
});

test.each(['yesterday', '2023-99-99T00:00:00Z', '5'])('a bad moment (%s) is an invalid date', (value) => {
  expect(formatLastChecked(value)).toBe('Invalid date');
});
