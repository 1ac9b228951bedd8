import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WITHIN_MS = 60_000;

export interface Run {
  child: ChildProcess;
  output(): string;
  code: Promise<number | null>;
}

/** Starts a program of this repository in the folder `cwd`, with no settings but `env`. */
export function startCommand(
  cwd: string,
  file: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Run {
  const child = spawn(process.execPath, [path.join(root, file), ...words], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, output: () => output, code: once(child, 'close').then(([code]) => code as number | null) };
}

/** Resolves with what `find` finds, once it does. @throws after a minute */
export async function until<T>(find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
