import { isReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';

export interface ReceiptLines {
  /** One receipt number per line that is not blank, normalised, in order. */
  receiptNumbers: string[];
  /** How many of them are not 3 letters and 10 digits. */
  invalidCount: number;
}

/** Reads what was typed for a bulk search: one receipt number per line, trimmed; blank lines don't count. */
export function receiptLines(input: string): ReceiptLines {
  const receiptNumbers = input
    .split(/\r\n|\r|\n/)
    .map(normaliseReceiptNumber)
    .filter((line) => line !== '');
  return { receiptNumbers, invalidCount: receiptNumbers.filter((line) => !isReceiptNumber(line)).length };
}
