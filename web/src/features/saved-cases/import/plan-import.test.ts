import { nickname as nicknameRule } from '@casewatch/contracts/cases';
import { expect, test } from 'vitest';
import { cleanCell } from './cells.ts';
import { guessColumns } from './guess-columns.ts';
import { problemText, summaryCsv, wordsOf } from './import-words.ts';
import { type Importer, type ImportLine, importParts, planImport } from './plan-import.ts';
import { readRows } from './read-rows.ts';

const [ONE, TWO, THREE, FOUR] = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405', 'EAC9999103410'];
const PRO: Importer = { tier: 'pro', savedNumbers: [] };
const HEAD = 'Receipt Number,Nickname,Tags,Frequency';

async function linesOf(text: string, importer = PRO): Promise<ImportLine[]> {
  const file = await readRows(new TextEncoder().encode(text));
  if ('problem' in file) throw new Error(file.problem);
  const { body, kinds } = guessColumns(file.rows);
  return planImport(body, kinds, importer);
}
const caseOf = async (row: string) => (await linesOf(`${HEAD}\n${row}`))[0];

test('each line is new, saved already, repeated, invalid with its reason, or over the limit', async () => {
  const text = [
    HEAD,
    `${ONE},Mom,"Family, urgent",none`,
    `eac-9999-103404,,,`,
    `${TWO},,,`,
    `${THREE},,,`,
    `<b>12,,,`,
    `SRC9999102777,,,daily`,
    'SRC9999102778,,,',
    'Total: 7,,,',
  ].join('\r\n');
  const lines = await linesOf(text, { tier: 'free', savedNumbers: [THREE] });
  expect(lines.map(({ line, fate }) => [line, fate])).toEqual([
    [2, 'new'],
    [3, 'new'],
    [4, 'repeated'],
    [5, 'saved'],
    [6, 'invalid'],
    [7, 'over-limit'],
    [8, 'over-limit'],
    [9, 'invalid'],
  ]);
  expect(lines[0]).toMatchObject({
    case: { receiptNumber: ONE, nickname: 'Mom', tags: ['Family', 'urgent'], monitoringFrequency: 'none' },
  });
});

test('a free user imports without monitoring, and is informed', async () => {
  expect(await linesOf(`${ONE},,,daily`, { tier: 'free', savedNumbers: [] })).toEqual([
    {
      line: 1,
      receiptNumber: ONE,
      fate: 'new',
      case: { receiptNumber: ONE, monitoringFrequency: 'none' },
      note: 'Without monitoring, which is a Pro feature.',
    },
  ]);
});

test.each([
  [
    'daily',
    [
      'daily',
      'Every day',
      'DIARIA',
      'cada día',
      'todos los días',
      'diariamente',
      'per day',
      '24 hours',
      '1 día',
    ],
  ],
  [
    'weekly',
    [
      'weekly',
      'once a week',
      'Semanal',
      'cada semana',
      'every week',
      'una vez a la semana',
      '1 week',
      'every 7 days',
    ],
  ],
  ['monthly', ['monthly', 'each month', 'MENSUAL', 'cada mes', 'una vez al mes', 'Monthly.', 'Cada 30 días']],
  ['none', ['', 'none', 'Never', 'Ningún', 'ninguna', 'no', 'N/A', '-', 'nunca', 'sin monitoreo']],
] as const)('the frequency %s has these words', async (frequency, words) => {
  for (const word of words) {
    const line = await caseOf(`${ONE},,,${word}`);
    expect(line, word).toMatchObject({ case: { monitoringFrequency: frequency } });
    expect(line?.note, word).toBeUndefined();
  }
});

test.each(['hourly', 'every 3 days', 'quincenal', 'yes', 'biweekly'])(
  'the unknown frequency "%s" becomes none, with a note',
  async (word) => {
    expect(await caseOf(`${ONE},Mom,,${word}`)).toMatchObject({
      fate: 'new',
      case: { nickname: 'Mom', monitoringFrequency: 'none' },
      note: `Without monitoring: “${word}” is none of daily, weekly and monthly.`,
    });
  },
);

test.each([
  ['a label', 'Receipt# EAC–9999\u200b-103404.'],
  ['the formula of a text', '="EAC9999103404"'],
  ['dashes', 'EAC-99-991-03404'],
  ['spaces', ' EAC 99 991 03404 '],
  ['invisible characters', '\u200eEAC\u200b9999103404\ufeff'],
  ['full-width letters', 'ＥＡＣ９９９９１０３４０４'],
  ['an apostrophe', "'EAC9999103404"],
  ['a no-break space', 'EAC\u00a09999103404'],
])('a receipt number with %s is read', async (_name, cell) => {
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  expect(await linesOf(`Case,Nickname\n${quoted},Mom`)).toMatchObject([{ fate: 'new', receiptNumber: TWO }]);
});

test.each([
  ['EAC99991034', 'Has 8 digits instead of 10 after the letters'],
  ['EAC99991O3404', 'Has a letter among the digits. Is it a 0 or a 1?'],
  ['9999103404', 'The 3 letters at the start are missing'],
  ['EAC99******', 'The * hides a digit. Type the whole number.'],
  ['pending', 'Not a receipt number'],
  ['', 'This line has no receipt number.'],
])('a cell with "%s" is invalid: %s', async (cell, reason) => {
  expect(await linesOf(`Receipt,Nickname\n${cell},Mom`)).toMatchObject([{ fate: 'invalid', reason }]);
});

test.each([
  ['a space', `${ONE} ${TWO}`],
  ['a comma', `${ONE}, ${TWO}`],
  ['a slash', `${ONE}/${TWO}`],
  ['a line break', `${ONE}\n${TWO}`],
  ['words', `${ONE} (I-130) and ${TWO} (I-485)`],
  ['a bar and dashes', `EAC-9999103403 | ${TWO}`],
])('two receipt numbers in a cell with %s between are two cases', async (_name, cell) => {
  const lines = await linesOf(`Receipt,Nickname\n"${cell}",Mom\n${THREE},Dad`);
  expect(lines).toMatchObject([
    { line: 2, fate: 'new', case: { receiptNumber: ONE, nickname: 'Mom' } },
    { line: 2, fate: 'new', case: { receiptNumber: TWO, nickname: 'Mom' } },
    { case: { receiptNumber: THREE, nickname: 'Dad' } },
  ]);
});

test('of two numbers in a cell the broken one is named', async () => {
  expect(await linesOf(`Receipt,Nickname\n"${ONE} / EAC99991034",Mom`)).toMatchObject([
    { fate: 'new', receiptNumber: ONE },
    { fate: 'invalid', receiptNumber: 'EAC99991034' },
  ]);
});

test('two columns of receipt numbers are two cases of one line', async () => {
  expect(await linesOf(`I-130 receipt,I-485 receipt,Client\n${ONE},${TWO},Mom\n${THREE},,Dad`)).toMatchObject(
    [
      { line: 2, case: { receiptNumber: ONE, nickname: 'Mom' } },
      { line: 2, case: { receiptNumber: TWO, nickname: 'Mom' } },
      { line: 3, case: { receiptNumber: THREE, nickname: 'Dad' } },
    ],
  );
});

test.each([
  ['a line break', 'Mom\nDad', 'Mom Dad'],
  ['a tab', 'Mom\tDad', 'Mom Dad'],
  ['a zero-width space', 'Mom\u200b Dad', 'Mom Dad'],
  ['control characters', 'Mom\u0007\u000b\u0000 Dad', 'Mom Dad'],
  ['many spaces', '  Mom \u00a0  Dad ', 'Mom Dad'],
  ['a formula of a text', '="Mom ""M"""', 'Mom "M"'],
  ['bidirectional controls', '\u202eMom\u202c', 'Mom'],
  ['a soft hyphen', 'Mo\u00adm', 'Mom'],
  ['a byte-order mark', 'Mo\ufeffm', 'Mom'],
  ['half a character', 'Mom \ud83d', 'Mom'],
  ['a blank of Braille', 'Mom\u2800', 'Mom'],
  ['a tag character', 'Mom\u{e0041}', 'Mom'],
  ['a joiner without a need', 'Mo\u200dm', 'Mom'],
  ['an emoji of several', 'Mom 👩‍👧 ❤️', 'Mom 👩‍👧 ❤️'],
  ['a mark of an export', "'=1+1", '=1+1'],
  ['single quotation marks around it', "'Mom’s “M”'", 'Mom’s “M”'],
  ['typographic quotation marks around it', '“Mom”', 'Mom'],
])('a cell with %s is cleaned', (_name, text, clean) => {
  expect(cleanCell(text)).toBe(clean);
  expect(nicknameRule.parse(cleanCell(text))).toBe(clean);
});

test('what is too long is shortened, with a note', async () => {
  const tags = 'a;b;c;d;e;f;g;h;i;j;k';
  const text = `${HEAD}\n${ONE},${'n'.repeat(101)},,\n${TWO},${'👩‍👧'.repeat(50)},${'t'.repeat(10_000)},\n${THREE},,${tags},\n${FOUR},${'n'.repeat(100)},${'t'.repeat(40)},`;
  const lines = await linesOf(text);
  expect(lines.map(({ fate, note }) => [fate, note])).toEqual([
    ['new', 'The nickname was shortened to 100 characters.'],
    ['new', 'The nickname was shortened to 100 characters. A tag was shortened to 40 characters.'],
    ['new', 'Only the first 10 tags are taken.'],
    ['new', undefined],
  ]);
  for (const line of lines) if (line.fate === 'new') nicknameRule.optional().parse(line.case.nickname);
});

test('an open quotation mark is noted', async () => {
  expect(await linesOf(`${HEAD}\n${ONE},"Smith,,\n${TWO},Lee,,`)).toMatchObject([
    { fate: 'new', note: 'A quotation mark in this line is not closed: check what was read.' },
    { fate: 'new', case: { nickname: 'Lee' } },
  ]);
});

test('an export is imported as it was', async () => {
  const exported =
    '\uFEFF"Receipt Number","Nickname","Tags","Form","Last Status","Status Since (UTC)","Monitoring","Last Checked (UTC)","Saved (UTC)"\r\n' +
    `"${ONE}","'=1+1, ""Mom"" and Dad","Family, H-1B","I-485","Case Was Received","","weekly","",""\r\n`;
  expect(await linesOf(exported)).toEqual([
    {
      line: 2,
      receiptNumber: ONE,
      fate: 'new',
      case: {
        receiptNumber: ONE,
        nickname: '=1+1, "Mom" and Dad',
        tags: ['Family', 'H-1B'],
        monitoringFrequency: 'weekly',
      },
    },
  ]);
});

test('many cases go in requests that the server takes', () => {
  const cases = Array.from({ length: 600 }, (_, nth) => ({
    receiptNumber: `SRC${2_190_000_000 + nth}`,
    monitoringFrequency: 'none' as const,
  }));
  expect(importParts(cases).map((part) => part.length)).toEqual([250, 250, 100]);
  const long = cases.map((one) => ({ ...one, nickname: '家'.repeat(100), tags: ['族'.repeat(40)] }));
  for (const part of importParts(long)) {
    expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(90_000);
  }
});

test('a file that is a little too large is not said to be as large as the limit', () => {
  expect(problemText({ bytes: 1_000_001 })).toBe('This file is 1.1 MB. The limit is 1 MB.');
  expect(problemText({ bytes: 10_000_000 })).toBe('This file is 10.0 MB. The limit is 1 MB.');
});

test('the summary has every line of the file, with what came of it', async () => {
  const file = await readRows(
    new TextEncoder().encode(`My cases,\nReceipt,Client\n${ONE},Mom\n${TWO},Dad\nWAC12,\n${THREE},Ann`),
  );
  if ('problem' in file) throw new Error(file.problem);
  const table = guessColumns(file.rows);
  const lines = planImport(table.body, table.kinds, PRO);
  const known = {
    outcomes: new Map([
      [ONE, { receiptNumber: ONE, outcome: 'changed' as const }],
      [TWO, { receiptNumber: TWO, outcome: 'refused' as const, error: 'No more room' }],
    ]),
    undone: new Set<string>(),
    hasBegun: true,
  };
  expect(summaryCsv(table, lines, known).split('\r\n')).toEqual([
    '\uFEFF"Line","Receipt number","What happened"',
    '"1","My cases","Title or heading"',
    '"2","Receipt Client","Title or heading"',
    `"3","${ONE}","Saved: Mom"`,
    `"4","${TWO}","Can’t be imported: No more room"`,
    '"5","WAC12","Can’t be imported: Has 2 digits instead of 10 after the letters"',
    `"6","${THREE}","Not saved yet. Try again."`,
    '',
  ]);
  expect(lines.map((line) => wordsOf(line, { ...known, undone: new Set([ONE]) }))[0]).toBe('Undone');
});
