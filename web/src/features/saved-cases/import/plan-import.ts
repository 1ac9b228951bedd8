import {
  FREE_SAVED_CASES_MAX,
  NICKNAME_MAX_LENGTH,
  TAG_MAX_LENGTH,
  TAGS_MAX,
  type Tier,
} from '@casewatch/contracts/limits';
import { distinctTags } from '@casewatch/contracts/tag-spelling';
import type { ImportedCase } from '@casewatch/contracts/workspace';
import { t } from '@lingui/core/macro';
import { findReceiptNumbers, readReceiptLines } from '../../../lib/find-receipt-numbers.ts';
import { cleanCell, type Row, shorten } from './cells.ts';
import { frequencyOf } from './frequency-words.ts';
import type { ColumnKind } from './guess-columns.ts';

/** What one request may hold, with room for the rest of its body. */
const PART_BYTES = 80_000;
const PART_CASES = 250;
const SHOWN_MAX = 40;

/** A receipt number of the file or a line without one, and what an import does with it. */
export type ImportLine = { line: number; receiptNumber: string; note?: string } & (
  | { fate: 'new'; case: ImportedCase }
  | { fate: 'saved' | 'repeated' | 'over-limit' }
  | { fate: 'invalid'; reason: string }
);

/** What is known of the user who imports. */
export interface Importer {
  tier: Tier;
  savedNumbers: readonly string[];
}

/** Says what each line would do, at least one of each row. Pure: nothing is saved. */
export function planImport(
  rows: readonly Row[],
  kinds: readonly ColumnKind[],
  { tier, savedNumbers }: Importer,
): ImportLine[] {
  const saved = new Set(savedNumbers);
  const seen = new Set<string>();
  let room = tier === 'pro' ? Number.POSITIVE_INFINITY : FREE_SAVED_CASES_MAX - saved.size;
  const fateOf = (receiptNumber: string): 'new' | 'saved' | 'repeated' | 'over-limit' => {
    if (saved.has(receiptNumber)) return 'saved';
    if (seen.has(receiptNumber)) return 'repeated';
    seen.add(receiptNumber);
    room -= 1;
    return room < 0 ? 'over-limit' : 'new';
  };
  return rows.flatMap((row) => {
    const { line, cells } = row;
    const { receiptNumbers, invalid } = numbersOf(cellsOf(row, kinds, 'receipt'));
    const wrong = invalid.map(({ text, reason }): ImportLine => {
      return { line, receiptNumber: text.slice(0, SHOWN_MAX), fate: 'invalid', reason };
    });
    if (receiptNumbers.length + wrong.length === 0) {
      const text = cells.map(cleanCell).find((cell) => cell !== '') ?? '';
      const reason = t`This line has no receipt number.`;
      return [{ line, receiptNumber: text.slice(0, SHOWN_MAX), fate: 'invalid', reason }];
    }
    const { settings, notes } = settingsOf(row, kinds, tier);
    const note = notes.length > 0 ? { note: notes.join(' ') } : {};
    const right = receiptNumbers.map((receiptNumber): ImportLine => {
      const fate = fateOf(receiptNumber);
      if (fate !== 'new') return { line, receiptNumber, fate };
      return { line, receiptNumber, fate, case: { receiptNumber, ...settings }, ...note };
    });
    return [...right, ...wrong];
  });
}

/** Returns the cases in requests that the server takes. */
export function importParts(cases: readonly ImportedCase[]): ImportedCase[][] {
  const parts: ImportedCase[][] = [];
  let bytes = PART_BYTES;
  for (const one of cases) {
    const size = new TextEncoder().encode(JSON.stringify(one)).length + 1;
    const last = parts.at(-1);
    bytes += size;
    if (last && bytes <= PART_BYTES && last.length < PART_CASES) last.push(one);
    else {
      parts.push([one]);
      bytes = size;
    }
  }
  return parts;
}

function cellsOf({ cells }: Row, kinds: readonly ColumnKind[], kind: ColumnKind): string[] {
  return kinds.flatMap((one, index) => (one === kind ? (cells[index] ?? '') : []));
}

/** In a cell with a number, other words are its label; in one without, they are an attempt at one. */
function numbersOf(cells: readonly string[]) {
  const found = cells.map((cell) => {
    const numbers = findReceiptNumbers(cell);
    return numbers.receiptNumbers.length > 0 ? numbers : readReceiptLines(cell);
  });
  return {
    receiptNumbers: [...new Set(found.flatMap(({ receiptNumbers }) => receiptNumbers))],
    invalid: found.flatMap(({ invalid }) => invalid),
  };
}

function settingsOf(row: Row, kinds: readonly ColumnKind[], tier: Tier) {
  const notes: string[] = row.hasOpenQuote
    ? [t`A quotation mark in this line is not closed: check what was read.`]
    : [];
  const name = cellsOf(row, kinds, 'nickname').map(cleanCell).join(' ').trim();
  const nickname = shorten(name, NICKNAME_MAX_LENGTH);
  if (nickname !== name) notes.push(t`The nickname was shortened to ${NICKNAME_MAX_LENGTH} characters.`);
  const words = cellsOf(row, kinds, 'tags').flatMap((cell) => cell.split(/[,;|\n\r\t]/));
  const whole = distinctTags(words.map(cleanCell));
  const tags = distinctTags(whole.map((tag) => shorten(tag, TAG_MAX_LENGTH)));
  if (tags.some((tag) => !whole.includes(tag)))
    notes.push(t`A tag was shortened to ${TAG_MAX_LENGTH} characters.`);
  if (tags.length > TAGS_MAX) notes.push(t`Only the first ${TAGS_MAX} tags are taken.`);
  const wish = cellsOf(row, kinds, 'frequency').map(cleanCell).join(' ').trim();
  const frequency = frequencyOf(wish);
  if (frequency === undefined)
    notes.push(t`Without monitoring: “${shorten(wish, SHOWN_MAX)}” is none of daily, weekly and monthly.`);
  const isAllowed = tier === 'pro' || (frequency ?? 'none') === 'none';
  if (!isAllowed) notes.push(t`Without monitoring, which is a Pro feature.`);
  const settings: Omit<ImportedCase, 'receiptNumber'> = {
    ...(nickname === '' ? {} : { nickname }),
    ...(tags.length === 0 ? {} : { tags: tags.slice(0, TAGS_MAX) }),
    monitoringFrequency: isAllowed ? (frequency ?? 'none') : 'none',
  };
  return { settings, notes };
}
