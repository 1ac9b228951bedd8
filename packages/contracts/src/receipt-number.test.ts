import { expect, test } from 'vitest';
import { receiptNumber } from './cases.ts';
import { isReceiptNumber, maskReceiptNumber, normaliseReceiptNumber } from './receipt-number.ts';

test.each([
  ['EAC9999103403', true],
  ['XYZ0000000000', true],
  ['eac9999103403', false],
  ['EAC999910340', false],
  ['EAC99991034030', false],
  ['EA99999103403', false],
  ['EAC9999103403\n', false],
])('%j is a receipt number: %s', (text, expected) => expect(isReceiptNumber(text)).toBe(expected));

test.each([
  'EAC9999103403',
  ' eac-99991 03403 ',
  'e a c 9-9-9-9-1-0-3-4-0-3',
  `EAC9999103403${' '.repeat(51)}`,
])('as people type it, %j is one', (typed) => {
  expect(receiptNumber.parse(typed)).toBe('EAC9999103403');
  expect(normaliseReceiptNumber(typed)).toBe('EAC9999103403');
});

test.each(['', 'EAC', 'EAC99991034031', 'EÀC9999103403', 'EAC_9999103403', `EAC9999103403${' '.repeat(52)}`])(
  '%j is refused',
  (typed) => {
    expect(receiptNumber.safeParse(typed).error?.issues[0]?.message).toBe('receipt-number-invalid');
  },
);

test('in logs a receipt number shows its letters and its last four digits', () => {
  expect(maskReceiptNumber('EAC9999103403')).toBe('EAC******3403');
});
