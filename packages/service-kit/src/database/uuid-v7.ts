import { randomBytes } from 'node:crypto';

/** Of one id, in hexadecimal digits. */
const RANDOM_DIGITS = 20;
/** Random digits are drawn for so many ids at once: drawing them one by one costs more than the rest of an id. */
const DRAWN_IDS = 256;
let digits = '';
let used = 0;

/** A UUIDv7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then random bits; sorts by time. */
export function uuidV7(timeMs: number): string {
  if (used === digits.length) {
    digits = randomBytes((DRAWN_IDS * RANDOM_DIGITS) / 2).toString('hex');
    used = 0;
  }
  const random = digits.slice(used, used + RANDOM_DIGITS);
  used += RANDOM_DIGITS;
  const time = timeMs.toString(16).padStart(12, '0');
  const variant = '89ab'[Number.parseInt(random.slice(0, 1), 16) & 3];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** The smallest UUIDv7 of a time: every id made before it is smaller, every later one is greater or equal. */
export function uuidV7Floor(timeMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(timeMs, 0, 6);
  bytes.writeUInt8(0x70, 6);
  bytes.writeUInt8(0x80, 8);
  return format(bytes);
}

function format(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
