import { stringify } from 'csv-stringify/sync';

/** What a cell can hold. */
export type CsvValue = string | number | boolean | null | undefined;

/** The byte order mark by which spreadsheets know that a file is UTF-8; it goes before the first row. */
export const CSV_START = '\uFEFF';

const FORMULA = /^[\s'"]*[=+\-@＝＋－＠|%]|^[\t\r\n]/;
const OPTIONS = {
  quoted: true,
  quoted_empty: true,
  record_delimiter: 'windows',
  cast: {
    string: (text: string) => (FORMULA.test(text) ? `'${text}` : text),
    boolean: String,
  },
};

/**
 * Returns one row (RFC 4180) with its line end; every value in quotes. A text that a spreadsheet would take for a formula gets
 * an apostrophe before it (OWASP, CSV Injection), also when spaces or quotes stand before the dangerous character.
 */
export function csvRow(values: readonly CsvValue[]): string {
  return stringify([[...values]], OPTIONS);
}
