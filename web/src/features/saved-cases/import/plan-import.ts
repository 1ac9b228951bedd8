import {
  FREE_SAVED_CASES_MAX,
  MONITORING_FREQUENCIES,
  type MonitoringFrequency,
  NICKNAME_MAX_LENGTH,
  TAG_MAX_LENGTH,
  TAGS_MAX,
  type Tier,
} from '@casewatch/contracts/limits';
import type { ImportedCase } from '@casewatch/contracts/workspace';
import { t } from '@lingui/core/macro';
import { decodeText, parseCsv } from '../../lib/csv.ts';
import { readReceiptLines } from '../../lib/find-receipt-numbers.ts';
import { count } from '../../lib/format-number.ts';
import { distinctTags } from './tag-list.tsx';

export const FILE_MAX_BYTES = 1_000_000;
const LINES_MAX = 5_000;
/** What one request may hold, with room for the rest of its body. */
const PART_BYTES = 80_000;
const PART_CASES = 500;

/** A line of the file, and what an import does with it. */
export type ImportLine = { line: number; receiptNumber: string } & (
  | { fate: 'new'; case: ImportedCase; note?: string }
  | { fate: 'saved' | 'repeated' | 'over-limit' }
  | { fate: 'invalid'; reason: string }
);

export type ImportPreview = { lines: ImportLine[] } | { problem: string };

/** What is known of who imports. */
export interface Importer {
  tier: Tier;
  savedNumbers: readonly string[];
}

/** Says what each line of a CSV file would do. Pure: nothing is saved. */
export function previewImport(bytes: Uint8Array, importer: Importer): ImportPreview {
  if (bytes.byteLength > FILE_MAX_BYTES) return { problem: tooLarge(bytes.byteLength) };
  const text = decodeText(bytes);
  if (text === undefined)
    return { problem: t`This file is not UTF-8 or UTF-16 text. Save the file as "CSV UTF-8" and try again.` };
  const rows = parseCsv(text);
  if (rows.length > LINES_MAX) {
    return {
      problem: t`This file has ${count(rows.length)} lines. The limit is ${count(LINES_MAX)} lines.`,
    };
  }
  const columns = columnsOf(rows[0]?.cells ?? []);
  const body = columns.isHead ? rows.slice(1) : rows;
  if (body.length === 0) return { problem: t`This file has no cases.` };
  return { lines: linesOf(body, columns, importer) };
}

export function tooLarge(bytes: number): string {
  // Rounded up: a little more than the limit is not shown as the limit.
  return t`This file is ${(Math.ceil(bytes / 100_000) / 10).toFixed(1)} MB. The limit is ${FILE_MAX_BYTES / 1_000_000} MB.`;
}

/** Returns the new cases in requests that the server takes. */
export function importParts(lines: readonly ImportLine[]): ImportedCase[][] {
  const parts: ImportedCase[][] = [];
  let bytes = PART_BYTES;
  for (const line of lines) {
    if (line.fate !== 'new') continue;
    const size = new TextEncoder().encode(JSON.stringify(line.case)).length + 1;
    const last = parts.at(-1);
    bytes += size;
    if (last && bytes <= PART_BYTES && last.length < PART_CASES) last.push(line.case);
    else {
      parts.push([line.case]);
      bytes = size;
    }
  }
  return parts;
}

interface Columns {
  isHead: boolean;
  receiptNumber: number;
  nickname: number;
  tags: number;
  frequency: number;
}

/** In English and in Spanish, whatever the page is in: files come from other people. */
const NAMES = {
  receiptNumber: 'receiptnumber receipt receiptno casenumber case numeroderecibo recibo numerodecaso caso',
  nickname: 'nickname name client nombrecorto apodo nombre cliente',
  tags: 'tags tag etiquetas etiqueta',
  frequency: 'frequency monitoring monitoringfrequency frecuencia monitoreo',
};
const SPANISH_FREQUENCIES: readonly (readonly [pattern: RegExp, frequency: MonitoringFrequency])[] = [
  [/^ningun[ao]$/, 'none'],
  [/^diari[ao]$/, 'daily'],
  [/^semanal$/, 'weekly'],
  [/^mensual$/, 'monthly'],
];

/** Which column is which, by the first line; without a heading they come in the order of the names. */
function columnsOf(head: readonly string[]): Columns {
  const words = head.map((cell) => plain(cell).replace(/[^a-z]/g, ''));
  const find = (names: string) => words.findIndex((word) => names.split(' ').includes(word));
  const receiptNumber = find(NAMES.receiptNumber);
  if (receiptNumber < 0) return { isHead: false, receiptNumber: 0, nickname: 1, tags: 2, frequency: 3 };
  return {
    isHead: true,
    receiptNumber,
    nickname: find(NAMES.nickname),
    tags: find(NAMES.tags),
    frequency: find(NAMES.frequency),
  };
}

function linesOf(
  rows: ReturnType<typeof parseCsv>,
  columns: Columns,
  { tier, savedNumbers }: Importer,
): ImportLine[] {
  const saved = new Set(savedNumbers);
  const seen = new Set<string>();
  let room = tier === 'pro' ? Number.POSITIVE_INFINITY : FREE_SAVED_CASES_MAX - saved.size;
  return rows.map(({ line, cells }) => {
    const typed = cells[columns.receiptNumber] ?? '';
    const { receiptNumbers, invalid } = readReceiptLines(typed);
    const [receiptNumber] = receiptNumbers;
    if (receiptNumber === undefined || receiptNumbers.length > 1) {
      const reason =
        receiptNumber === undefined
          ? (invalid[0]?.reason ?? t`This line has no receipt number.`)
          : t`There are ${receiptNumbers.length} receipt numbers in this cell.`;
      return { line, receiptNumber: typed.slice(0, 40), fate: 'invalid', reason };
    }
    const read = caseOf(receiptNumber, cells, columns, tier);
    if ('reason' in read) return { line, receiptNumber, fate: 'invalid', reason: read.reason };
    if (saved.has(receiptNumber)) return { line, receiptNumber, fate: 'saved' };
    if (seen.has(receiptNumber)) return { line, receiptNumber, fate: 'repeated' };
    seen.add(receiptNumber);
    room -= 1;
    return room < 0
      ? { line, receiptNumber, fate: 'over-limit' }
      : { line, receiptNumber, fate: 'new', ...read };
  });
}

function caseOf(
  receiptNumber: string,
  cells: readonly string[],
  columns: Columns,
  tier: Tier,
): { case: ImportedCase; note?: string } | { reason: string } {
  const nickname = cells[columns.nickname] ?? '';
  const tags = distinctTags((cells[columns.tags] ?? '').split(/[,;|]/));
  const frequency = frequencyOf(cells[columns.frequency] ?? '');
  if ([...nickname].length > NICKNAME_MAX_LENGTH)
    return { reason: t`The nickname has more than ${NICKNAME_MAX_LENGTH} characters.` };
  if (tags.length > TAGS_MAX) return { reason: t`There are more than ${TAGS_MAX} tags.` };
  if (tags.some((tag) => [...tag].length > TAG_MAX_LENGTH))
    return { reason: t`A tag has more than ${TAG_MAX_LENGTH} characters.` };
  if (frequency === undefined) return { reason: t`The frequency is none, daily, weekly or monthly.` };
  const isAllowed = tier === 'pro' || frequency === 'none';
  return {
    case: {
      receiptNumber,
      ...(nickname === '' ? {} : { nickname }),
      ...(tags.length === 0 ? {} : { tags }),
      monitoringFrequency: isAllowed ? frequency : 'none',
    },
    ...(isAllowed ? {} : { note: t`Without monitoring, which is a Pro feature.` }),
  };
}

function frequencyOf(text: string): MonitoringFrequency | undefined {
  const word = plain(text);
  if (word === '') return 'none';
  const spanish = SPANISH_FREQUENCIES.find(([pattern]) => pattern.test(word))?.[1];
  return spanish ?? MONITORING_FREQUENCIES.find((one) => one === word);
}

/** In lower case and without accents. */
function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
