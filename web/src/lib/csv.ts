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

/** Reads CSV with commas, semicolons or tabs, whichever the first line has most of; in one pass. Blank lines are left out. */
export function parseCsv(text: string): { line: number; cells: string[] }[] {
  const separator = separatorOf(text);
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let startedAt = 1;
  let isQuoted = false;
  const endRow = () => {
    cells.push(cell.trim());
    if (cells.some((one) => one !== '')) rows.push({ line: startedAt, cells: cells.map(withoutApostrophe) });
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\n') line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (character === separator) {
      cells.push(cell.trim());
      cell = '';
    } else if (character === '\n' || character === '\r') {
      endRow();
      startedAt = line;
    } else cell += character;
  }
  endRow();
  return rows;
}

/** What an export put before a formula. */
function withoutApostrophe(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

function separatorOf(text: string): string {
  const head = text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? '';
  const count = (separator: string) => head.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Returns the text of a file in UTF-8 or UTF-16, with or without a byte order mark; undefined for anything else. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a mark: a receipt number or a heading begins with ASCII, whose other half is zero in UTF-16.
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : 'utf-8';
}
