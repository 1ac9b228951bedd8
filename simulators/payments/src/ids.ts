import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes at or above it would make the first characters of the alphabet likelier. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** `prefix_` and 24 random characters, as the real ids look. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`;
}

export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
