import { randomBytes } from 'node:crypto';

/** A UUIDv7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then random bits; sorts by time. */
export function uuidV7(timeMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(timeMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return format(bytes);
}

/** The smallest UUIDv7 of a time: every id made before it is smaller, every later one is greater or equal. */
export function uuidV7Floor(timeMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(timeMs, 0, 6);
  bytes.writeUInt8(0x70, 6);
  bytes.writeUInt8(0x80, 8);
  return format(bytes);
}

/** The Unix milliseconds that a UUIDv7 was made at. */
export function uuidV7Time(id: string): number {
  // Parsing stops at the second hyphen, behind the 48 bits.
  return Number.parseInt(id.replace('-', ''), 16);
}

function format(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
