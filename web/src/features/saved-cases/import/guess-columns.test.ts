import { expect, test } from 'vitest';
import { guessColumns } from './guess-columns.ts';

const [ONE, TWO] = ['EAC9999103403', 'EAC9999103404'];

/** A table as it is read: cells with a bar between, blank rows left out. */
function guess(text: string) {
  const rows = text.split('\n').map((row, nth) => ({ line: nth + 1, cells: row.split('|') }));
  return guessColumns(rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')));
}
const kindsOf = (text: string) => guess(text).kinds.join(' ');

test.each([
  'Receipt Number',
  'Receipt #',
  'receipt_no',
  'receiptNumber',
  'Reciept Number',
  'Case Number',
  'Case No.',
  'CASE ID',
  'USCIS #',
  'Tracking number',
  'Número de recibo',
  'Nº de recibo',
  'No. de caso',
  'Expediente',
  'Zaaknummer',
  '',
])('a column of receipt numbers is one, whatever its heading "%s" is', (heading) => {
  expect(kindsOf(`Client|${heading}\nMom|${ONE}\nDad|${TWO}`)).toBe('nickname receipt');
});

test.each([
  'Nickname',
  'Client Name',
  'client_name',
  'Applicant',
  'Beneficiary',
  'Alias',
  'Apodo',
  'Nombre del cliente',
  'Solicitante',
  'Beneficiario',
  'Who?',
])('the heading "%s" means the nickname', (heading) => {
  expect(kindsOf(`Receipt|Filed|${heading}\n${ONE}|1/2/2026|A1\n${TWO}|1/3/2026|A2`)).toBe(
    'receipt ignored nickname',
  );
});

test.each([
  'Tags',
  'Label',
  'Labels',
  'Category',
  'Groups',
  'Etiquetas',
  'Etiqueta(s)',
  'Categoría',
  'Grupo',
])('the heading "%s" means tags', (heading) => {
  expect(kindsOf(`Receipt|${heading}\n${ONE}|a\n${TWO}|a`)).toBe('receipt tags');
});

test.each([
  'How often?',
  'Monitoring Frequency',
  'Check frequency',
  'monitoring',
  'Frecuencia',
  'Monitoreo',
  '¿Cada cuánto?',
  'Periodicidad',
  'Interval',
  'Frecuencia de monitoreo',
])('the heading "%s" means the frequency', (heading) => {
  expect(kindsOf(`Receipt|${heading}\n${ONE}|hourly\n${TWO}|`)).toBe('receipt frequency');
});

test.each([
  'Filing date',
  'Case Status',
  'Case Type',
  'Form',
  'Notes',
  'Phone',
  'Client e-mail',
  'Attorney',
  'Fecha de recibo',
  'Estado del caso',
  'Receipt date',
])('the heading "%s" means none of them', (heading) => {
  expect(kindsOf(`Receipt|${heading}\n${ONE}|some words\n${TWO}|other words`)).toBe('receipt ignored');
});

test.each([
  ['Client Name|Receipt #|Labels|How often?', `Ana|${ONE}|x|daily`, 'nickname receipt tags frequency'],
  ['Case|Client|Receipt Number', `H-1B|Ana|${ONE}`, 'ignored nickname receipt'],
  ['Case|Client|Receipt Number', 'H-1B|Ana|WAC12', 'ignored nickname receipt'],
  ['Case name|Case number', `Ana|${ONE}`, 'nickname receipt'],
  ['First Name|Last Name|Receipt', `Ana|Lee|${ONE}`, 'nickname nickname receipt'],
  ['Apellido paterno|Nombre(s)|Recibo', `Lee|Ana|${ONE}`, 'nickname nickname receipt'],
  ['Primer nombre|Primer apellido|Recibo', `Ana|Lee|${ONE}`, 'nickname nickname receipt'],
  ['First|Middle|Last|Receipt', `Ana|M.|Lee|${ONE}`, 'nickname nickname nickname receipt'],
  ['Company name|Beneficiary|Receipt', `Acme|Ana|${ONE}`, 'ignored nickname receipt'],
  ['Employer name|Employee|Receipt', `Acme|Ana|${ONE}`, 'ignored nickname receipt'],
  ['File name|Job title|Client|Receipt', `a.pdf|Nurse|Ana|${ONE}`, 'ignored ignored nickname receipt'],
  ['Nickname|Name|Receipt', `|Ana|${ONE}`, 'ignored nickname receipt'],
  ['Contact|I-797 #|Next step', `Ana|${ONE}|File the RFE`, 'nickname receipt ignored'],
  ['Case Title|Case Manager|USCIS Receipt', `Ana|Lee|${ONE}`, 'nickname ignored receipt'],
  ['Nombre|Apellidos|Recibo', `Ana|Lee|${ONE}`, 'nickname nickname receipt'],
  ['Client|Nickname|Receipt', `Ana|Annie|${ONE}`, 'ignored nickname receipt'],
  ['I-130 Receipt|I-485 Receipt|Client', `${ONE}|${TWO}|Ana`, 'receipt receipt nickname'],
  ['Receipt Number|Related receipt|Client', `${ONE}|${TWO}|Ana`, 'receipt ignored nickname'],
  ['Dossier|Nom du client|Suivi', `${ONE}|Ana|weekly`, 'receipt nickname frequency'],
  ['Dossier|Betrokkene|Datum', `${ONE}|Ana|1-2-2026`, 'receipt nickname ignored'],
])('"%s" above "%s" is %s', (head, row, kinds) => {
  expect(kindsOf(`${head}\n${row}`)).toBe(kinds);
});

test('of several names the one that tells the cases apart is the nickname', () => {
  const text = `Petitioner name|Beneficiary name|Receipt\nAcme|Ana|${ONE}\nAcme|Lee|${TWO}`;
  expect(kindsOf(text)).toBe('ignored nickname receipt');
});

test.each([
  [`${ONE}|Mom|Family|daily`, 'receipt nickname tags frequency'],
  [`Mom|${ONE}`, 'nickname receipt'],
  [`${ONE}||Family`, 'receipt nickname tags'],
  [`${ONE}|1/2/2026|Mom|weekly`, 'receipt ignored nickname frequency'],
  [`${ONE} ${TWO}`, 'receipt'],
  ['Mom|pending', 'receipt nickname'],
])('without headings "%s" is %s', (row, kinds) => {
  expect(kindsOf(row)).toBe(kinds);
});

test.each([
  ['nothing', '', 0],
  ['a title', 'Cases of the office||\n', 1],
  ['a title with words of headings', 'Client cases, receipt numbers||\n', 1],
  ['titles and blank rows', 'Casewatch\n\nExported 2026-11-29||\n\n', 2],
  ['merged headings', 'Case||Client\n', 1],
  ['a title beside blank cells', '||Our clients\n', 1],
])('headings are found beneath %s', (_name, above, rows) => {
  const table = guess(`${above}Receipt #|Form|Client name\n${ONE}|I-485|Ana\n${TWO}|I-130|Lee`);
  expect(table.headings).toEqual(['Receipt #', 'Form', 'Client name']);
  expect(table.kinds).toEqual(['receipt', 'ignored', 'nickname']);
  expect(table.above).toHaveLength(rows + 1);
  expect(table.body).toHaveLength(2);
});

test('headings in two rows are read together', () => {
  const table = guess(`Receipt #|Client||Labels\n|First|Last|\n${ONE}|Ana|Lee|x`);
  expect(table.headings).toEqual(['Receipt #', 'First', 'Last', 'Labels']);
  expect(table.kinds).toEqual(['receipt', 'nickname', 'nickname', 'tags']);
  expect(table.body.map(({ line }) => line)).toEqual([3]);
});

test.each([
  ['a broken number first', 'WAC12|Mom\nEAC9999103403|Dad', [1, 2]],
  [
    'a number in digits of another script first',
    'Receipt|Client\nIOE٠٩١٢٣٤٥٦٧٨|Mom\nEAC9999103403|Dad',
    [2, 3],
  ],
  ['letters and digits apart first', 'Prefix|Digits|Client\nIOE|0912345678|Mom\nEAC9999103403||Dad', [2, 3]],
  ['no number yet first', 'Receipt|Client\npending|Mom\nEAC9999103403|Dad', [2, 3]],
  ['a number that is not there first', 'Receipt|Client\n|Mom\nEAC9999103403|Dad', [2, 3]],
  ['no number at all', 'Receipt|Client\npending|Mom\npending|Dad', [2, 3]],
  ['a sum at the end', 'Receipt|Client\nEAC9999103403|Dad\nTotal: 1|', [2, 3]],
])('no row is taken for a heading with %s', (_name, text, lines) => {
  expect(guess(text).body.map(({ line }) => line)).toEqual(lines);
});
