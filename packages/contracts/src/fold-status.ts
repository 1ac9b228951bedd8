/**
 * Returns what two status titles are compared by: their words without those that change nothing (`the`, `was`), a plural's end, and all
 * between them. Titles with the same text are one status; what is shown stays as the agency wrote it.
 */
export function foldStatus(title: string): string {
  // A title of nothing but punctuation is compared as it is.
  return statusWords(title).replace(LITTLE, '$1').replaceAll(' ', '') || title;
}

/** Returns the words of a title in lower case and one spelling, without punctuation and characters that are not seen. */
export function statusWords(title: string): string {
  const plain = PLAIN.test(title)
    ? title
    : title
        .replace(APOSTROPHES, '')
        .replaceAll('&', ' and ')
        .normalize('NFKC')
        .replace(UNSEEN, '')
        .replace(BETWEEN_WORDS, ' ')
        .trim();
  return plain
    .toLowerCase()
    .replaceAll('cancelled', 'canceled')
    .replaceAll('acknowledgement', 'acknowledgment');
}

/** Returns whether two titles name one status. */
export function isSameStatus(one: string, other: string): boolean {
  return one === other || foldStatus(one) === foldStatus(other);
}

/** Nearly all titles: nothing of them is left out. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/i;
/** Also left out by some: `USCIS'`, `USCIS’s` and `USCIS` are one word. */
const APOSTROPHES = /['’‘‛ʼʻ′´`＇]/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;
const UNSEEN = /(?![\t\n\v\f\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** A card that `was destroyed` came back in the mail; one `destroyed` was sent back by its owner. */
const LITTLE = /\b(?:an?|the|of|for|(?:was|were)(?! destroyed))\b|(\w{3})s+\b/g;
