import { unzipSync, zipSync } from 'fflate';
import { isReceiptCell, type Row } from './cells.ts';
import { parseCsv } from './parse-csv.ts';
import { tidyWorkbook } from './tidy-workbook.ts';

/** Why a file has no rows to import. */
export type FileProblem =
  | 'empty'
  | 'pdf'
  | 'image'
  | 'locked'
  | 'old-excel'
  | 'web-page'
  | 'damaged'
  | 'unpacked-too-large'
  | 'other';

/** `otherSheets`: those with receipt numbers that are not read. */
export type FileRows = { rows: Row[]; otherSheets?: string[] } | { problem: FileProblem };

/** Begins of files, each byte as one character. */
const SIGNATURES: readonly (readonly [pattern: RegExp, problem: FileProblem])[] = [
  [/%PDF-\d/, 'pdf'],
  [/^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*|MM.\*|RIFF[\s\S]{4}WEBP|[\s\S]{4}ftyp(?:hei|hev|mif|avif))/, 'image'],
  [/^\{\\rtf/, 'other'],
];
const WEB_PAGE = /^\s*<(?:!doctype|html|head|body|table|meta|\?xml|svg)/i;
/** Many times what a workbook of 1 MB holds: more is a file that was made to fill the memory. */
const UNPACKED_MAX_BYTES = 60_000_000;

/** Returns the rows of a CSV file or of the sheet of an Excel workbook that has the most receipt numbers; never throws. */
export async function readRows(bytes: Uint8Array): Promise<FileRows> {
  const head = String.fromCharCode(...bytes.subarray(0, 1_000));
  const known = SIGNATURES.find(([pattern]) => pattern.test(head))?.[1];
  if (known) return { problem: known };
  if (head.startsWith('\xd0\xcf\x11\xe0')) return { problem: compoundFileProblem(bytes) };
  if (head.startsWith('PK\x03\x04')) return readWorkbook(bytes);
  const text = decodeText(bytes);
  if (text === undefined) return { problem: 'other' };
  if (WEB_PAGE.test(text)) return { problem: 'web-page' };
  const rows = parseCsv(text);
  return rows.length > 0 ? { rows } : { problem: 'empty' };
}

/** Excel keeps a workbook with a password in the container of its old format ([MS-OFFCRYPTO] 2.3.4). */
function compoundFileProblem(bytes: Uint8Array): FileProblem {
  const name = [...'EncryptedPackage'].map((letter) => `${letter}\0`).join('');
  return new TextDecoder('latin1').decode(bytes).includes(name) ? 'locked' : 'old-excel';
}

async function readWorkbook(bytes: Uint8Array): Promise<FileRows> {
  // The first bit of the flags: what is in the archive is encrypted (APPNOTE 4.4.4).
  if ((bytes[6] ?? 0) & 1) return { problem: 'locked' };
  try {
    let size = 0;
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.(?:xml|rels)$/.test(name)) return false;
        size += originalSize;
        return size <= UNPACKED_MAX_BYTES;
      },
    });
    if (size > UNPACKED_MAX_BYTES) return { problem: 'unpacked-too-large' };
    if (!Object.keys(files).some((name) => name.startsWith('xl/'))) return { problem: 'other' };
    const tidy = tidyWorkbook(files);
    if (!tidy) return { problem: 'unpacked-too-large' };
    const { default: readXlsxFile } = await import('read-excel-file/universal');
    // Stored without compression: the reader would start workers of its own, which the page's policy does not allow.
    const sheets = await readXlsxFile(zipSync(tidy, { level: 0 }).buffer, { parseNumber: (text) => text });
    const tables = sheets.map(({ data }) => data.map((cells) => cells.map(textOf)));
    const receipts = tables.map((table) => table.filter((cells) => cells.some(isReceiptCell)).length);
    const chosen = receipts.indexOf(Math.max(...receipts));
    const others = sheets.filter((_, nth) => nth !== chosen && (receipts[nth] ?? 0) > 0);
    const otherSheets = others.map(({ sheet }) => sheet);
    const table = tables[chosen] ?? [];
    const rows = table.flatMap((cells, nth) =>
      cells.some((cell) => cell.trim() !== '') ? [{ line: nth + 1, cells }] : [],
    );
    if (rows.length === 0) return { problem: 'empty' };
    return otherSheets.length > 0 ? { rows, otherSheets } : { rows };
  } catch {
    return { problem: 'damaged' };
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return value === null || value === undefined ? '' : String(value);
}

/** Returns the text of a file in UTF-8, UTF-16 or Windows-1252, with or without a byte order mark; undefined for anything else. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = utf16Of(bytes);
  const decoded = encoding
    ? new TextDecoder(encoding).decode(bytes.subarray(0, bytes.length & ~1))
    : decodeBytes(bytes);
  const text = decoded.replace(/^\uFEFF+|\0/g, '');
  const controls = text.match(/(?!\s)\p{Cc}/gu)?.length ?? 0;
  return controls * 20 > text.length ? undefined : text;
}

function decodeBytes(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const others = text.match(/\P{ASCII}/gu) ?? [];
  const broken = others.filter((one) => one === '\uFFFD').length;
  // A single broken character does not make the accents of the others wrong.
  if (broken * 2 <= others.length) return text;
  // Excel for Mac ends lines with CR alone.
  return new TextDecoder(/\r(?!\n)/.test(text) && !text.includes('\n') ? 'macintosh' : 'windows-1252').decode(
    bytes,
  );
}

/** By the mark, else by the zeros that are the other halves of ASCII. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 1_000);
  const zeros = [0, 1].map((half) => sample.filter((byte, at) => byte === 0 && at % 2 === half).length);
  const [high = 0, low = 0] = zeros;
  if (Math.max(high, low) * 5 < sample.length) return undefined;
  return low > high ? 'utf-16le' : 'utf-16be';
}
