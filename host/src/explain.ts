import { EmbeddedPostgresError } from '@casewatch/dev-stack/postgres/postgres-account';
import { SettingsError } from '@casewatch/service-kit/settings/settings';
import { DataFolderError } from './data-folder.ts';

/**
 * What a person at the terminal should read when the product can't start: one clear line (or one per wrong
 * setting). Undefined for an error that we did not foresee, which is then shown whole.
 */
export function explainStartFailure(error: unknown, port: number): string | undefined {
  if (
    error instanceof SettingsError ||
    error instanceof DataFolderError ||
    error instanceof EmbeddedPostgresError
  ) {
    return isFull(error.cause) ? DISK_FULL : error.message;
  }
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken. Stop the program that has it, or choose another: PORT=${port + 1} npm start`;
  }
  if (code === 'EACCES')
    return `This user may not listen on port ${port}. Choose one above 1023: PORT=8080 npm start`;
  if (code === 'EADDRNOTAVAIL') return 'HOST is no address of this machine.';
  if (isFull(error)) return DISK_FULL;
  if (code === 'ECONNREFUSED' || code === '28P01' || code === '3D000' || code === 'ENOTFOUND') {
    return `The database of DATABASE_URL can't be used: ${error instanceof Error ? error.message : code}`;
  }
  if (code === '42501')
    return 'The user of DATABASE_URL may not make schemas and roles, which all-in-one needs.';
  return undefined;
}

const DISK_FULL = 'The disk is full. Free some space, or set DATA_DIR to a folder on another disk.';

function isFull(error: unknown): boolean {
  return (
    codeOf(error) === 'ENOSPC' ||
    (error instanceof Error && error.message.includes('No space left on device'))
  );
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}
