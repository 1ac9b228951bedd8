import { isReceiptNumber, plainCharacters, upperLatin } from '@casewatch/contracts/receipt-number';
import { plural, t } from '@lingui/core/macro';

/** A part of a text that looks as if it were meant for a receipt number, and why it is none. */
export interface InvalidReceipt {
  text: string;
  reason: string;
}

export interface FoundReceipts {
  /** Normalised, each once, in the order of the text. */
  receiptNumbers: string[];
  invalid: InvalidReceipt[];
  /** How many more times one of them stood in the text. */
  duplicates: number;
}

/** More than any e-mail, letter or column; what comes after is not read, so that a huge text costs no more. */
export const TEXT_MAX = 500_000;
/** A receipt number is on one line; of a longer one only the beginning of each part is looked at. */
const SHOWN_MAX = 40;

/** Prefixes of the agency's offices; after these, spaces may stand before the digits. */
const KNOWN_PREFIXES = 'CSC|EAC|ESC|IOE|LIN|MCT|MSC|NBC|NSC|PSC|RES|SRC|TSC|VSC|WAC|YSC';
/** Between the characters of one number: a few spaces or dashes, as notices print and programs wrap them. */
const GAP = '[ -]{0,3}';
const SPREAD_DIGITS = `[0-9](?:${GAP}[0-9]){9}(?![ -]{0,1}[0-9]|[A-Z])`;
/** Ten digits in a row are whole, whatever follows them: a date, or the number of a copy. */
const DIGITS = `(?:[0-9]{10}(?![0-9A-Z])|${SPREAD_DIGITS})`;
/** What stands before a match is its first group: Safari before 16.4 has no lookbehind. No match ends right before another. */
const BEFORE = '(^|[^A-Z0-9])';
const NUMBER = new RegExp(`${BEFORE}((?:(?:${KNOWN_PREFIXES})${GAP}|[A-Z]{3}-{0,2})${DIGITS})`, 'g');
/** Of Latin, Greek and Cyrillic words, accents included. */
const LETTER = '[A-Z\u00c0-\u052f]';
/** What comes close: a known prefix, or letters and many digits in one word. */
const NEAR_MISS = new RegExp(
  `${BEFORE}((?:${KNOWN_PREFIXES})${GAP}[0-9*OIL](?:${GAP}[0-9*OIL]){3,19}|${LETTER}{1,5}[0-9*]{7,20})(?![A-Z0-9])`,
  'g',
);

/**
 * Finds the receipt numbers in a text of any kind: an e-mail, a letter, a column of a table. Labels, commas, all kinds
 * of dashes, spaces and invisible characters around and in them do not matter. The work grows with the text's length.
 */
export function findReceiptNumbers(text: string): FoundReceipts {
  return collect(plainLines(text).flatMap(findInLine));
}

/**
 * Reads what stands in a box with one receipt number per line: as `findReceiptNumbers`, but a line without one is not
 * passed over, it is invalid.
 */
export function readReceiptLines(text: string): FoundReceipts {
  return collect(
    plainLines(text).flatMap((line) => {
      const found = findInLine(line);
      return found.length > 0 ? found : [{ text: line.slice(0, SHOWN_MAX), reason: whyInvalid(line) }];
    }),
  );
}

type Finding = string | InvalidReceipt;

/** A tab stays: it stands between the cells of a table, where a receipt number ends. */
function plainLines(text: string): string[] {
  return text
    .slice(0, TEXT_MAX)
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) =>
      plainCharacters(line)
        .replace(/[\s\p{Cc}]+/gu, (gap) => (gap.includes('\t') ? '\t' : ' '))
        .trim(),
    )
    .filter((line) => line !== '');
}

function findInLine(line: string): Finding[] {
  const upper = upperLatin(line);
  const whole = upper.replace(/[\s-]+/g, '');
  if (isReceiptNumber(whole)) return [whole];
  const rest: string[] = [];
  const found: { at: number; finding: Finding }[] = [];
  let end = 0;
  for (const { match, index } of matchesOf(NUMBER, upper)) {
    found.push({ at: index, finding: match.replace(/[ -]+/g, '') });
    rest.push(upper.slice(end, index).padEnd(index - end), ' '.repeat(match.length));
    end = index + match.length;
  }
  const others = rest.join('') + upper.slice(end);
  for (const { match, index } of matchesOf(NEAR_MISS, others)) {
    found.push({
      at: index,
      finding: { text: line.slice(index, index + match.length), reason: whyInvalid(match) },
    });
  }
  return found.sort((a, b) => a.at - b.at).map(({ finding }) => finding);
}

function matchesOf(pattern: RegExp, text: string): { match: string; index: number }[] {
  return [...text.matchAll(pattern)].map(({ 1: before = '', 2: match = '', index }) => ({
    match,
    index: index + before.length,
  }));
}

/** Why a text is no receipt number, and how to correct it. */
function whyInvalid(text: string): string {
  const compact = upperLatin(text.slice(0, SHOWN_MAX)).replace(/[\s-]+/g, '');
  const [, letters = '', rest = ''] = /^([A-Z]*)(.*)$/.exec(compact) ?? [];
  const digits = rest.replace(/[^0-9]/g, '').length;
  // Prose in another alphabet has spaces, and hardly a digit.
  if (/[^A-Z\P{L}]/u.test(compact) && (digits > 0 || !/\s/.test(text)))
    return t`Has letters other than A to Z`;
  if (digits === 0) return t`Not a receipt number`;
  if (rest.includes('*')) return t`The * hides a digit. Type the whole number.`;
  if (letters.length === 0) return t`The 3 letters at the start are missing`;
  if (letters.length !== 3) {
    return plural(letters.length, {
      one: 'Starts with # letter instead of 3',
      other: 'Starts with # letters instead of 3',
    });
  }
  if (/[OIL]/.test(rest)) return t`Has a letter among the digits. Is it a 0 or a 1?`;
  if (digits !== rest.length) return t`Has other characters among the digits`;
  return plural(digits, {
    one: 'Has # digit instead of 10 after the letters',
    other: 'Has # digits instead of 10 after the letters',
  });
}

function collect(findings: readonly Finding[]): FoundReceipts {
  const numbers = findings.filter((finding) => typeof finding === 'string');
  const receiptNumbers = [...new Set(numbers)];
  return {
    receiptNumbers,
    invalid: findings.filter((finding) => typeof finding !== 'string'),
    duplicates: numbers.length - receiptNumbers.length,
  };
}
