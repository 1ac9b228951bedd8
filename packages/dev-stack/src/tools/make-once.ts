import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withCacheLock } from './cache-lock.ts';

/** Returns the cache folder of downloaded and built tools, shared by checkouts. */
export function testCacheFolder(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'casewatch');
}

/**
 * Makes a folder or file that is not there yet. `make` gets a place next to it that is renamed when all is done, so that
 * it is whole or not there. However many callers and processes ask at the same time, one makes it.
 */
export async function makeOnce(place: string, make: (made: string) => Promise<void>): Promise<void> {
  if (existsSync(place)) return;
  await withCacheLock(`${place}.lock`, async () => {
    if (existsSync(place)) return;
    const made = `${place}.${process.pid}.made`;
    mkdirSync(path.dirname(place), { recursive: true });
    console.error(`tools: making ${path.basename(place)}, which takes a while the first time`);
    try {
      await make(made);
      renameSync(made, place);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  });
}

/** Publishes a file with its checksum next to it, for `isIntact`. */
export async function publishChecked(made: string, place: string): Promise<void> {
  writeFileSync(`${made}.sha256`, await checksum(made));
  // Between the two renames the file is not intact, which costs no more than to make it again.
  renameSync(`${made}.sha256`, `${place}.sha256`);
  renameSync(made, place);
}

const intact = new Set<string>();

/** Returns whether a file exists and matches its checksum. Read once per process. */
export async function isIntact(place: string): Promise<boolean> {
  if (intact.has(place) && existsSync(place)) return true;
  if (!existsSync(place) || !existsSync(`${place}.sha256`)) return false;
  const whole = readFileSync(`${place}.sha256`, 'utf8') === (await checksum(place));
  if (whole) intact.add(place);
  return whole;
}

async function checksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
