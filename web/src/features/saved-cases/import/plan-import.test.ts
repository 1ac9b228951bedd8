import { expect, test } from 'vitest';
import { type Importer, type ImportLine, importParts, previewImport } from './csv-import.ts';

const [ONE, TWO, THREE, FOUR] = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405', 'EAC9999103410'];
const PRO: Importer = { tier: 'pro', savedNumbers: [] };

const utf8 = (text: string) => new TextEncoder().encode(text);
function utf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return bytes;
}
function linesOf(text: string | Uint8Array, importer = PRO): ImportLine[] {
  const preview = previewImport(typeof text === 'string' ? utf8(text) : text, importer);
  if ('problem' in preview) throw new Error(preview.problem);
  return preview.lines;
}

test('each line is new, saved already, repeated, invalid with its reason, or over the limit', () => {
  const text = [
    'Receipt Number,Nickname,Tags,Frequency',
    `${ONE},Mom,"Family, urgent",none`,
    `eac-9999-103404,,,`,
    `${TWO},,,`,
    `${THREE},,,`,
    `<b>12,,,`,
    `${FOUR},,,hourly`,
    `SRC9999102777,,,daily`,
    'SRC9999102778,,,',
  ].join('\r\n');
  const lines = linesOf(text, { tier: 'free', savedNumbers: [THREE] });
  expect(lines.map(({ line, fate }) => [line, fate])).toEqual([
    [2, 'new'],
    [3, 'new'],
    [4, 'repeated'],
    [5, 'saved'],
    [6, 'invalid'],
    [7, 'invalid'],
    [8, 'over-limit'],
    [9, 'over-limit'],
  ]);
  expect(lines[0]).toMatchObject({
    case: { receiptNumber: ONE, nickname: 'Mom', tags: ['Family', 'urgent'], monitoringFrequency: 'none' },
  });
});

test('a free user imports without monitoring, and is informed', () => {
  expect(linesOf(`${ONE},,,daily`, { tier: 'free', savedNumbers: [] })).toEqual([
    {
      line: 1,
      receiptNumber: ONE,
      fate: 'new',
      case: { receiptNumber: ONE, monitoringFrequency: 'none' },
      note: 'Without monitoring, which is a Pro feature.',
    },
  ]);
});

test('a file with Spanish headings and words is read', () => {
  const text = `Número de recibo;Nombre corto;Etiquetas;Frecuencia\n${ONE};Mamá;Familia;diaria\n${TWO};;;Ningún\n${THREE};;;MENSUAL`;
  expect(linesOf(text)).toMatchObject([
    { case: { receiptNumber: ONE, nickname: 'Mamá', tags: ['Familia'], monitoringFrequency: 'daily' } },
    { receiptNumber: TWO, fate: 'invalid', reason: 'The frequency is none, daily, weekly or monthly.' },
    { case: { receiptNumber: THREE, monitoringFrequency: 'monthly' } },
  ]);
});

test.each([
  ['UTF-8 with a mark', utf8(`\uFEFFReceipt Number;Nickname\n${ONE};Zoë`)],
  ['UTF-16 little endian with a mark', utf16(`\uFEFFReceipt Number\tNickname\r\n${ONE}\tZoë`, true)],
  ['UTF-16 big endian with a mark', utf16(`\uFEFFReceipt Number,Nickname\n${ONE},Zoë`, false)],
  ['UTF-16 without a mark', utf16(`Receipt Number,Nickname\n${ONE},Zoë`, true)],
])('%s is read', (_name, bytes) => {
  expect(linesOf(bytes)).toMatchObject([{ fate: 'new', case: { receiptNumber: ONE, nickname: 'Zoë' } }]);
});

test.each([
  ['a byte more than 1 MB', new Uint8Array(1_000_001), 'This file is 1.1 MB. The limit is 1 MB.'],
  ['10 MB', new Uint8Array(10_000_000), 'This file is 10.0 MB. The limit is 1 MB.'],
  ['no text', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]), /not UTF-8 or UTF-16 text/],
  ['nothing', new Uint8Array(), 'This file has no cases.'],
  ['a heading alone', utf8('Receipt Number,Nickname\n'), 'This file has no cases.'],
  ['6,000 lines', utf8(`${ONE}\n`.repeat(6_000)), 'This file has 6,000 lines. The limit is 5,000 lines.'],
])('a file with %s is refused clearly', (_name, bytes, problem) => {
  expect(previewImport(bytes, PRO)).toEqual({ problem: expect.stringMatching(problem) });
});

test.each([
  [`Receipt# EAC–9999\u200b-103404.`, { fate: 'new', receiptNumber: TWO }],
  ['EAC99991034', { fate: 'invalid', reason: 'Has 8 digits instead of 10 after the letters' }],
  ['EAC99991O3404', { fate: 'invalid', reason: 'Has a letter among the digits. Is it a 0 or a 1?' }],
  ['', { fate: 'invalid', reason: 'This line has no receipt number.' }],
  [`${ONE} ${TWO}`, { fate: 'invalid', reason: 'There are 2 receipt numbers in this cell.' }],
])('a cell with "%s" is read as the search reads it', (cell, expected) => {
  expect(linesOf(`Case,Nickname\n${cell},Mom`)).toMatchObject([expected]);
});

test('what is too long is refused by line', () => {
  const text = `${ONE},${'n'.repeat(101)}\n${TWO},,${'t'.repeat(10_000)}\n${THREE},,${'a,b;c|d,e,f,g,h,i,j,k'.replaceAll(',', ';')}`;
  expect(linesOf(text).map((line) => ('reason' in line ? line.reason : line.fate))).toEqual([
    'The nickname has more than 100 characters.',
    'A tag has more than 40 characters.',
    'There are more than 10 tags.',
  ]);
});

test('an export is imported as it was', () => {
  const exported =
    '\uFEFF"Receipt Number","Nickname","Tags","Form","Last Status","Status Since (UTC)","Monitoring","Last Checked (UTC)"\r\n' +
    `"${ONE}","'=1+1, ""Mom""\nand Dad","Family, H-1B","I-485","Case Was Received","","weekly",""\r\n`;
  expect(linesOf(exported)).toMatchObject([
    {
      fate: 'new',
      case: {
        receiptNumber: ONE,
        nickname: '=1+1, "Mom"\nand Dad',
        tags: ['Family', 'H-1B'],
        monitoringFrequency: 'weekly',
      },
    },
  ]);
});

test('many cases go in requests that the server takes', () => {
  const numbers = Array.from({ length: 1_200 }, (_, nth) => `SRC${2_190_000_000 + nth}`);
  expect(importParts(linesOf(numbers.join('\n'))).map((part) => part.length)).toEqual([500, 500, 200]);
  const long = numbers.slice(0, 400).map((number) => `${number},${'家'.repeat(100)},${'族'.repeat(40)}`);
  for (const part of importParts(linesOf(long.join('\n')))) {
    expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(90_000);
  }
});
