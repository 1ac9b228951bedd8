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
  'EAC٩٩٩٩١٠٣٤٠٣',
  'EAC۹۹۹۹۱۰۳۴۰۳',
  'eac९९९९१०३४०३',
  'EAC৯৯৯৯১০৩৪০৩',
  'EAC๙๙๙๙๑๐๓๔๐๓',
  'EAC𞥙𞥙𞥙𞥙𞥑𞥐𞥓𞥔𞥐𞥓',
  '\u202bEAC \u0669\u0669\u0669\u0669-\u0661\u0660\u0663-\u0664\u0660\u0663\u202c',
  'ＥＡＣ９９９９１０３４０３',
  'ｅａｃ－９９９９－１０３４０３',
  '𝐄𝐀𝐂𝟗𝟗𝟗𝟗𝟏𝟎𝟑𝟒𝟎𝟑',
  'ЕАС9999103403',
  'еас9999103403',
  'EАC9999103403',
  'ΕΑC9999103403',
  'εαc9999103403',
  'EAC–9999—103−403',
  'EAC\u30fc9999\u2043103\u02d7403',
  'EAC\ufe0f9999\u034f10\u28003403',
  'E\u200bAC\u00a09999\u202f10\u00ad3403\ufeff',
])('as people type it, %j is one', (typed) => {
  expect(receiptNumber.parse(typed)).toBe('EAC9999103403');
  expect(normaliseReceiptNumber(typed)).toBe('EAC9999103403');
});

test.each([
  ['\u0130oe9999103403', 'IOE9999103403'],
  ['\u0131oe9999103403', 'IOE9999103403'],
  ['ΝΒС9999103403', 'NBC9999103403'],
  ['мст9999103403', 'MCT9999103403'],
  ['ԜАС9999103403', 'WAC9999103403'],
])('letters that look like Latin ones make %j %s', (typed, expected) => {
  expect(receiptNumber.parse(typed)).toBe(expected);
});

test('digits of every script keep their value', () => {
  for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
    const digits = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
    const written = digits.format(9_876_543_210);
    // Chinese numerals are no digits; two sets in one block of Unicode are left as they are.
    if (['hanidec', 'mymrepka', 'mymrpao'].includes(numberingSystem)) continue;
    expect(normaliseReceiptNumber(`EAC${written}`), numberingSystem).toBe('EAC9876543210');
  }
});

test.each([
  '',
  'EAC',
  'EAC99991034031',
  'EÀC9999103403',
  'E\u0041\u0300C9999103403',
  'ßC9999103403',
  'ЖАС9999103403',
  'EAC九九九九一〇三四〇三',
  'EAC\u{116da}999103403',
  'EAC_9999103403',
  `EAC9999103403${' '.repeat(52)}`,
])('%j is refused', (typed) => {
  expect(receiptNumber.safeParse(typed).error?.issues[0]?.message).toBe('receipt-number-invalid');
});

test('in logs a receipt number shows its letters and its last four digits', () => {
  expect(maskReceiptNumber('EAC9999103403')).toBe('EAC******3403');
});
