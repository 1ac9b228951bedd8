import { expect, test } from 'vitest';
import { parseAgencyDate } from './agency-date.ts';

test.each([
  ['09-05-2023 14:28:46', '2023-09-05T14:28:46.000Z'],
  ['12-31-2023 23:59:59', '2023-12-31T23:59:59.000Z'],
  [' 2023-09-05 ', '2023-09-05T00:00:00.000Z'],
  ['2023-09-05', '2023-09-05T00:00:00.000Z'],
  ['2023-09-05 14:28:46', '2023-09-05T14:28:46.000Z'],
])('%s is read', (text, iso) => {
  expect(new Date(parseAgencyDate(text) ?? 0).toISOString()).toBe(iso);
});

test.each([
  '',
  'yesterday',
  '13-05-2023 14:28:46',
  '02-30-2023 10:00:00',
  '2023-02-29',
  '2023-09-05T14:28:46Z',
  '2023-09-05 24:00:00',
  '2023-09-05 14:60:00',
  '2023-09-05 14:28:60',
  'on 2023-09-05',
  '2023-09-05 or so',
])('"%s" is no date', (text) => {
  expect(parseAgencyDate(text)).toBeUndefined();
});
