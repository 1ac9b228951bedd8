import { expect, test } from 'vitest';
import { formatAgencyDate } from './format-agency-date.ts';

test.each([
  ['09-05-2023 14:28:46', 'Sep 5, 2023'],
  ['12-31-2023 23:59:59', 'Dec 31, 2023'],
  ['2023-09-05', 'Sep 5, 2023'],
  ['2024-02-29', 'Feb 29, 2024'],
  ['2023-09-05 00:00:00', 'Sep 5, 2023'],
  [' 2023-09-05 ', 'Sep 5, 2023'],
])('%s, as the agency writes it, is shown as %s', (written, shown) => {
  expect(formatAgencyDate(written)).toBe(shown);
});

test.each([
  'September 5, 2023',
  '2023-13-05',
  '2023-02-30',
  '13-05-2023 10:00:00',
  '05/09/2023',
  '2023-09-05T10:00:00Z',
])('an unreadable %s is shown as it came', (written) => {
  expect(formatAgencyDate(written)).toBe(written);
});

test.each([null, '', '  '])('a missing date (%j) is shown as not provided', (written) => {
  expect(formatAgencyDate(written)).toBe('Not provided');
});

test('a time that daylight saving skips keeps its day', () => {
  expect(formatAgencyDate('03-10-2024 02:30:00')).toBe('Mar 10, 2024');
});
