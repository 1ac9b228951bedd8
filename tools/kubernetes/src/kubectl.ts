import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/** Runs kubectl, with `input` on its standard input; resolves with what it wrote, rejects with its complaint. */
export type Kubectl = (words: readonly string[], input?: string) => Promise<string>;

export function createKubectl(binary: string, kubeconfig: string): Kubectl {
  return async (words, input) => {
    const running = run(binary, ['--kubeconfig', kubeconfig, ...words], { maxBuffer: OUTPUT_LIMIT_BYTES });
    running.child.stdin?.end(input ?? '');
    const { stdout } = await running;
    return stdout;
  };
}
