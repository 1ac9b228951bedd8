import { expect, test } from 'vitest';
import { parseAgencyDate } from './agency-date.ts';

test.each([
  ['09-05-2023 14:28:46', '2023-09-05T14:28:46.000Z'],
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
])('"%s" is no date', (text) => {
  expect(parseAgencyDate(text)).toBeUndefined();
});
