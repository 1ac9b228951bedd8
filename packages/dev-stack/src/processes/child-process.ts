import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Its end of a pipe closes when this process exits in any way: then the program gets the signal. `exec` keeps its process id. */
const ENDS_WITH_US =
  'exec 3<&0; (cat <&3 >/dev/null; kill -s "$0" $$ 2>/dev/null) & exec "$@" 3<&- </dev/null';

export interface SpawnOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** A process group of its own: Ctrl-C in the terminal does not reach it. */
  detached?: boolean;
  /** What the program gets when this process has ended; SIGKILL unless given. */
  endSignal?: 'SIGKILL' | 'SIGINT';
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a program that does not outlive this process, even one that is killed. Needs a POSIX shell. */
export function spawnChild(command: string, words: readonly string[], options: SpawnOptions = {}): Child {
  const { endSignal = 'SIGKILL', ...others } = options;
  // POSIX names signals without the prefix.
  const child = spawn('sh', ['-c', ENDS_WITH_US, endSignal.slice(3), command, ...words], {
    ...others,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.once('exit', () => child.stdin.destroy());
  child.stdin.on('error', () => undefined);
  return child;
}
