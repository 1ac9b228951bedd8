import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Child, spawnChild } from './child-process.ts';
import { printLogWhenTestFails } from './process-logs.ts';

export interface ProductProcessOptions {
  /** Name in messages: `cases` or `cases 2`. */
  name: string;
  /** File below the root of the repository. */
  program: string;
  env: Record<string, string>;
  /** Answers 2xx once the process can work. */
  readyUrl: string;
  /** Called when it exits without `kill` or `stop`. */
  onUnexpectedExit?: ((how: string) => void) | undefined;
}

export interface ProductProcess {
  readonly name: string;
  /** Undefined while it does not run. */
  pid(): number | undefined;
  /** Output of all its starts; the newest two million characters. */
  logs(): string;
  /** Sends a signal; resolves when the process has ended, or at once for signals that end nothing (SIGSTOP, SIGCONT). */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts it on the same ports, keeping what `env` adds; ends it first if it runs. Resolves when it is ready. */
  restart(env?: Record<string, string>): Promise<void>;
  /** Sends SIGTERM, then SIGKILL if it is ignored. Resolves with the exit code; undefined if it did not run. */
  stop(): Promise<number | undefined>;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const READY_WITHIN_MS = 60_000;
const POLL_MS = 25;
const STOP_WITHIN_MS = 30_000;
const LOG_LENGTH = 2_000_000;
const NOT_ENDING: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2'];

/** Starts a program of the product with Node; `ready` when it answers. @throws with its output when it ends before. */
export function startProductProcess(options: ProductProcessOptions) {
  const { name } = options;
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  let env = { PATH, HOME, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...options.env };
  let written = '';
  let running: Child | undefined;
  let asked = false;

  function start(): Child {
    asked = false;
    // Another folder, so that our `.env` does not apply.
    const child = spawnChild(process.execPath, [root + options.program], {
      env,
      cwd: tmpdir(),
      detached: true,
    });
    running = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        written = (written + text).slice(-LOG_LENGTH);
      });
    }
    child.once('exit', (code, signal) => {
      if (running === child) running = undefined;
      if (!asked) options.onUnexpectedExit?.(signal ?? `exit code ${code}`);
    });
    return child;
  }

  async function untilReady(child: Child): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await fetch(options.readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      await answer?.body?.cancel();
      if (answer?.ok) return;
      if (running !== child) throw new Error(`${name} ended before it was ready:\n${written.slice(-8_000)}`);
      if (performance.now() > deadline) {
        throw new Error(`${name} was not ready within ${READY_WITHIN_MS} ms:\n${written.slice(-8_000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = running;
    if (!child) return;
    if (NOT_ENDING.includes(signal)) {
      child.kill(signal);
      return;
    }
    asked = true;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  printLogWhenTestFails(`${name} (${options.env.PORT ?? options.program})`, () => written);
  const self: ProductProcess = {
    name,
    pid: () => running?.pid,
    logs: () => written,
    kill,
    restart: async (added = {}) => {
      await kill();
      env = { ...env, ...added };
      await untilReady(start());
    },
    stop: async () => {
      const child = running;
      if (!child) return undefined;
      // A process stopped by SIGSTOP handles no other signal.
      child.kill('SIGCONT');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await kill('SIGTERM');
      clearTimeout(timer);
      return child.exitCode ?? undefined;
    },
  };
  return { process: self, ready: untilReady(start()) };
}
