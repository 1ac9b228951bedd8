/**
 * Receipt numbers, without zod: the web app's first load uses this too.
 * A receipt number is 3 letters followed by 10 digits, always a string (`EAC9999103403`).
 */
const RECEIPT_NUMBER = /^[A-Z]{3}[0-9]{10}$/;

/** The same as people type and paste it: either case, with spaces and hyphens anywhere. */
export const RECEIPT_NUMBER_AS_TYPED = /^[\s-]*(?:[A-Za-z][\s-]*){3}(?:[0-9][\s-]*){10}$/;

/** Returns it in upper case without the spaces and hyphens people copy along; does not judge the result. */
export function normaliseReceiptNumber(input: string): string {
  return input.replace(/[\s-]+/g, '').toUpperCase();
}

/** Returns true for a normalised, well-formed receipt number. Unknown prefixes are allowed. */
export function isReceiptNumber(value: string): boolean {
  return RECEIPT_NUMBER.test(value);
}

/** Maps `EAC9999103403` to `EAC******3403`: the only form that logs and metrics may hold. */
export function maskReceiptNumber(receiptNumber: string): string {
  return `${receiptNumber.slice(0, 3)}******${receiptNumber.slice(-4)}`;
}
