import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Child, spawnThatDiesWithUs } from './dies-with-us.ts';
import { printLogWhenTestFails } from './process-logs.ts';

export interface ProductProcessOptions {
  /** What it is called in messages: `cases` or `cases 2`. */
  name: string;
  /** File below the root of the repository. */
  program: string;
  env: Record<string, string>;
  /** Answers 2xx once the process can work. */
  readyUrl: string;
  /** Each piece of output as it comes. */
  onOutput?: ((text: string) => void) | undefined;
  /** It ended without having been asked to by `kill` or `stop`. */
  onUnexpectedExit?: ((how: string) => void) | undefined;
}

export interface ProductProcess {
  readonly name: string;
  /** Undefined while it does not run. */
  pid(): number | undefined;
  /** What it has written, over all its starts; the newest two million characters. */
  logs(): string;
  /** Sends a signal; resolves when the process has ended, or at once for signals that end nothing (SIGSTOP, SIGCONT). */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again where it was, with what `env` adds for good; ends it first if it runs. Resolves when it is ready. */
  restart(env?: Record<string, string>): Promise<void>;
  /** SIGTERM, and SIGKILL to one that does not heed it. Resolves with its exit code; undefined if it did not run. */
  stop(): Promise<number | undefined>;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const READY_WITHIN_MS = 60_000;
const POLL_MS = 25;
const STOP_WITHIN_MS = 30_000;
const LOG_LENGTH = 2_000_000;
const ENDS_NOTHING: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2'];

/** Starts a program of the product with Node; `ready` when it answers. @throws with its output when it ends before. */
export function startProductProcess(options: ProductProcessOptions) {
  const { name } = options;
  let env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...options.env };
  let written = '';
  let running: Child | undefined;
  let asked = false;

  function start(): Child {
    asked = false;
    // Not where we are: a `.env` of ours is not meant for it.
    const child = spawnThatDiesWithUs(process.execPath, [root + options.program], {
      env,
      cwd: tmpdir(),
      detached: true,
    });
    running = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        written = (written + text).slice(-LOG_LENGTH);
        options.onOutput?.(text);
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
    if (ENDS_NOTHING.includes(signal)) {
      child.kill(signal);
      return;
    }
    asked = true;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
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
      // A stopped one (SIGSTOP) heeds nothing else.
      child.kill('SIGCONT');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await kill('SIGTERM');
      clearTimeout(timer);
      return child.exitCode ?? undefined;
    },
  };
  return { process: self, ready: untilReady(start()) };
}
