import Papa from 'papaparse';
import { isReceiptCell, type Row } from './cells.ts';

const SEPARATORS = [',', ';', '\t', '|'];
/** What the separator is found by. */
const SAMPLE_LINES = 200;
/** A cell of more lines is an open quotation mark. */
const CELL_LINES_MAX = 60;

/**
 * Reads CSV with any usual separator and line end. A quotation mark that is not closed ends with its line, which is marked, instead of
 * taking the lines after it along. Blank rows are left out.
 */
export function parseCsv(file: string): Row[] {
  const text = file.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n').replace(/\\"(?![,;\t|\n]|$)/g, '""');
  // Excel's own first line names the separator.
  const [first = '', named] = /^"?sep=(\\t|[^\n"])"?[^\n]*(?:\n|$)/i.exec(text) ?? [];
  const lines = unwrapped(text.slice(first.length).split('\n'));
  const separator = named === '\\t' ? '\t' : (named ?? separatorOf(lines.slice(0, SAMPLE_LINES)));
  return numbersApart(readLines(lines, separator, first === '' ? 1 : 2));
}

/** In a list of one column (`1. Ana Lee: EAC9999103403`) the receipt number of each row gets a cell of its own, before the rest. */
function numbersApart(rows: Row[]): Row[] {
  if (rows.some(({ cells }) => cells.length > 1 || cells.some(isReceiptCell))) return rows;
  const apart = rows.map((row): Row => {
    const [text = ''] = row.cells;
    const [number, ...others] = text.match(/\b[A-Z]{3}[ -]?[0-9]{10}\b/gi) ?? [];
    if (number === undefined || others.length > 0) return row;
    const rest = text.replace(number, ' ').replace(/^\s*\d+[.)](?=\s)/, '');
    return { ...row, cells: [number, rest.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, '')] };
  });
  const words = apart.flatMap(({ cells }) => cells.slice(1));
  return new Set(words).size > 1 ? apart : rows;
}

/** Returns lines that are one cell each, with the quotation marks of its own cells doubled, as what those cells are. */
function unwrapped(lines: string[]): string[] {
  const isWrapped = lines.every((line) => /^\s*$|^"(?:[^"]|"")*"\s*$/.test(line));
  return isWrapped ? lines.map((line) => line.trim().slice(1, -1).replaceAll('""', '"')) : lines;
}

function readLines(lines: readonly string[], separator: string, firstLine: number): Row[] {
  const rows: Row[] = [];
  const open: [row: Row, text: string][] = [];
  for (let at = 0; at < lines.length; ) {
    const { cells, length } = readRow(lines, at, separator);
    const row: Row = { line: at + firstLine, cells, ...(length === 0 ? { hasOpenQuote: true } : {}) };
    if (length === 0) open.push([row, lines[at] ?? '']);
    rows.push(row);
    at += Math.max(1, length);
  }
  const width = middleWidth(rows.filter(({ hasOpenQuote }) => !hasOpenQuote));
  for (const [row, line] of open) row.cells = readOpenLine(line, separator, width);
  return rows.filter(({ cells }) => cells.some((cell) => /[^\s,;|]/.test(cell)));
}

/** Returns the cells of the row that begins with a line, and how many lines it has; 0 where a quotation mark is open. */
function readRow(
  lines: readonly string[],
  at: number,
  separator: string,
): { cells: string[]; length: number } {
  const line = lines[at] ?? '';
  if (!line.includes('"')) return { cells: line.split(separator), length: 1 };
  for (let length = 1; length <= CELL_LINES_MAX && at + length <= lines.length; length += 1) {
    const others = lines.slice(at + 1, at + length);
    const { cells, isOpen, isOdd } = parseRow([line, ...others].join('\n'), separator);
    const isRow = (other: string) => {
      const parts = other.split(separator);
      // A number next to a quotation mark begins or ends a cell of several lines.
      const hasNumber = parts.some((part) => isReceiptCell(part) && (isOdd || !part.includes('"')));
      const isLike = parts.length > 1 && parts.length === line.split(separator).length;
      return isOdd ? hasNumber || isLike : hasNumber && parts.length > 1;
    };
    if (others.some(isRow)) break;
    if (!isOpen) return { cells, length };
  }
  return { cells: [], length: 0 };
}

/** `isOdd`: a quotation mark is where none can be. */
function parseRow(text: string, separator: string, quoteChar = '"') {
  // A space before a quotation mark is no part of the cell.
  const tidy = text.replace(new RegExp(`(^|${separator.replace('|', '\\|')}) +"(?!")`, 'g'), '$1"');
  const { data, errors } = Papa.parse<string[]>(tidy, { delimiter: separator, newline: '\n', quoteChar });
  return {
    cells: data[0] ?? [],
    isOpen: errors.some(({ code }) => code === 'MissingQuotes'),
    isOdd: errors.some(({ code }) => code === 'InvalidQuotes'),
  };
}

/** With the quotation mark closed at the end of the line, or without it where that matches the other rows. */
function readOpenLine(line: string, separator: string, width: number): string[] {
  const split = parseRow(line, separator, '\0').cells.map((cell) =>
    cell.replace(/^\s*"(.*)"\s*$|^\s*"([^"]*)$|^([^"]*)"\s*$/, '$1$2$3').replaceAll('""', '"'),
  );
  return split.length === width ? split : parseRow(`${line}"`, separator).cells;
}

/** Returns the separator by which the most rows have a receipt number of their own; among those, the one that makes the most columns. */
function separatorOf(lines: readonly string[]): string {
  const scored = SEPARATORS.map((separator) => {
    const rows = readLines(lines, separator, 1);
    const receipts = rows.filter(({ cells }) => cells.some(isReceiptCell)).length;
    return { separator, receipts, width: middleWidth(rows) };
  });
  return scored.reduce((best, one) =>
    one.receipts > best.receipts || (one.receipts === best.receipts && one.width > best.width) ? one : best,
  ).separator;
}

function middleWidth(rows: readonly Row[]): number {
  const widths = rows.map(({ cells }) => cells.length).sort((one, other) => one - other);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}
