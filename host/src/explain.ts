import { EmbeddedPostgresError } from '@casewatch/dev-stack/postgres/postgres-account';
import { SettingsError } from '@casewatch/service-kit/settings/settings';
import { DataFolderError } from './data-folder.ts';

const OTHER_PORTS = ['AGENCY_SIMULATOR_PORT', 'PAYMENTS_SIMULATOR_PORT', 'MAILBOX_PORT', 'METRICS_PORT'];

/**
 * Returns what a person at the terminal should read when the product can't start: one clear line (or one per wrong
 * setting). Undefined for an error that we did not foresee, which is then shown whole.
 */
export function explainStartFailure(
  error: unknown,
  port: number,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (
    error instanceof SettingsError ||
    error instanceof DataFolderError ||
    error instanceof EmbeddedPostgresError
  ) {
    return isFull(error.cause) ? DISK_FULL : error.message;
  }
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    const taken = Number(detailOf(error, 'port') ?? port);
    const other = OTHER_PORTS.find((name) => taken !== port && env[name] === String(taken));
    return `Port ${taken} is taken. Stop the program that has it, or choose another${other ? ` with ${other}.` : `: PORT=${taken + 1} npm start`}`;
  }
  const file = detailOf(error, 'path');
  if (file !== undefined && (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')) {
    return `Can't write to ${file} (${code}). Give this user the right to, or choose another place with DATA_DIR or LOG_FILE.`;
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

/** What Node adds to an error of the system: the port that could not be listened on, the file that could not be used. */
function detailOf(error: unknown, name: 'port' | 'path'): unknown {
  return error instanceof Error && name in error ? error[name as keyof Error] : undefined;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}
