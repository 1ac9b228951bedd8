import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf } from './cpu.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Runs one TypeScript file of the project as a process and waits until it says what `ready` matches. */
export async function startChild(
  file: string,
  env: Record<string, string>,
  ready: RegExp,
  args: readonly string[] = [],
): Promise<Child & { found: string }> {
  const child = spawn(path.join(root, 'node_modules/node/bin/node'), [file, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const found = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const match = ready.exec(output);
      if (match) resolve(match[1] ?? '');
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`${file} ended:\n${output}`)));
  });
  return {
    process: child,
    found,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Returns the processor seconds that the processes have used so far; Linux only. */
export function cpuSeconds(children: readonly Child[]): number {
  return children.reduce((sum, { process: { pid } }) => sum + cpuSecondsOf(pid ?? 0), 0);
}
