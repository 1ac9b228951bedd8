import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Linux keeps what is in here in memory. Containers have 64 MB of it by default. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 1024 ** 3;

/**
 * Creates a folder for a throwaway database: in memory where there is plenty, where PostgreSQL is initialized in a
 * second instead of ten and copies a database in a tenth of the time, else on disk. Programs in it may not be
 * executable. Removes such folders of processes that were killed.
 */
export function makeMemoryFolder(name: string): string {
  const place = hasPlenty() ? MEMORY : tmpdir();
  const prefix = `casewatch-${name}-`;
  for (const entry of readdirSync(place)) {
    const owner = entry.startsWith(prefix) && /-(\d+)-[^-]*$/.exec(entry)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(path.join(place, entry), { recursive: true, force: true });
  }
  return mkdtempSync(path.join(place, `${prefix}${process.pid}-`));
}

function hasPlenty(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
