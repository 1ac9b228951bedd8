import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findReceiptNumbers, readReceiptLines, withoutEntry } from './find-receipt-numbers.ts';
import { onlyReceiptNumberIn, receiptNumbersIn, TEXT_MAX } from './receipt-findings.ts';

const ONE = 'EAC9999103403';
const TWO = 'LIN9999106498';
const numbersIn = (text: string) => findReceiptNumbers(text).receiptNumbers;

test.each([
  ['a label', `Receipt Number: ${ONE}`],
  ['a label without a space', `Receipt#:${ONE}.`],
  ['small letters', 'your case eac9999103403, thank you'],
  ['spaces as on a notice', 'Receipt EAC 99 991 03403 of'],
  ['hyphens', 'EAC-99-991-03403'],
  ['other dashes', 'EAC\u201199\u2013991\u2014034\u221203'],
  ['spaces that do not break', 'EAC\u00a099\u202f991\u00a003403'],
  ['invisible characters', '\ufeffEAC\u200b9999\u200d10\u00ad3403\u2060'],
  ['wide characters', 'ＥＡＣ９９９９１０３４０３'],
  ['digits of another script', 'رقم الإيصال: EAC٩٩٩٩١٠٣٤٠٣'],
  ['digits and spaces of another script', 'रसीद EAC ९९ ९९१ ०३४०३'],
  ['Cyrillic letters', 'дело ЕАС9999103403, срок'],
  ['small Cyrillic letters', 'еас 99 991 03403'],
  ['Greek letters', 'Αριθμός: ΕΑC9999103403'],
  ['one letter of another alphabet', 'EАC9999103403'],
  ['asterisks', 'EAC*99*991*03403'],
  ['dots and underscores', 'EAC.99_991~03403'],
  ['a colon after the letters', 'EAC: 9999103403'],
  ['a number sign after the letters', 'EAC# 99-991-03403'],
  ['bullets and long vowels for hyphens', 'EAC\u204399\u02d7991\u30fc03403'],
  ['invisible characters that change others', 'EAC\ufe0f9999\u034f10\u28003403'],
  ['a line end after a hyphen', 'Case EAC-99-991-\r\n03403, please'],
  ['a line end in the digits', 'Receipt EAC99991\n03403 was received'],
  ['a line end of quoted-printable', 'Receipt: EAC9999=\r\n103403'],
  ['a line end in quoted text', '> your case EAC 99 991\n> 03403.'],
  ['a line end after the letters', 'EAC-\n9999103403'],
  ['a row of a table', `"Ada","${ONE}","I-130";2023-09-05`],
  ['semicolons', `;${ONE};`],
  ['the next cell of a table', `${ONE}\t09/05/2023`],
  ['the cell before it', `1\tEAC 99 991 03403\t2023-09-05`],
  ['the groups of a notice, and a date', 'EAC-99-991-03403 04/01/2021'],
  ['the groups of a notice, and a page', 'EAC 99 991 03403 2 of 3'],
  ['other groups, and a date', 'EAC 999 910 3403 04/01/2021'],
  ['a date after a space', `${ONE} 09/05/2023`],
  ['a number of copies', `${ONE}-2.pdf`],
  ['markup', `<td>${ONE}</td>`],
  ['an address', `https://example.test/cases/${ONE}?x=1`],
])('%s around or in a receipt number does not matter', (_what, text) => {
  expect(numbersIn(text)).toEqual([ONE]);
});

test.each([
  ['nothing', `${ONE}${TWO}`],
  ['nothing, in small letters', `case ${ONE}${TWO}`.toLowerCase()],
  ['a line end', `${ONE}\n${TWO}`],
  ['a hyphen', `${ONE}-${TWO}`],
  ['the numbers of a list', `1. ${ONE} 2. ${TWO}`],
  ['the numbers of a list and groups', '01. EAC 99 991 03403 02. LIN 99 991 06498'],
])('two receipt numbers with %s between are two', (_what, text) => {
  expect(numbersIn(text)).toEqual([ONE, TWO]);
});

test.each(['EAC99991034\n03/05/2023', 'NSC\n800-375-5283', 'EAC9999103\n4034', 'EAC9999\n103 EAC 403'])(
  'lines that make no number together stay apart: %j',
  (text) => {
    expect(numbersIn(text)).toEqual([]);
  },
);

test('the numbers of a letter are found in its order, each once', () => {
  const letter = `Dear Ada,

    we received your Form I-485 (${TWO.toLowerCase()}) on 09/05/2023, filed with ${ONE}.
    For questions about ${TWO} call 800-375-5283 or write to P.O. Box 660867, Dallas, TX 75266-0867.
    Fax 555 123 4567. The 5551234567 is our number, A-Number 123-456-789, ZIP+4 12345-6789.`;
  expect(findReceiptNumbers(letter)).toMatchObject({ receiptNumbers: [TWO, ONE], duplicates: 1 });
});

test.each([
  ['A-Number: A123456789', ['A123456789']],
  ['A-Number A 123-456-789, USCIS account', ['A 123-456-789']],
  ['Alien number 123 456 789.', ['123 456 789']],
  ['Passport G12345678 (Mexico), AB1234567 (Cuba)', ['G12345678', 'AB1234567']],
  ['Reisepass C01X00T47', ['C01X00T47']],
  ['IBAN ES9121000418450200051332', ['ES9121000418450200051332']],
  ['call (800) 375-5283 or +1 212 555 0100', ['(800) 375-5283', '+1 212 555 0100']],
  ['NSC 800-375-5283, CSC: 949.389.3000', ['800-375-5283', '949.389.3000']],
  ['born 05/14/1983, filed 2023-09-05', ['05/14/1983', '2023-09-05']],
  ['جواز السفر A١٢٣٤٥٦٧٨', ['A12345678']],
  ['Your Form I-485 of May 5, 2023, page 2 of 3, 10 a.m.', []],
])('the numbers of a notice that are no receipt numbers are named: %s', (notice, leftOut) => {
  for (const text of [notice, `${notice}\n${ONE}`, `${ONE}, ${notice}`]) {
    const { receiptNumbers, invalid } = findReceiptNumbers(text);
    expect(receiptNumbers).toEqual(text === notice ? [] : [ONE]);
    expect(invalid.map((entry) => entry.text)).toEqual(leftOut);
  }
});

test.each([
  ['a shorter one than the next', 'EAC99991034\nEAC9999103403\n', 0, 'EAC9999103403\n'],
  ['a shorter one than the one before', 'EAC9999103403\nEAC99991034', 0, 'EAC9999103403'],
  ['an en dash', `EAC\u20139999\u201310340\n${ONE}`, 0, ONE],
  ['two spaces', `${ONE}\nEAC  9999  10340\n`, 0, `${ONE}\n`],
  ['spaces in the number', `${TWO}\n  EAC 99 991 0340\n${ONE}`, 0, `${TWO}\n${ONE}`],
  ['the second of two alike', `EAC99991034\n${ONE}\nEAC99991034\n${TWO}`, 1, `EAC99991034\n${ONE}\n${TWO}`],
  ['one of two on a line', `EAC99991034, EAC9999103403`, 0, ONE],
  ['the second of two on a line', `EAC99991034 EAC9999`, 1, 'EAC99991034'],
  ['digits of another script', `EAC\u0669\u0669\u0669\n${ONE}`, 0, ONE],
  ['full width', `ＥＡＣ９９９９\n${ONE}`, 0, ONE],
  ['a line of words', `hello there\nhello\n${ONE}`, 1, `hello there\n${ONE}`],
  ['after blank lines', `\n\nhello\n\n${ONE}`, 0, `\n\n\n${ONE}`],
])(
  '%s: the entry that was meant is taken out of the box, and nothing else',
  (_what, text, which, expected) => {
    const entry = readReceiptLines(text).invalid[which];
    expect(entry && withoutEntry(text, entry)).toBe(expected);
  },
);

test.each([
  ['EAC99991034', 'Has 8 digits instead of 10 after the letters'],
  ['EAC99991034033', 'Has 11 digits instead of 10 after the letters'],
  ['EA9999103403', 'Starts with 2 letters instead of 3'],
  ['EACX9999103403', 'Starts with 4 letters instead of 3'],
  ['EAC99991O3403', 'Has a letter among the digits. Is it a 0 or a 1?'],
  ['EACO999103403', 'Has a letter among the digits. Is it a 0 or a 1?'],
  ['ᎬAC9999103403', 'Has letters other than A to Z'],
  ['ԷAC9999103403', 'Has letters other than A to Z'],
  ['EAC*999103403', 'The * hides a digit. Type the whole number.'],
])('%s is close to a receipt number, and says what is wrong', (text, reason) => {
  expect(findReceiptNumbers(`Case ${text}, please`)).toMatchObject({
    receiptNumbers: [],
    invalid: [{ text, reason }],
    duplicates: 0,
  });
});

test('each line of the box is a receipt number or invalid; blank ones are neither', () => {
  expect(readReceiptLines(`  eac9999103403 \n\n\t\n${TWO}\r\nsrc-99991-02777\n${ONE}`)).toEqual({
    receiptNumbers: [ONE, TWO, 'SRC9999102777'],
    invalid: [],
    duplicates: 1,
  });
  expect(readReceiptLines('ABC 1234567890').receiptNumbers).toEqual(['ABC1234567890']);
  expect(readReceiptLines('hello\n9999103403\nEAC99991034\n???').invalid).toMatchObject([
    { text: 'hello', reason: 'Not a receipt number' },
    { text: '9999103403', reason: 'The 3 letters at the start are missing' },
    { text: 'EAC99991034', reason: 'Has 8 digits instead of 10 after the letters' },
    { text: '???', reason: 'Not a receipt number' },
  ]);
  const OTHER_LETTERS = 'Has letters other than A to Z';
  expect(
    readReceiptLines('ЖЩЯ9999103403\nÉAC9999103403\nEAC九九九九一〇三四〇三\nЖАС9999103403\nне номер')
      .invalid,
  ).toMatchObject([
    { text: 'ЖЩЯ9999103403', reason: OTHER_LETTERS },
    { text: 'ÉAC9999103403', reason: OTHER_LETTERS },
    { text: 'EAC九九九九一〇三四〇三', reason: OTHER_LETTERS },
    { text: 'ЖАС9999103403', reason: OTHER_LETTERS },
    { text: 'не номер', reason: 'Not a receipt number' },
  ]);
  expect(readReceiptLines('ЕАС99991034\nЕАС99991О3403').invalid.map(({ reason }) => reason)).toEqual([
    'Has 8 digits instead of 10 after the letters',
    'Has a letter among the digits. Is it a 0 or a 1?',
  ]);
  expect(readReceiptLines(' \n \n')).toEqual({ receiptNumbers: [], invalid: [], duplicates: 0 });
});

const receiptNumber = fc.stringMatching(/^[A-Z]{3}[0-9]{10}$/);
const unseen = fc.constantFrom('', '\u200b', '\u00ad', '\ufeff', '-', '\u2013', '\u2011');
const around = fc.constantFrom(
  ', ',
  '; ',
  '\t',
  '\n',
  ' | ',
  '"',
  ': ',
  ' (',
  ') ',
  '. ',
  ' Case No. ',
  '\r\n',
);

test('whatever stands between them, all receipt numbers are found, in order and once', () => {
  const written = fc
    .tuple(receiptNumber, fc.array(unseen, { minLength: 13, maxLength: 13 }), fc.boolean())
    .map(([number, gaps, isLower]) => ({
      number,
      text: [...(isLower ? number.toLowerCase() : number)]
        .map((char, at) => (at > 2 ? (gaps[at] ?? '') : '') + char)
        .join(''),
    }));
  fc.assert(
    fc.property(fc.array(fc.tuple(around, written), { maxLength: 20 }), around, (parts, last) => {
      const text = parts.map(([before, one]) => before + one.text).join('') + last;
      const expected = [...new Set(parts.map(([, { number }]) => number))];
      expect(findReceiptNumbers(text).receiptNumbers).toEqual(expected);
    }),
  );
});

test('any text at all gives well-formed numbers, and reading them again gives the same', () => {
  // Parts of numbers and what stands between them: characters at random hardly ever make a number.
  const unit = fc.constantFrom(
    ...['EAC', 'WAC2190', '0123456789', 'IOE', 'O', 'I', 'e', 'a', 'c', '0', '1', '9', 'Receipt', 'é', '😀'],
    ...['-', '\u2013', ' ', '\n', '\t', ',', ';', '.', '*', '\u200b', '\u202e', '\u0000', '\ud800', '０'],
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 100 }), (text) => {
      for (const read of [findReceiptNumbers, readReceiptLines]) {
        const { receiptNumbers } = read(text);
        for (const number of receiptNumbers) expect(number).toMatch(/^[A-Z]{3}[0-9]{10}$/);
        expect(read(receiptNumbers.join('\n')).receiptNumbers).toEqual(receiptNumbers);
      }
    }),
  );
});

test('the work grows with the length of the text, not faster, and ends at a bound', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `Case EAC${String(at).padStart(10, '0')}, please`).join('\n');
  expect(numbersIn(lines(5_000))).toHaveLength(5_000);
  const hostile = [
    `EAC${' 9'.repeat(250_000)}`,
    'E-'.repeat(250_000),
    '9-'.repeat(250_000),
    'A1'.repeat(250_000),
  ];
  // A pattern that tries every way to split such a text would take hours.
  for (const text of hostile) findReceiptNumbers(text);
  expect(numbersIn(`${' '.repeat(TEXT_MAX)}${ONE}`)).toEqual([]);
});

test.each([
  [ONE, ONE],
  [` case ${ONE.toLowerCase()}, ${ONE}`, ONE],
  [`${ONE} ${TWO}`, undefined],
  [`${ONE} EAC99991034`, undefined],
  [`${ONE}\nhello`, undefined],
  ['EAC99991034', undefined],
  ['', undefined],
])('%j is about one receipt number: %s', (text, expected) => {
  expect(onlyReceiptNumberIn(text)).toBe(expected);
  expect(receiptNumbersIn(text)).toEqual(findReceiptNumbers(text).receiptNumbers);
});
