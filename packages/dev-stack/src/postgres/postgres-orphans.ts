import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './postgres-account.ts';

const STOP_TIMEOUT_MS = 60_000;
/** A child that does not end on SIGQUIT within this time is killed. */
const QUIT_TIMEOUT_MS = 5_000;
const POLL_MS = 50;

/**
 * Stops what still runs on this folder because the process that started it was killed: a whole server, or the children
 * of a server that was killed itself, which hold its shared memory and so keep the next one from starting. The caller
 * holds the lock of the data folder, so that no other live copy of the product owns them.
 * @throws EmbeddedPostgresError when they do not end
 */
export async function stopOrphans(dataDir: string): Promise<void> {
  await stopServer(dataDir);
  const startedMs = performance.now();
  for (let pids = childrenOf(dataDir); pids.length > 0; pids = childrenOf(dataDir)) {
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > STOP_TIMEOUT_MS) throw stillHeld(dataDir, pids.join(', '));
    for (const pid of pids) signal(pid, waitedMs > QUIT_TIMEOUT_MS ? 'SIGKILL' : 'SIGQUIT');
    await delay(POLL_MS);
  }
}

async function stopServer(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!isPostgresOf(pid, dataDir)) return;
  signal(pid, 'SIGINT');
  for (const startedMs = performance.now(); isPostgresOf(pid, dataDir); await delay(POLL_MS)) {
    if (performance.now() - startedMs > STOP_TIMEOUT_MS) throw stillHeld(dataDir, String(pid));
  }
}

/** Returns whether this process is a postgres on this very folder: the number may have been given to another program since. */
export function isPostgresOf(pid: number, dataDir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(dataDir);
  } catch {
    return false;
  }
}

/** PostgreSQL's processes work in the data folder. Known on Linux only; on other systems they end by themselves, a little later. */
function childrenOf(dataDir: string): number[] {
  if (process.platform !== 'linux' || !existsSync(dataDir)) return [];
  const folder = realpathSync(dataDir);
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isOurs =
        /^\d+$/.test(name) &&
        readlinkSync(`/proc/${name}/cwd`) === folder &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith('postgres');
      return isOurs ? [Number(name)] : [];
    } catch {
      // It has already ended, or is another user's.
      return [];
    }
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function stillHeld(dataDir: string, pids: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `A PostgreSQL server (process ${pids}) still holds ${dataDir}. Stop it first.`,
  );
}
