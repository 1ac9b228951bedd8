import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { goProgram } from '@casewatch/dev-stack/tools/go-program';

const run = promisify(execFile);

export interface Judgement {
  ok: boolean;
  /** What promtool wrote, complaints included. */
  output: string;
}

/** Returns the path of Prometheus' own promtool, of the version that `promtool/go.mod` pins; built from source the first time. */
export function promtoolProgram(): Promise<string> {
  return goProgram({
    moduleFolder: fileURLToPath(new URL('../promtool/', import.meta.url)),
    name: 'promtool',
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    // The clients of every cloud, which our configuration has no use for, are most of its size.
    tags: ['remove_all_sd'],
  });
}

/** Runs promtool in the folder `cwd`. */
export async function promtool(words: readonly string[], cwd: string): Promise<Judgement> {
  const program = await promtoolProgram();
  try {
    const { stdout, stderr } = await run(program, [...words], { cwd });
    return { ok: true, output: `${stdout}${stderr}` };
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error;
    return { ok: false, output: `${error.stdout}${error.stderr}` };
  }
}
