import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ports that Linux (32768) and macOS (49152) use for outgoing connections, which a reservation cannot prevent. */
const RANGE = { first: 20_000, last: 32_767 };
/**
 * The same for all processes of a user, also for one with a `TMPDIR` of its own. A container may run as a user without a name,
 * which `userInfo` refuses to describe.
 */
export const RESERVATIONS = join(
  process.platform === 'win32' ? tmpdir() : '/tmp',
  `casewatch-ports-${process.getuid?.() ?? ''}`,
);

/**
 * Returns a loopback port that is free, reserved until this process ends: of all processes of this user, none gets the
 * same one, although nothing listens yet. A reservation is a file that holds the process id, so that one of a dead
 * process does not count.
 */
export async function freePort({ first, last } = RANGE): Promise<number> {
  const count = last - first + 1;
  const start = Math.floor(Math.random() * count);
  for (let n = 0; n < count; n += 1) {
    const port = first + ((start + n) % count);
    if (!reserve(port)) continue;
    if (await isFree(port)) return port;
    release(port);
  }
  throw new Error(`no free port from ${first} to ${last}: end processes that listen there and try again`);
}

const reserved = new Set<number>();
process.on('exit', () => reserved.forEach(release));
const fileOf = (port: number) => join(RESERVATIONS, String(port));

function reserve(port: number): boolean {
  mkdirSync(RESERVATIONS, { recursive: true, mode: 0o700 });
  if (isOfDeadProcess(port)) release(port);
  try {
    writeFileSync(fileOf(port), String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  reserved.add(port);
  return true;
}

function release(port: number): void {
  reserved.delete(port);
  rmSync(fileOf(port), { force: true });
}

function isOfDeadProcess(port: number): boolean {
  try {
    process.kill(Number(readFileSync(fileOf(port), 'utf8')), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
