import { expect, test } from 'vitest';
import { receiptLines } from './receipt-lines.ts';

test('each line that is not blank is one receipt number, trimmed and in upper case', () => {
  expect(receiptLines('  eac9999103403 \n\n\t\nLIN9999106498\r\nsrc-99991-02777')).toEqual({
    receiptNumbers: ['EAC9999103403', 'LIN9999106498', 'SRC9999102777'],
    invalidCount: 0,
  });
});

test('lines that are not 3 letters and 10 digits are counted as invalid', () => {
  const { receiptNumbers, invalidCount } = receiptLines('EAC9999103403\nEAC99991034\nhello\nEAC*123456789');
  expect(receiptNumbers).toHaveLength(4);
  expect(invalidCount).toBe(3);
});

test('an empty box holds nothing', () => {
  expect(receiptLines(' \n \n')).toEqual({ receiptNumbers: [], invalidCount: 0 });
});
