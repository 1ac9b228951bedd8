import { isReceiptNumber, plainCharacters, upperLatin } from '@casewatch/contracts/receipt-number';
import { plural, t } from '@lingui/core/macro';

/** A part of a text that looks as if it were meant for a receipt number, and why it is none. */
export interface InvalidReceipt {
  text: string;
  reason: string;
  /** Where it stands: the line of the text, and how many findings of this line come before it. */
  line: number;
  at: number;
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

const LINE_END = /\r\n|[\r\n\u2028\u2029]/;

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

/** Seven digits or more with what people put between them, and words of digits and letters. */
const OTHER_NUMBER = new RegExp(
  `${BEFORE}((?:[A-Z][ #.-]{0,2})?[(+]?[0-9](?:[ ./()-]{0,2}[0-9]){6,19}(?![A-Z0-9])|(?=(?:[A-Z]{0,20}[0-9]){4})[A-Z0-9]{7,20}(?![A-Z0-9]))`,
  'g',
);

/**
 * Finds the receipt numbers in a text of any kind: an e-mail, a letter, a column of a table. Labels, commas, all kinds
 * of dashes, spaces and invisible characters around and in them do not matter. The work grows with the text's length.
 * Everything else that looks like a number is invalid: A-Numbers, passports, phones, dates.
 */
export function findReceiptNumbers(text: string): FoundReceipts {
  return collect(plainLines(text).map((line) => findInLine(line, true)));
}

/**
 * Reads what stands in a box with one receipt number per line: as `findReceiptNumbers`, but a line without one is not
 * passed over, it is invalid.
 */
export function readReceiptLines(text: string): FoundReceipts {
  return collect(plainLines(text).map(readLine));
}

/** Returns the text of the box without one of its invalid entries; nothing but the entry's line changes. */
export function withoutEntry(text: string, { line, at }: InvalidReceipt): string {
  const lines = text.split(LINE_END);
  const rest = plainLines(lines[line] ?? '')
    .flatMap(readLine)
    .filter((_, index) => index !== at);
  lines.splice(line, 1, ...rest.map((finding) => (typeof finding === 'string' ? finding : finding.text)));
  return lines.join('\n');
}

type Finding = string | Pick<InvalidReceipt, 'text' | 'reason'>;

function readLine(line: string): Finding[] {
  const found = findInLine(line);
  if (found.length > 0 || line === '') return found;
  return [{ text: line.slice(0, SHOWN_MAX), reason: whyInvalid(line) }];
}

/** A tab stays: it stands between the cells of a table, where a receipt number ends. */
function plainLines(text: string): string[] {
  return text
    .slice(0, TEXT_MAX)
    .split(LINE_END)
    .map((line) =>
      plainCharacters(line)
        .replace(/[\s\p{Cc}]+/gu, (gap) => (gap.includes('\t') ? '\t' : ' '))
        .trim(),
    );
}

function findInLine(line: string, alsoOthers = false): Finding[] {
  const upper = upperLatin(line);
  const whole = upper.replace(/[\s-]+/g, '');
  if (isReceiptNumber(whole)) return [whole];
  const found: { at: number; finding: Finding }[] = [];
  const take = (pattern: RegExp, text: string, read: (match: string, at: number) => Finding) =>
    text.replace(pattern, (all: string, before: string, match: string, index: number) => {
      const at = index + before.length;
      found.push({ at, finding: read(match, at) });
      // What was found is no part of anything else.
      return ' '.repeat(all.length);
    });
  const invalid = (why: (match: string) => string) => (match: string, at: number) => ({
    text: line.slice(at, at + match.length),
    reason: why(match),
  });
  const others = take(
    NEAR_MISS,
    take(NUMBER, upper, (match) => match.replace(/[ -]+/g, '')),
    invalid(whyInvalid),
  );
  if (alsoOthers)
    take(
      OTHER_NUMBER,
      others,
      invalid(() => t`Not a receipt number`),
    );
  return found.sort((a, b) => a.at - b.at).map(({ finding }) => finding);
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

function collect(lines: readonly (readonly Finding[])[]): FoundReceipts {
  const numbers = lines.flat().filter((finding) => typeof finding === 'string');
  const receiptNumbers = [...new Set(numbers)];
  return {
    receiptNumbers,
    invalid: lines.flatMap((findings, line) =>
      findings.flatMap((finding, at) => (typeof finding === 'string' ? [] : [{ ...finding, line, at }])),
    ),
    duplicates: numbers.length - receiptNumbers.length,
  };
}
