import { strFromU8, strToU8 } from 'fflate';

type Files = Record<string, Uint8Array>;

const TAGS = /<((?:\w+:)?)(row|c)(?=[\s/>])([^>]*?)(\/?)>/g;
/** 5,000 lines of 400 columns: the reader makes a cell of every gap. */
const CELLS_MAX = 2_000_000;

/**
 * Returns the parts of a workbook as the reader can read them: every cell with its place, which some programs leave out, without the
 * empty ones that are only colored, and without the sheets that are charts; undefined where one cell is so far from the others
 * that the memory would not do.
 */
export function tidyWorkbook(files: Files): Files | undefined {
  const tidy = { ...files };
  for (const [name, bytes] of Object.entries(files)) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/i.test(name)) continue;
    const sheet = tidySheet(strFromU8(bytes));
    if (sheet === undefined) return undefined;
    tidy[name] = strToU8(sheet);
  }
  const [list, links] = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'].map((name) => files[name]);
  if (!list || !links) return tidy;
  const charts = [...strFromU8(links).matchAll(/<[^<>]*\/(?:chart|dialog|macro)sheet"[^<>]*>/gi)].map(
    ([link]) => /\sId="([^"]*)"/.exec(link)?.[1],
  );
  tidy['xl/workbook.xml'] = strToU8(
    strFromU8(list).replace(/<(?:\w+:)?sheet\s[^<>]*>/g, (sheet) =>
      charts.includes(/:id="([^"]*)"/.exec(sheet)?.[1]) ? '' : sheet,
    ),
  );
  return tidy;
}

function tidySheet(xml: string): string | undefined {
  let [row, column, lastRow, lastColumn] = [0, 0, 0, 0];
  const tidy = xml.replace(TAGS, (all, prefix: string, tag: string, attributes: string, end: string) => {
    const [, letters = '', digits] = /\sr="([A-Z]*)(\d*)"/.exec(attributes) ?? [];
    if (tag === 'row') {
      row = digits ? Number(digits) : row + 1;
      column = 0;
      return digits || end ? all : `<${prefix}row r="${row}"${attributes}>`;
    }
    column = letters === '' ? column + 1 : columnOf(letters);
    if (end) return '';
    lastRow = Math.max(lastRow, row);
    lastColumn = Math.max(lastColumn, column);
    return letters === '' ? `<${prefix}c r="${lettersOf(column)}${row}"${attributes}>` : all;
  });
  return lastRow * lastColumn > CELLS_MAX ? undefined : tidy;
}

function columnOf(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

function lettersOf(column: number): string {
  if (column === 0) return '';
  return lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
}
