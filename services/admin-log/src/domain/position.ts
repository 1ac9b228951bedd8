import { type AppError, invalidField } from '@casewatch/service-kit/errors/app-error';

/** A row's position in a list: by time, then by id. The row need not exist any more. */
export interface Position {
  readonly atMs: number;
  readonly id: string;
}

const TIME_BYTES = 6;
const BYTES = TIME_BYTES + 16;
const TEXT = /^[A-Za-z0-9_-]{30}$/;

/** Returns the opaque text that a client sends to continue from a row. */
export function toCursor({ atMs, id }: Position): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUIntBE(atMs, 0, TIME_BYTES);
  bytes.write(id.replaceAll('-', ''), TIME_BYTES, 'hex');
  return bytes.toString('base64url');
}

/** @throws AppError VALIDATION for a text that `toCursor` never gave. */
export function fromCursor(name: 'older' | 'newer' | 'place', text: string): Position {
  const bytes = Buffer.from(text, 'base64url');
  const isWhole = TEXT.test(text) && bytes.toString('base64url') === text;
  if (!isWhole || !isKnownTime(bytes.readUIntBE(0, TIME_BYTES))) {
    throw badCursor(name, 'This is no cursor that a list of the log has given.');
  }
  const id = toUuid(bytes.toString('hex', TIME_BYTES));
  return { atMs: bytes.readUIntBE(0, TIME_BYTES), id };
}

export function badCursor(name: string, message: string): AppError {
  return invalidField(name, { en: message });
}

/** Returns a UUID of 32 digits. */
export function toUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The times that both ISO 8601 as we read it and PostgreSQL can write: the years 1 to 9999. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses a requested time, clamped to the supported years. */
export function parseTime(text: string): number {
  return Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS);
}

export function isKnownTime(ms: number): boolean {
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}
