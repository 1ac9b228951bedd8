/**
 * Returns what two status titles are compared by: without letter case, white space, punctuation, and characters that are not seen.
 * Titles with the same text are one status; what is shown stays as the agency wrote it.
 */
export function foldStatus(title: string): string {
  if (PLAIN.test(title)) return title.toLowerCase();
  const folded = title
    .replace(APOSTROPHES, '')
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(BETWEEN_WORDS, ' ')
    .trim()
    .toLowerCase();
  // A title of nothing but punctuation is compared as it is.
  return folded || title;
}

/** Returns whether two titles name one status. */
export function isSameStatus(one: string, other: string): boolean {
  return one === other || foldStatus(one) === foldStatus(other);
}

/** Nearly all titles: nothing of them is left out. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/i;
/** Also left out by some: `USCIS'`, `USCIS’` and `USCIS` are one word. */
const APOSTROPHES = /['’‘‛ʼʻ′´`]/g;
const BETWEEN_WORDS = /[\s\p{P}]+/gu;
const UNSEEN = /(?![\t\n\v\f\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
