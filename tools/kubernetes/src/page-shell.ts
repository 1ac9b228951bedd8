import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { goTool } from './go-tool.ts';
import { chartFolder, HELM_REQUESTS } from './helm.ts';

const execute = promisify(execFile);
/** What a block leaves for the next one: variables. */
const VARIABLES = 'variables.sh';

/** Where the commands of a page for operators run, one block after the other. */
export interface PageShell {
  /** Resolves to what the block writes. @throws with what it wrote to stderr */
  run(block: string): Promise<string>;
  remove(): void;
}

export interface PageShellOptions {
  kubeconfig: string;
  /** A file of values that helm takes after those of the page, at every install and upgrade: how this cluster differs. */
  values?: string;
}

/** Opens a folder of its own with the charts, helm and kubectl. */
export async function openPageShell({ kubeconfig, values }: PageShellOptions): Promise<PageShell> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-operations-'));
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(await goTool('kubectl'), path.join(bin, 'kubectl'));
  symlinkSync(path.join(chartFolder, '..'), path.join(folder, 'charts'));
  writeFileSync(path.join(folder, VARIABLES), '');
  const more = values ? `case $1 in install | upgrade) set -- "$@" -f '${values}' ;; esac\n` : '';
  writeFileSync(path.join(bin, 'helm'), `#!/bin/sh\n${more}exec '${await goTool('helm')}' "$@"\n`, {
    mode: 0o755,
  });
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, KUBECONFIG: kubeconfig, ...HELM_REQUESTS };
  return {
    async run(block) {
      const script = `set -euo pipefail; . ./${VARIABLES}\n${block}\nexport -p > ${VARIABLES}`;
      const { stdout } = await execute('bash', ['-c', script], { cwd: folder, env });
      return stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
