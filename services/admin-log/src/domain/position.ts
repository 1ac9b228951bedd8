import { AppError } from '@casewatch/service-kit/errors/app-error';
import { isKnownTime } from './time.ts';

/** Where a row stands in a list: by time, rows of one millisecond by their ids. It need not exist any more. */
export interface Position {
  readonly atMs: number;
  readonly id: string;
}

const TIME_BYTES = 6;
const BYTES = TIME_BYTES + 16;
const TEXT = /^[A-Za-z0-9_-]{30}$/;

/** The opaque text that a client hands back to go on from a row. */
export function toCursor({ atMs, id }: Position): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUIntBE(atMs, 0, TIME_BYTES);
  bytes.write(id.replaceAll('-', ''), TIME_BYTES, 'hex');
  return bytes.toString('base64url');
}

/** @throws AppError VALIDATION for a text that `toCursor` never gave. */
export function fromCursor(name: 'older' | 'newer', text: string): Position {
  const bytes = Buffer.from(text, 'base64url');
  const isWhole = TEXT.test(text) && bytes.toString('base64url') === text;
  if (!isWhole || !isKnownTime(bytes.readUIntBE(0, TIME_BYTES))) {
    throw badCursor(name, 'This is no cursor that a list of the log has given.');
  }
  const hex = bytes.toString('hex', TIME_BYTES);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
  return { atMs: bytes.readUIntBE(0, TIME_BYTES), id };
}

export function badCursor(name: string, message: string): AppError {
  return new AppError('VALIDATION', message, { details: [{ path: name, message }] });
}
