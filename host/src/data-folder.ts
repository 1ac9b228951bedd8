import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Thrown with one line for the terminal that says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

const secretsSchema = z.object({
  databasePassword: z.string(),
  roleSecret: z.string(),
  /** Opens the admin area unless ADMIN_PASSCODE is set. */
  adminPasscode: z.string(),
});
const lockSchema = z.object({ pid: z.int(), startedAt: z.string() });
/** A new cluster takes about 40 MB and its write-ahead log may grow by as much again. */
const NEEDED_BYTES = 200 * 1024 * 1024;

const STICKY = 0o1000;
/** What the product, its scripts and simulators keep in the folder. */
const OURS =
  /^(?:secrets\.json|lock|postgres|postgres\.new|postgres\.password|casewatch\.log(?:\.\d+)?|payments-simulator\.json|compose\.env|distributed|logs)(?:\.new)?$/;

export interface DataFolder {
  readonly path: string;
  readonly secrets: z.output<typeof secretsSchema>;
  release(): void;
}

/**
 * Makes the folder when missing and takes it for this process alone. The lock of a process that has exited is taken over.
 * @throws DataFolderError when another copy uses it, it can't be written, or the disk is full.
 */
export function openDataFolder(folder: string): DataFolder {
  const resolved = path.resolve(folder);
  prepare(resolved);
  closeToOthers(resolved);
  takeLock(path.join(resolved, 'lock'), resolved);
  return {
    path: resolved,
    secrets: readSecrets(path.join(resolved, 'secrets.json')),
    release: () => rmSync(path.join(resolved, 'lock'), { force: true }),
  };
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new DataFolderError(
      `Can't write to the data folder ${folder}. Give this user the right to, or choose another with DATA_DIR.`,
      { cause },
    );
  }
  const disk = statfsSync(folder);
  if (disk.bavail * disk.bsize < NEEDED_BYTES && !existsSync(path.join(folder, 'postgres'))) {
    throw new DataFolderError(
      `Too little space for the data folder ${folder}: 200 MB are needed. Free some, or set DATA_DIR.`,
    );
  }
}

/**
 * Takes the rights of others from the folder and what the product keeps in it, such as a restored copy of it.
 * The folder itself only when it is the product's own: new, or with its secrets, and not a shared one like /tmp.
 */
function closeToOthers(folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries) {
    if (!OURS.test(entry.name) || !(entry.isFile() || entry.isDirectory())) continue;
    chmodSync(path.join(folder, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
  const isOurs =
    entries.every(({ name }) => OURS.test(name)) || existsSync(path.join(folder, 'secrets.json'));
  if (isOurs && (statSync(folder).mode & STICKY) === 0) chmodSync(folder, 0o700);
}

function takeLock(file: string, folder: string): void {
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) ?? '' });
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = readJson(file, lockSchema);
    if (holder && isAlive(holder)) {
      throw new DataFolderError(
        `The data folder ${folder} is in use by another copy (process ${holder.pid}). Stop that one, or start with another DATA_DIR and PORT.`,
      );
    }
    rmSync(file, { force: true });
  }
  throw new DataFolderError(`Another copy is starting on ${folder} at this moment. Try again.`);
}

/** The process lives and is the one that wrote the lock, not a later one that got its number. */
function isAlive({ pid, startedAt }: z.output<typeof lockSchema>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const actual = startOf(pid);
  return actual === undefined || startedAt === '' || actual === startedAt;
}

/** Linux reports when a process started (proc(5), stat field 22, in clock ticks since boot). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function readSecrets(file: string): z.output<typeof secretsSchema> {
  const known = readJson(file, secretsSchema);
  if (known) return known;
  if (existsSync(file)) {
    throw new DataFolderError(
      `${file} is damaged. Restore it from a backup, or rename the folder to start afresh.`,
    );
  }
  const made = {
    databasePassword: randomBytes(24).toString('base64url'),
    roleSecret: randomBytes(24).toString('base64url'),
    adminPasscode: randomBytes(16).toString('base64url'),
  };
  // A crash half-way may cost the new file, never the one that opens the database.
  const fresh = `${file}.new`;
  writeFileSync(fresh, JSON.stringify(made), { mode: 0o600 });
  renameSync(fresh, file);
  return made;
}

function readJson<S extends z.ZodType>(file: string, schema: S): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
