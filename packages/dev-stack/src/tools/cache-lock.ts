import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A live holder touches its lock this often; one that has not for `STALE_MS` no longer counts. */
const TOUCH_MS = 5_000;
const STALE_MS = 60_000;
const POLL_MS = 100;
const inThisProcess = new Map<string, Promise<unknown>>();

interface LockOptions {
  /** What to print, once, when the lock is held: receives the id of the process that holds it. */
  readonly waiting?: (holder: number) => string;
  /** Ends the wait for the lock, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while no other caller of this machine, in this process or another, runs some for the same lock file. The
 * lock of a process that has exited is taken over. It saves work twice done, and no more: what is made must still be
 * published in one step. Callers that wait for it get it in any order.
 */
export function withCacheLock<T>(
  lock: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const before = inThisProcess.get(lock) ?? Promise.resolve();
  const mine = before.then(() => holding(lock, work, options));
  inThisProcess.set(
    lock,
    mine.catch(() => undefined),
  );
  return mine;
}

async function holding<T>(
  lock: string,
  work: () => Promise<T>,
  {
    waiting = (holder) => `tools: process ${holder} makes ${nameOf(lock)}, waiting for it`,
    signal,
  }: LockOptions,
): Promise<T> {
  mkdirSync(path.dirname(lock), { recursive: true });
  let reported = false;
  while (!take(lock)) {
    if (isStale(lock)) {
      remove(lock);
      continue;
    }
    if (!reported) console.error(waiting(holderOf(lock)));
    reported = true;
    await pause(POLL_MS, undefined, { signal });
  }
  const touch = setInterval(() => utimesSync(lock, new Date(), new Date()), TOUCH_MS);
  touch.unref();
  try {
    return await work();
  } finally {
    clearInterval(touch);
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function isStale(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > STALE_MS) return true;
    const holder = holderOf(lock);
    // Empty between being made and being written.
    return holder > 0 && !isAlive(holder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Renames it first, so that of several processes that find it stale one removes it. */
function remove(lock: string): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

/** With its folder, which names the tool: `kubernetes-tools-60387284f67c/build`. */
function nameOf(lock: string): string {
  return path.join(path.basename(path.dirname(lock)), path.basename(lock, '.lock'));
}

function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
