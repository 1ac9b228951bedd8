import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { workbookFile } from '../../../../test/workbook-file.ts';
import { readRows } from './read-rows.ts';

const [ONE, TWO, THREE, FOUR] = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405', 'EAC9999103410'];
const utf8 = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function utf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return bytes;
}

async function rowsOf(file: string | Uint8Array) {
  const result = await readRows(typeof file === 'string' ? utf8(file) : file);
  if ('problem' in result) throw new Error(result.problem);
  return result.rows;
}
const cellsOf = async (file: string | Uint8Array) => (await rowsOf(file)).map(({ cells }) => cells);

test.each([
  ['UTF-8', utf8(`Receipt,Name\n${ONE},Zoë`)],
  ['UTF-8 with a mark', utf8(`\uFEFFReceipt,Name\n${ONE},Zoë`)],
  ['UTF-8 with two marks', utf8(`\uFEFF\uFEFFReceipt,Name\n${ONE},Zoë`)],
  ['UTF-16 little endian with a mark', utf16(`\uFEFFReceipt\tName\r\n${ONE}\tZoë`, true)],
  ['UTF-16 big endian with a mark', utf16(`\uFEFFReceipt,Name\n${ONE},Zoë`, false)],
  ['UTF-16 little endian without a mark', utf16(`Receipt,Name\n${ONE},Zoë`, true)],
  ['UTF-16 big endian without a mark', utf16(`Receipt,Name\n${ONE},Zoë`, false)],
  ['UTF-16 of an odd length', utf16(`\uFEFFReceipt,Name\n${ONE},Zoë\n`, true).subarray(0, -1)],
  ['Windows-1252', latin(`Receipt,Name\n${ONE},Zo\xeb`)],
])('%s is read', async (_name, bytes) => {
  expect(await cellsOf(bytes)).toEqual([
    ['Receipt', 'Name'],
    [ONE, 'Zoë'],
  ]);
});

test('the quotation marks and dashes of Windows-1252 are read', async () => {
  expect(await cellsOf(latin(`${ONE},\x93Mam\xe1\x94 \x96 H-1B`))).toEqual([[ONE, '“Mamá” – H-1B']]);
});

test.each([
  ['Excel for Mac', latin(`${ONE},Pe\x96a\r${TWO},Jos\x8e\r`)],
  ['NUL after its cells', utf8(`${ONE},Peña\0\0\0\0\r\n${TWO},José\0\0\r\n`)],
  ['a control character in one cell', utf8(`${ONE},Peña\r${TWO},José\r\u0007`)],
  ['each row in quotation marks', utf8(`"${ONE},""Peña"""\n"${TWO},José"\n`)],
  ['backslashes before quotation marks', utf8(`"${ONE}","Peña"\n"${TWO}","José"\n"${THREE}","A \\"B\\" C"`)],
])('the names of a file with %s are read', async (_name, bytes) => {
  const cells = await cellsOf(bytes);
  expect(cells.slice(0, 2)).toEqual([
    [ONE, 'Peña'],
    [TWO, 'José'],
  ]);
  if (cells[2]?.[0] === THREE) expect(cells[2][1]).toBe('A "B" C');
});

test('one broken character does not make the others wrong', async () => {
  const bytes = new Uint8Array([...utf8(`${ONE},José Peña Íñigo`), 0xe9]);
  expect(await cellsOf(bytes)).toEqual([[ONE, 'José Peña Íñigo\uFFFD']]);
});

test.each([
  ['commas', `${ONE},"García, José",x`],
  ['semicolons', `${ONE};García, José;x`],
  ['semicolons, and a name in quotes', `"${ONE}";"García, José";"x"`],
  ['tabs', `${ONE}\tGarcía, José\tx`],
  ['bars', `${ONE}|García, José|x`],
  ['what its first line says', `sep=;\n${ONE};García, José;x`],
  ['what its first line says in quotes', `"sep=\t"\r\n${ONE}\tGarcía, José\tx`],
  ['spaces before the quotation marks', `${ONE}, "García, José", "x"`],
])('a file with %s is read', async (_name, text) => {
  expect(await cellsOf(text)).toEqual([[ONE, 'García, José', 'x']]);
});

test.each([
  ['a title above', `Cases, clients, and more\n\n${ONE};García, José\n${TWO};Lee, Ann`],
  ['a separator in the quotes', `Number;Name\n"${ONE}";"García; José"\n"${TWO}";"Lee"`],
  ['more commas than semicolons', `${ONE};a, b, c, d\n${TWO};e, f, g, h`],
  ['no receipt number that is right', 'Number;Name\nWAC12;García, José'],
  ['the number in the last column', `García, José;${ONE}\nLee, Ann;${TWO}`],
])('the separator is found with %s', async (_name, text) => {
  expect((await cellsOf(text)).at(-1)).toHaveLength(2);
});

test.each([
  ['names before them', `Ana Lee ${ONE}\nBo Li ${TWO}`],
  ['names after them', `${ONE}: Ana Lee\n${TWO}: Bo Li`],
  ['numbering', `1. ${ONE} – Ana Lee\n2. ${TWO} – Bo Li`],
  ['numbering and brackets', `1) Ana Lee (${ONE})\n2) Bo Li (${TWO})`],
  ['columns of spaces', `${ONE}   Ana Lee\n${TWO}   Bo Li`],
  ['another separator', `${ONE}~Ana Lee\n${TWO}~Bo Li`],
])('a list of receipt numbers with %s is read', async (_name, text) => {
  expect(await cellsOf(text)).toEqual([
    [ONE, 'Ana Lee'],
    [TWO, 'Bo Li'],
  ]);
});

test('a label of each receipt number is no name', async () => {
  expect(await cellsOf(`Receipt: ${ONE}\nReceipt: ${TWO}`)).toEqual([
    [`Receipt: ${ONE}`],
    [`Receipt: ${TWO}`],
  ]);
});

test.each([
  ['CRLF', '\r\n'],
  ['CR alone', '\r'],
  ['LF', '\n'],
  ['the line separator of Unicode', '\u2028'],
  ['CRLF and LF in turns', '\r\n\n'],
])('lines that end with %s are read', async (_name, end) => {
  expect(await cellsOf([`${ONE},a`, `${TWO},b`, ''].join(end))).toEqual([
    [ONE, 'a'],
    [TWO, 'b'],
  ]);
});

test('a cell may have several lines, and each row knows where it begins', async () => {
  expect(await rowsOf(`sep=,\n${ONE},"Mom\nand ""Dad""",x\n\n"${TWO}\n${THREE}",Lee\n${FOUR},`)).toEqual([
    { line: 2, cells: [ONE, 'Mom\nand "Dad"', 'x'] },
    { line: 5, cells: [`${TWO}\n${THREE}`, 'Lee'] },
    { line: 7, cells: [FOUR, ''] },
  ]);
});

test('cells of several lines may follow each other', async () => {
  expect(await cellsOf(`"Mary\nSmith";"${ONE}\n${TWO}";"x\ny"\nLee;${THREE};z`)).toEqual([
    ['Mary\nSmith', `${ONE}\n${TWO}`, 'x\ny'],
    ['Lee', THREE, 'z'],
  ]);
});

test.each([
  ['at the end of its line', `${ONE},"Smith\n${TWO},Lee\n${THREE},Ann\n${FOUR},Bo`, [ONE, 'Smith']],
  [
    'before another one that is whole',
    `${ONE},"Smith\n${TWO},"Lee"\n${THREE},Ann\n${FOUR},Bo`,
    [ONE, 'Smith'],
  ],
  ['and closed in the next line', `${ONE},"Smith\n${TWO},Lee"\n${THREE},Ann\n${FOUR},Bo`, [ONE, 'Smith']],
  ['before the number', `"${ONE},Smith\n${TWO},Lee\n${THREE},Ann\n${FOUR},Bo`, [ONE, 'Smith']],
  [
    'in the last column of a name first',
    `Smith,"${ONE}\nLee,${TWO}\nAnn,${THREE}\nBo,${FOUR}`,
    ['Smith', ONE],
  ],
  [
    'after a name in quotation marks',
    `${ONE},"Ann" Smith\n${TWO},Lee\n${THREE},Ann\n${FOUR},Bo`,
    [ONE, '"Ann" Smith'],
  ],
  ['with semicolons', `${ONE};"Smith\n${TWO};Lee\n${THREE};Ann\n${FOUR};Bo`, [ONE, 'Smith']],
  [
    'before a name, with semicolons',
    `"Smith;${ONE}\nLee, Al;${TWO}\nAnn;${THREE}\nBo;${FOUR}`,
    ['Smith', ONE],
  ],
  ['in a list of numbers', `"${ONE}\n${TWO}\n${THREE}\n${FOUR}`, [ONE]],
])('a quotation mark that is open %s ends with its line, which is marked', async (_name, text, first) => {
  const rows = await rowsOf(text);
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  expect(rows[0]).toEqual({ line: 1, cells: first, hasOpenQuote: true });
  expect(rows.slice(2).filter(({ hasOpenQuote }) => hasOpenQuote)).toEqual([]);
});

test('5,000 odd quotation marks are read as 5,000 rows', async () => {
  for (const name of ['"Name of a person', '"', '"""a', 'a"b']) {
    const lines = Array.from({ length: 5_000 }, (_, nth) => `SRC${2_190_000_000 + nth},${name}`);
    expect(await rowsOf(lines.join('\n'))).toHaveLength(5_000);
  }
});

test.each([
  [
    'text and numbers',
    [
      [
        ['Receipt', 'No'],
        [ONE, 12],
      ],
    ],
    [
      ['Receipt', 'No'],
      [ONE, '12'],
    ],
  ],
  [
    'merged headings',
    [
      [
        ['Case', null, 'Client'],
        ['Receipt', 'Form', 'Name'],
        [ONE, 'I-485', 'Zoë & <b>'],
      ],
    ],
    [
      ['Case', '', 'Client'],
      ['Receipt', 'Form', 'Name'],
      [ONE, 'I-485', 'Zoë & <b>'],
    ],
  ],
  ['a line break in a cell', [[[ONE, 'Mom\nDad']]], [[ONE, 'Mom\nDad']]],
  ['the cases on its second sheet', [[['Totals', 2]], [[ONE, 'Mom']]], [[ONE, 'Mom']]],
  ['two numbers in a cell', [[[`${ONE}\n${TWO}`]]], [[`${ONE}\n${TWO}`]]],
] as const)('a workbook with %s is read', async (_name, sheets, cells) => {
  expect(await cellsOf(workbookFile(sheets, _name === 'merged headings' ? ['A1:B1'] : []))).toEqual(cells);
});

/** A workbook with one part changed. */
function workbookWith(part: string, change: (xml: string) => string, sheets = [[[ONE, 'Mom']]]): Uint8Array {
  const files = unzipSync(workbookFile(sheets));
  return zipSync({ ...files, [part]: strToU8(change(strFromU8(files[part] ?? new Uint8Array()))) });
}
const SHEET = 'xl/worksheets/sheet1.xml';

test.each([
  ['cells without their places', workbookWith(SHEET, (xml) => xml.replace(/ r="\w+"/g, ''))],
  [
    'colored cells without content far away',
    workbookWith(SHEET, (xml) => xml.replace('</row>', '<c r="XFD1" s="1"/></row>')),
  ],
  [
    'a chart on a sheet of its own',
    workbookWith(
      'xl/_rels/workbook.xml.rels',
      (xml) =>
        xml.replace('worksheet" Target="worksheets/sheet1.xml', 'chartsheet" Target="chartsheets/sheet1.xml'),
      [[['', '']], [[ONE, 'Mom']]],
    ),
  ],
  [
    'a formula with its value',
    workbookWith(SHEET, (xml) =>
      xml.replace('t="inlineStr"><is><t xml:space="preserve">Mom</t></is>', 't="str"><f>C1</f><v>Mom</v>'),
    ),
  ],
  [
    'a dimension that is too large',
    workbookWith(SHEET, (xml) => xml.replace('<sheetData>', '<dimension ref="A1:XFD1048576"/><sheetData>')),
  ],
])('a workbook with %s is read', async (_name, bytes) => {
  expect(await cellsOf(bytes)).toEqual([[ONE, 'Mom']]);
});

test('the sheets with receipt numbers that are not read are named', async () => {
  const file = await readRows(workbookFile([[['Totals']], [[ONE]], [[TWO], [THREE]]]));
  expect(file).toMatchObject({ rows: [{ cells: [TWO] }, { cells: [THREE] }], otherSheets: ['Sheet2'] });
});

test('a row of a workbook has the number that Excel shows', async () => {
  const rows = await rowsOf(workbookFile([[['My cases'], [], [], ['Receipt'], [ONE]]]));
  expect(rows.map(({ line }) => line)).toEqual([1, 4, 5]);
});

test('a workbook of 5,000 rows and many columns is read', async () => {
  const rows = Array.from({ length: 5_000 }, (_, nth) => [
    `SRC${2_190_000_000 + nth}`,
    ...'abcdefgh'.split('').map((letter) => `${letter} ${nth * 7919}`),
  ]);
  const file = workbookFile([rows]);
  expect(file.length).toBeLessThan(1_000_000);
  expect(await rowsOf(file)).toHaveLength(5_000);
});

const encrypted = workbookFile([[[ONE]]]);
encrypted[6] = 1;
const compound = (name: string) => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0, ...utf16(name, true)]);

test.each([
  ['empty', new Uint8Array()],
  ['empty', utf8('\n , ,\n')],
  ['empty', utf8('\uFEFF')],
  ['empty', utf8('sep=;\n')],
  ['empty', workbookFile([[]])],
  ['pdf', utf8('%PDF-1.7\n%âãÏÓ')],
  ['pdf', utf8('\n%PDF-1.4')],
  ['pdf', utf8('\uFEFF%PDF-1.4')],
  ['image', latin('\x89PNG\r\n\x1a\n')],
  ['image', latin('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['image', utf8('GIF89a')],
  ['image', latin('\0\0\0\x18ftypheic')],
  ['image', utf8('RIFF1234WEBPVP8')],
  ['locked', compound('EncryptedPackage')],
  ['locked', encrypted],
  ['old-excel', compound('Workbook')],
  ['web-page', utf8('<html><table><tr><td>Receipt</td></tr></table></html>')],
  ['web-page', utf8('  <!DOCTYPE html>')],
  ['damaged', workbookFile([[[ONE]]]).subarray(0, 300)],
  ['damaged', zipSync({ 'xl/workbook.xml': strToU8('<workbook') })],
  ['other', zipSync({ 'word/document.xml': strToU8('<document/>') })],
  ['other', latin('{\\rtf1\\ansi}')],
  ['other', new Uint8Array(1_000).map((_, at) => at % 31)],
] as const)('a file without rows is %s (%#)', async (problem, bytes) => {
  expect(await readRows(bytes)).toEqual({ problem });
});

test('a workbook that unpacks to far more than its size is not unpacked', async () => {
  const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(61_000_000) }, { level: 1 });
  expect(await readRows(bomb)).toEqual({ problem: 'unpacked-too-large' });
  const far = workbookWith(SHEET, (xml) =>
    xml.replace('</sheetData>', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
  );
  expect(await readRows(far)).toEqual({ problem: 'unpacked-too-large' });
});
