import { strToU8, zipSync } from 'fflate';

type Cell = string | number | null;

/** Makes an Excel workbook of sheets of cells; `merged` are ranges of the first sheet. */
export function workbookFile(
  sheets: readonly (readonly (readonly Cell[])[])[],
  merged: readonly string[] = [],
): Uint8Array<ArrayBuffer> {
  const xml = (body: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${body}`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const numbers = sheets.map((_, nth) => nth + 1);
  const relationship = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`;
  return zipSync({
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${relations}">${relationship(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${numbers
        .map((one) => `<sheet name="Sheet${one}" sheetId="${one}" r:id="rId${one}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${relations}">${numbers
        .map((one) => relationship(one, 'worksheet', `worksheets/sheet${one}.xml`))
        .join('')}</Relationships>`,
    ),
    ...Object.fromEntries(
      sheets.map((rows, nth) => {
        const merges = nth === 0 && merged.length > 0 ? mergeCells(merged) : '';
        const data = rows.map((cells, at) => rowXml(cells, at + 1)).join('');
        const sheet = `<worksheet xmlns="${main}"><sheetData>${data}</sheetData>${merges}</worksheet>`;
        return [`xl/worksheets/sheet${nth + 1}.xml`, xml(sheet)];
      }),
    ),
  }) as Uint8Array<ArrayBuffer>;
}

function mergeCells(ranges: readonly string[]): string {
  return `<mergeCells>${ranges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;
}

function rowXml(cells: readonly Cell[], row: number): string {
  const written = cells.map((value, at) => {
    if (value === null) return '';
    const place = `r="${String.fromCharCode(65 + at)}${row}"`;
    if (typeof value === 'number') return `<c ${place}><v>${value}</v></c>`;
    const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
  });
  return `<row r="${row}">${written.join('')}</row>`;
}
