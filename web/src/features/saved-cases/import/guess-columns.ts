import { isReceiptCell, plain, type Row } from './cells.ts';
import { isFrequencyWord } from './frequency-words.ts';

/** What a column is imported as. */
export const COLUMN_KINDS = ['receipt', 'nickname', 'tags', 'frequency', 'ignored'] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** A file as a table. */
export interface ImportTable {
  /** Empty where a column has no heading. */
  headings: string[];
  kinds: ColumnKind[];
  /** Titles and headings. */
  above: Row[];
  body: Row[];
  /** Of a workbook, those with receipt numbers that are not read. */
  otherSheets?: string[];
}

/** In English and Spanish, whatever the language of the page: files come from other people. The first that matches a heading decides. */
const HEADINGS: readonly (readonly [kind: ColumnKind, pattern: RegExp])[] = [
  [
    'frequency',
    /how often|fre[qc]u|monitor|cada cuanto|vigilancia|seguimiento|periodic|interval|check every/,
  ],
  [
    'ignored',
    /\b(?:dates?|fechas?|status|estado|estatus|forms?|formularios?|types?|tipos?|not[ea]s?|comment\w*|comentarios?|(?:tele)?phones?|telefonos?|e ?mails?|correos?|address|direccion|country|pais|office|oficina|center|centro|attorney|lawyer|abogad[oa]|officer|parent|related|relacionad[oa]|previous|prior|anterior|alien|passports?|pasaportes?|birth|nacimiento|dob|languages?|idiomas?|fees?|url)\b/,
  ],
  [
    'tags',
    /\b(?:tags?|labels?|categor\w*|groups?|grupos?|keywords?|palabras clave|folders?|carpetas?)\b|etiquet/,
  ],
  [
    'receipt',
    /rec(?:ei|ie|i)p|recibo|\b(?:case|caso|expediente|uscis|tracking|file)s? (?:number|no|num|nr|id)\b|(?:number|numero|no|num) de(?:l)? (?:caso|expediente)/,
  ],
  [
    'nickname',
    /nick|apodo|corto|alias|name|titles?\b|titulo|nombre|apellido|client|applicant|solicitante|beneficiar|petitioner|peticionari|employee|empleado|\b(?:first|middle|last|given|family|persons?|personas?|who|quien|nom|nome|titular)\b/,
  ],
  ['receipt', /\b(?:cases?|casos?|expedientes?|uscis)\b/],
];
const STRONG_NICKNAME = /nick|apodo|nombre corto|alias/;
/** Whose case it is, rather than who else has a name. */
const PERSON = /client|applicant|solicitante|beneficiar|employee|empleado|person|\b(?:who|quien|titular)\b/;
const PART_OF_NAME =
  /\b(?:first|last|middle|given|family|surname|apellidos?)\b|^(?:primer |segundo )?nombres?(?: s| de pila)?$/;
/** Rows above the first case in which a heading is looked for. */
const HEAD_ROWS = 30;

/** Finds the headings and what each column is, by heading and by content: what holds receipt numbers is their column, whatever it is called. */
export function guessColumns(rows: readonly Row[]): ImportTable {
  const width = rows.reduce(
    (most, { cells }) => Math.max(most, cells.map(isFilled).lastIndexOf(true) + 1),
    0,
  );
  const indexes = Array.from({ length: width }, (_, index) => index);
  const firstCase = rows.findIndex(({ cells }) => cells.some(isReceiptCell));
  const numbers = indexes.map((index) =>
    shareOf(columnOf(rows.slice(Math.max(0, firstCase)), index), isReceiptCell),
  );
  const [head, end] = headOf(rows, firstCase, numbers.indexOf(Math.max(...numbers)));
  const headings = indexes.map((index) => (head < 0 ? '' : headingOf(rows.slice(head, end), index)));
  const body = rows.slice(end);
  const columns = indexes.map((index) => ({
    heading: plain(headings[index] ?? ''),
    named: kindOf(headings[index] ?? ''),
    cells: columnOf(body, index),
    numbers: numbers[index] ?? 0,
  }));
  return { headings, kinds: kindsOf(columns, head >= 0), above: rows.slice(0, end), body };
}

/** Returns the index of the first row of headings and that of the first row beneath them; -1 and 0 without headings. */
function headOf(rows: readonly Row[], firstCase: number, numberColumn: number): [head: number, end: number] {
  const candidates = rows.slice(0, Math.min(HEAD_ROWS, firstCase < 0 ? rows.length : firstCase));
  const known = candidates.map(({ cells }) => cells.filter((cell) => kindOf(cell) !== undefined).length);
  let head = known.lastIndexOf(Math.max(1, ...known));
  const last = candidates.at(-1);
  // Headings in another language: words above the first number.
  const isWords =
    last?.cells.every((cell) => !/\d{4}|^\s*[A-Z]{2,5}[ -]?\d/i.test(cell)) &&
    isFilled(last.cells[numberColumn] ?? '');
  if (head < 0 && isWords && firstCase > 0) head = candidates.length - 1;
  if (head < 0) return [-1, 0];
  let end = head + 1;
  // A second row of headings, in another language or beneath merged ones.
  const isHeading = (cell = '') => !isFilled(cell) || kindOf(cell) === 'receipt';
  while (end < candidates.length && isHeading(rows[end]?.cells[numberColumn]) && (known[end] ?? 0) > 0)
    end += 1;
  return [head, end];
}

/** Returns the lowest heading that is filled. */
function headingOf(rows: readonly Row[], index: number): string {
  const texts = rows.map(({ cells }) => (cells[index] ?? '').replace(/\s+/g, ' ').trim());
  return texts.reverse().find(isFilled) ?? '';
}

function kindOf(heading: string): ColumnKind | undefined {
  const words = plain(heading);
  return words === '' || words.length > 60 || /\d{4}/.test(words)
    ? undefined
    : HEADINGS.find(([, pattern]) => pattern.test(words))?.[0];
}

interface Column {
  heading: string;
  named: ColumnKind | undefined;
  /** Those that are filled. */
  cells: string[];
  /** The share of the cells that are receipt numbers. */
  numbers: number;
}

function kindsOf(columns: readonly Column[], hasHead: boolean): ColumnKind[] {
  const kinds: ColumnKind[] = columns.map(() => 'ignored');
  const free = () => columns.filter((one) => kinds[columns.indexOf(one)] === 'ignored');
  const assign = (kind: ColumnKind, found: readonly (Column | undefined)[]) => {
    for (const one of found) if (one) kinds[columns.indexOf(one)] = kind;
  };
  assign('receipt', receiptColumns(columns));
  const named = (kind: ColumnKind) => free().filter((one) => one.named === kind);
  assign('tags', named('tags'));
  const ofFrequency = free().find(
    (one) => one.named !== 'ignored' && shareOf(one.cells, isFrequencyWord) >= 0.8,
  );
  assign('frequency', [named('frequency')[0] ?? ofFrequency]);
  const filled = named('nickname').filter(({ cells }) => cells.length > 0);
  const names = filled.length > 0 ? filled : named('nickname');
  const telling = names.filter(({ cells }) => areDistinct(cells));
  const strong = names.find(({ heading }) => STRONG_NICKNAME.test(heading));
  const parts = names.filter(({ heading }) => PART_OF_NAME.test(heading));
  assign(
    'nickname',
    strong
      ? [strong]
      : parts.length > 1
        ? parts
        : [telling.find(({ heading }) => PERSON.test(heading)) ?? telling[0] ?? names[0]],
  );
  if (!hasHead) {
    // In the order of an own list: receipt number, nickname, tags, frequency.
    const [nickname, tags, frequency] = free().filter(({ cells }) => cells.length === 0 || isWordy(cells));
    assign('nickname', [nickname]);
    assign('tags', [tags]);
    if (!kinds.includes('frequency')) assign('frequency', [frequency]);
  } else if (!kinds.includes('nickname'))
    assign('nickname', [
      free().find(({ named, cells }) => named !== 'ignored' && isWordy(cells) && areDistinct(cells)),
    ]);
  return kinds;
}

/** Several where each is named as one, or none is. */
function receiptColumns(columns: readonly Column[]): Column[] {
  const most = Math.max(0, ...columns.map(({ numbers }) => numbers));
  const holding = columns.filter(({ numbers }) => numbers > 0 && numbers >= Math.min(0.5, most));
  const own = holding.filter(({ named }) => named !== 'ignored');
  const called = own.filter(({ named }) => named === 'receipt');
  if (called.length > 0) return called;
  if (holding.length > 0) return own.length > 0 ? own : holding.slice(0, 1);
  // Nothing but broken numbers, which the lines will say.
  const byName = columns.filter(({ named }) => named === 'receipt');
  return [byName.find(({ heading }) => /rec|num|no\b/.test(heading)) ?? byName[0] ?? columns[0]].filter(
    (one) => !!one,
  );
}

function columnOf(rows: readonly Row[], index: number): string[] {
  return rows.map(({ cells }) => cells[index] ?? '').filter(isFilled);
}

const isFilled = (cell: string) => cell.trim() !== '';

function shareOf(cells: readonly string[], fits: (cell: string) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter((cell) => fits(cell)).length / cells.length;
}

/** Words, rather than dates, amounts or addresses. */
function isWordy(cells: readonly string[]): boolean {
  return (
    shareOf(cells, (cell) => /\p{L}/u.test(cell) && !cell.includes('@') && !/\d{3}|\d\/\d|\d-\d/.test(cell)) >
    0.5
  );
}

function areDistinct(cells: readonly string[]): boolean {
  return new Set(cells).size / cells.length > 0.6 && shareOf(cells, (cell) => cell.length <= 60) > 0.8;
}
