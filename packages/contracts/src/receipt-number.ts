/**
 * Receipt numbers, without zod: the web app's first load uses this too.
 * A receipt number is 3 letters followed by 10 digits, always a string (`EAC9999103403`).
 */
const RECEIPT_NUMBER = /^[A-Z]{3}[0-9]{10}$/;

/** Upper-case letters of other alphabets that look the same as one of A to Z, each below its double. */
const LOOK_ALIKES = 'АВЕЅІЈКМНОРСТУХҮԚԜѴΑΒΕΖΗΙΚΜΝΟΡΤΥΧİ';
const LATIN = 'ABESIJKMHOPCTYXYQWVABEZHIKMNOPTYXI';

/** Returns it in upper case without the spaces and hyphens people copy along; does not judge the result. */
export function normaliseReceiptNumber(input: string): string {
  return upperLatin(plainCharacters(input)).replace(/[\s-]+/g, '');
}

/**
 * Returns a text as a plain keyboard would have written it: full-width forms (NFKC) and digits of all scripts as ASCII,
 * every dash as a hyphen, no characters that can't be seen. Letters of other alphabets stay.
 */
export function plainCharacters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{DI}\u2800]/gu, '')
    .replace(/[\p{Pd}\u2212\u2043\u02d7\u30fc]/gu, '-')
    .replace(/(?![0-9\u{116d0}-\u{116e3}])\p{Nd}/gu, digitOf);
}

/**
 * Returns letters in upper case, and as A to Z full-width ones and those of other alphabets that look like one. Every
 * character keeps its place: a letter whose upper case would be two stays.
 */
export function upperLatin(text: string): string {
  return text.replace(/[a-z]+|[\u0080-\uffff]/g, (letters) => {
    const upper = letters.normalize('NFKC').toUpperCase();
    if (upper.length !== letters.length) return letters;
    return LATIN[LOOK_ALIKES.indexOf(upper)] ?? (/^[A-Z0-9]/.test(upper) ? upper : letters);
  });
}

/** The digits of a script follow each other, and what is before its 0 is none; but for the one block excluded above, which holds two sets. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** Returns true for a normalised, well-formed receipt number. Unknown prefixes are allowed. */
export function isReceiptNumber(value: string): boolean {
  return RECEIPT_NUMBER.test(value);
}

/** Maps `EAC9999103403` to `EAC******3403`: the only form that logs and metrics may hold. */
export function maskReceiptNumber(receiptNumber: string): string {
  return `${receiptNumber.slice(0, 3)}******${receiptNumber.slice(-4)}`;
}
