import { upperLatin } from '@casewatch/contracts/receipt-number';
import { plural, t } from '@lingui/core/macro';
import {
  BEFORE,
  type Finding,
  findInLine,
  isNumber,
  LINE_END,
  plainLines,
  readLine,
  SHOWN_MAX,
  unbroken,
} from './receipt-findings.ts';

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

/** Seven digits or more with what people put between them, and words of digits and letters. */
const OTHER_NUMBER = new RegExp(
  `${BEFORE}((?:[A-Z][ #.-]{0,2})?[(+]?[0-9](?:[ ./()-]{0,2}[0-9]){6,19}(?![A-Z0-9])|(?=(?:[A-Z]{0,20}[0-9]){4})[A-Z0-9]{7,40}(?![A-Z0-9]))`,
  'g',
);

/**
 * Finds the receipt numbers in a text of any kind: an e-mail, a letter, a column of a table. Labels, commas, all kinds
 * of dashes, spaces and invisible characters around and in them do not matter. The work grows with the text's length.
 * Everything else that looks like a number is invalid: A-Numbers, passports, phones, dates.
 */
export function findReceiptNumbers(text: string): FoundReceipts {
  return collect(plainLines(unbroken(text)).map((line) => findInLine(line, OTHER_NUMBER)));
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
  lines.splice(line, 1, ...rest.map((finding) => (isNumber(finding) ? finding : finding.text)));
  return lines.join('\n');
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
  const isNearly = /^[A-Z]{3}[0-9OIL]{10}$/.test(compact);
  if (letters.length !== 3 && !isNearly) {
    return plural(letters.length, {
      one: 'Starts with # letter instead of 3',
      other: 'Starts with # letters instead of 3',
    });
  }
  if (isNearly || /[OIL]/.test(rest)) return t`Has a letter among the digits. Is it a 0 or a 1?`;
  if (digits !== rest.length) return t`Has other characters among the digits`;
  return plural(digits, {
    one: 'Has # digit instead of 10 after the letters',
    other: 'Has # digits instead of 10 after the letters',
  });
}

function collect(lines: readonly (readonly Finding[])[]): FoundReceipts {
  const numbers = lines.flat().filter(isNumber);
  const receiptNumbers = [...new Set(numbers)];
  return {
    receiptNumbers,
    invalid: lines.flatMap((findings, line) =>
      findings.flatMap((finding, at) => {
        if (isNumber(finding)) return [];
        const { text, isOther } = finding;
        return [{ text, reason: isOther ? t`Not a receipt number` : whyInvalid(text), line, at }];
      }),
    ),
    duplicates: numbers.length - receiptNumbers.length,
  };
}
