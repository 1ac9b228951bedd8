/** What a cell can hold. */
export type CsvValue = string | number | boolean | null | undefined;

/** The byte order mark by which spreadsheets know that a file is UTF-8; it goes before the first row. */
export const CSV_START = '\uFEFF';

/**
 * Returns one row (RFC 4180) with its line end; every value in quotes. A text that a spreadsheet would take for a formula gets
 * an apostrophe before it (OWASP, CSV Injection), also when spaces or quotes stand before the dangerous character.
 */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** Most values begin so: neither a formula nor what may stand before one. Asking for the rest takes longer. */
const PLAIN_START = /^[0-9A-Za-z]/;
const FORMULA = /^[\s'"]*[=+\-@＝＋－＠|%]|^[\t\r\n]/;

function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '""';
  if (typeof value !== 'string') return `"${value}"`;
  const safe = !PLAIN_START.test(value) && FORMULA.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
