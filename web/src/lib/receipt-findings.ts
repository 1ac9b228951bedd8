import { isReceiptNumber, plainCharacters, upperLatin } from '@casewatch/contracts/receipt-number';

/** A receipt number, or a part of the text that is none but looks like one; `isOther`: not very much. */
export type Finding = string | { text: string; isOther: boolean };

/** More than any e-mail, letter or column; what comes after is not read, so that a huge text costs no more. */
export const TEXT_MAX = 500_000;
/** A receipt number is on one line; of a longer one only the beginning of each part is looked at. */
export const SHOWN_MAX = 40;

export const LINE_END = /\r\n|[\r\n\u2028\u2029]/;

/** Prefixes of the agency's offices; after these, spaces may stand before the digits. */
const KNOWN_PREFIXES = 'CSC|EAC|ESC|IOE|LIN|MCT|MSC|NBC|NSC|PSC|RES|SRC|TSC|VSC|WAC|YSC';
/** Between the characters of one number: a few spaces or dashes, as notices print and programs wrap them, and what people write for those. */
const GAP = '[ *._~·-]{0,3}';
const SPREAD_DIGITS = `[0-9](?:${GAP}[0-9]){9}(?:(?![ *._~·-]?[0-9]|[A-Z])|(?= [0-9]{1,4}[/.-][0-9]{1,2}[/.-]))`;
/** Ten digits in a row, or as notices print them, are whole, whatever follows them: a date, or the number of a copy. */
const DIGITS = `(?:(?:[0-9]{10}|[0-9]{2}[ -][0-9]{3}[ -][0-9]{5})(?![0-9A-Z])|${SPREAD_DIGITS})`;
/** The phone of an office follows its letters, too. */
const NO_PHONE = '(?![0-9]{3}[-.][0-9]{3}[-.][0-9]{4}(?![0-9]))';
/** What stands before a match is its first group: Safari before 16.4 has no lookbehind. No match ends right before another. */
export const BEFORE = '(^|[^A-Z0-9])';
const NUMBER = new RegExp(
  `${BEFORE}((?:(?:${KNOWN_PREFIXES})(?:-?|[ *._~·:#-]{1,3}${NO_PHONE})|[A-Z]{3}-{0,2})${DIGITS})`,
  'g',
);
/** Of any script with capitals; in others words have no spaces between. */
const LETTER = '[\\p{Lu}\\p{Ll}]';
/** What comes close: a known prefix, or letters and many digits in one word. */
const NEAR_MISS = new RegExp(
  `${BEFORE}((?:${KNOWN_PREFIXES})${GAP}${NO_PHONE}[0-9*OIL](?:${GAP}[0-9*OIL]){3,19}|${LETTER}{1,5}[0-9*]{7,20})(?![A-Z0-9])`,
  'gu',
);

/** A number at the end of a line and the digits at the start of the next one, as mail programs wrap, quote and encode it. */
const BROKEN = new RegExp(
  `${BEFORE}((?:${KNOWN_PREFIXES})(?:(?:[ -]{0,3}[0-9]){1,9}[ =-]{0,3}|[ ]?[=-]))(${LINE_END.source})[> \\t]{0,8}([0-9](?:[ -]{0,3}[0-9]){0,9})(?![-/.]?[A-Z0-9])`,
  'gi',
);
/** Numbers with nothing between, as of cells that were copied. */
const GLUED = new RegExp(`${BEFORE}((?:[A-Z]{3}[0-9]{10}){2,})(?![A-Z0-9])`, 'gi');

/** Returns the receipt numbers in a text of any kind, each once, in the order of the text. */
export function receiptNumbersIn(text: string): string[] {
  return distinct(plainLines(unbroken(text)).flatMap((line) => findInLine(line)));
}

/** Returns the one receipt number that a text is about; undefined for none and for several, and where something else comes close. */
export function onlyReceiptNumberIn(text: string): string | undefined {
  const findings = plainLines(text).flatMap(readLine);
  const [receiptNumber, ...others] = distinct(findings);
  return others.length === 0 && findings.every(isNumber) ? receiptNumber : undefined;
}

/** Returns what is in a line of a box with one receipt number per line: a line without one is a finding, too. */
export function readLine(line: string): Finding[] {
  const found = findInLine(line);
  if (found.length > 0 || line === '') return found;
  return [{ text: line.slice(0, SHOWN_MAX), isOther: false }];
}

/** Puts a receipt number that is broken over two lines on the first of them. */
export function unbroken(text: string): string {
  return text
    .slice(0, TEXT_MAX)
    .replace(BROKEN, (all: string, before: string, start: string, end: string, rest: string) => {
      const number = (start + rest).replace(/[ =-]+/g, '');
      return isReceiptNumber(number.toUpperCase()) ? before + number + end : all;
    });
}

/** A tab stays: it stands between the cells of a table, where a receipt number ends. */
export function plainLines(text: string): string[] {
  return text
    .slice(0, TEXT_MAX)
    .split(LINE_END)
    .map((line) =>
      plainCharacters(line)
        .replace(GLUED, (_, before: string, numbers: string) => before + numbers.replace(/.{13}/g, '$& '))
        .replace(/[\s\p{Cc}]+/gu, (gap) => (gap.includes('\t') ? '\t' : ' '))
        .trim(),
    );
}

/** `other` is what else to find, after what comes close. */
export function findInLine(line: string, other?: RegExp): Finding[] {
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
  const invalid = (isOther: boolean) => (match: string, at: number) => ({
    text: line.slice(at, at + match.length),
    isOther,
  });
  const numbers = take(NUMBER, upper, (match) => match.replace(/[^A-Z0-9]+/g, ''));
  const others = take(NEAR_MISS, numbers, invalid(false));
  if (other) take(other, others, invalid(true));
  return found.sort((a, b) => a.at - b.at).map(({ finding }) => finding);
}

function distinct(findings: readonly Finding[]): string[] {
  return [...new Set(findings.filter(isNumber))];
}

export function isNumber(finding: Finding): finding is string {
  return typeof finding === 'string';
}
