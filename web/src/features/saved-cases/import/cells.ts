import { plainCharacters, upperLatin } from '@casewatch/contracts/receipt-number';
import { visiblePattern } from '@casewatch/contracts/visible-text';
import { withoutFormulaMark } from '../../../lib/csv.ts';

const SEEN = new RegExp(visiblePattern('\\u0000-\\u001f\\u007f-\\u009f'), 'u');

/** Returns the text of a cell as one line that the server takes: what can't be seen is left out, gaps are one space. */
export function cleanCell(text: string): string {
  const [, formula] = /^\s*=\s*"((?:[^"]|"")*)"\s*$/.exec(text) ?? [];
  const line = (formula?.replaceAll('""', '"') ?? text)
    .replace(
      /[\p{Surrogate}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]/gu,
      '',
    )
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const seen = SEEN.test(line) ? line : line.replace(/[\p{Cf}\p{DI}\u2800]/gu, '').trim();
  return withoutFormulaMark(seen.replace(/^(?:'(.+)'|“([^“”]+)”|‘([^‘’]+)’)$/, '$1$2$3'));
}

/** Counts code points, as the server does. */
export function shorten(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** A row that is not blank. */
export interface Row {
  /** Where it begins in the file. */
  line: number;
  cells: string[];
  /** A quotation mark in it is not closed: it ends with its line. */
  hasOpenQuote?: true;
}

/** Returns whether a cell is one receipt number or several and nothing else, apart from marks around and in them. */
export function isReceiptCell(cell: string): boolean {
  return /^(?:[A-Z]{3}[0-9]{10})+$/.test(
    upperLatin(plainCharacters(cell)).replace(/[\s\p{P}\p{S}\p{Cc}]+/gu, ''),
  );
}

/** Returns the words of a text in lower case, without accents and marks; `receiptNumber` is two. */
export function plain(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('#', ' number ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
