import { maskReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';

/** Fields that say something about a user, whatever is in them. */
const WITHHELD = /^user|payload$|^(first|last)name$|^nickname$|^text$/i;
/** A receipt number as people write it, anywhere in a text; ids and hashes, which may look like one inside, stay. */
const RECEIPT_NUMBER =
  /(\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32}|[\da-f]{64})\b)|[a-z]{3}(?:[\s-]{0,3}\d){10}/gi;
/** At most the lengths of RFC 5321, 4.5.3.1, so that the time is linear in the text. */
const EMAIL = /[^\s@"<>(),;:]{1,64}@[^\s@"'<>(),;:]{1,255}/g;

/**
 * Returns a copy of a JSON value without personal data of users: fields about a user are null, receipt numbers keep
 * what logs may hold of them, and e-mail addresses disappear from every text.
 */
export function maskPersonalData(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskPersonalData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      maskText(name),
      WITHHELD.test(name) && !isCountOfUsers(name, part) ? null : maskPersonalData(part),
    ]),
  );
}

/** As in `{ user: 24, agency: 20, us: 4 }`: how many lookups failed for a user's reason. */
function isCountOfUsers(name: string, part: unknown): boolean {
  return name === 'user' && typeof part === 'number';
}

/** Returns the same for a text alone. */
export function maskText(text: string): string {
  return text
    .replace(
      RECEIPT_NUMBER,
      (found, id: string | undefined) => id ?? maskReceiptNumber(normaliseReceiptNumber(found)),
    )
    .replace(EMAIL, '(email address)');
}
