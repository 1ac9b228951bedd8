const FORMULA = /^[\s'"]*[=+\-@＝＋－＠|%]|^[\t\r\n]/;

/**
 * Writes rows as CSV (RFC 4180), every value in quotes, with the byte order mark by which spreadsheets know UTF-8. A text that
 * a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function writeCsv(rows: readonly (readonly (string | null)[])[]): string {
  const cell = (value: string | null) => `"${safe(value ?? '').replaceAll('"', '""')}"`;
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

function safe(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Returns the text without what an export put before a formula. */
export function withoutFormulaMark(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
