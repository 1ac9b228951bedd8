import { expect, test } from 'vitest';
import { putCaseDate, removeCaseDate } from './saved-case-dates.ts';

test('the id of a date is the same in capitals, as some clients write it', () => {
  const written = { receiptNumber: 'EAC9999103403', id: '6B29FC40-CA47-4067-B31D-00DD010662DA' };
  for (const { params } of [putCaseDate, removeCaseDate])
    expect(params?.parse(written).id).toBe(written.id.toLowerCase());
});
