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
  return /^(?:[A-Za-z]{3}[0-9]{10})+$/.test(
    cell.normalize('NFKC').replace(/[\s\p{P}\p{S}\p{Cf}\p{Cc}]+/gu, ''),
  );
}
