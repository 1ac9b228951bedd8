import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, RUNBOOKS } from '../../../observability/src/page-commands.ts';
import { type ControlPlane, startControlPlane } from '../../src/control-plane.ts';
import { crdFiles } from '../../src/crd-files.ts';
import { goTool } from '../../src/go-tool.ts';

/** docs/operations.md as a newcomer would use it: its commands, in its order, on a real API server with simulated pods. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(path.join(root, 'docs', 'operations.md'), 'utf8');
const NOT_RUN = '# not run here';
const shellOf = (name: string) =>
  commandsOf(name)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
const blocks = shellOf('operations.md');
/** Of the runbooks, what needs a release of two revisions: they run after the upgrade. npm commands run elsewhere. */
const ofRunbooks = RUNBOOKS.flatMap(shellOf).filter(
  (block) => !block.startsWith(NOT_RUN) && !block.startsWith('npm '),
);
const UPGRADE = 'helm rollback casewatch 1';
const inOrder = blocks
  .filter((block) => !block.startsWith(NOT_RUN))
  .flatMap((block) => (block.includes(UPGRADE) ? [block, ...ofRunbooks] : [block]));
const run = promisify(execFile);
/** What a block leaves for the next one: variables. */
const VARIABLES = 'variables.sh';

let cluster: ControlPlane;
let folder: string;
beforeAll(async () => {
  cluster = await startControlPlane();
  for (const file of await crdFiles()) await cluster.kubectl(['apply', '--server-side', '-f', file]);
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-operations-'));
  mkdirSync(path.join(folder, 'bin'));
  for (const tool of ['helm', 'kubectl'] as const)
    symlinkSync(await goTool(tool), path.join(folder, 'bin', tool));
  symlinkSync(path.join(root, 'charts'), path.join(folder, 'charts'));
  writeFileSync(path.join(folder, VARIABLES), '');
}, 1_800_000);
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function bash(text: string): Promise<string> {
  const script = `set -euo pipefail; . ./${VARIABLES}\n${text}\nexport -p > ${VARIABLES}`;
  const { stdout } = await run('bash', ['-c', script], {
    cwd: folder,
    env: {
      PATH: `${folder}/bin:${process.env.PATH}`,
      HOME: folder,
      KUBECONFIG: cluster.kubeconfig,
    },
  });
  return stdout;
}

const title = (block: string) => block.split('\n', 1)[0] ?? '';

describe('the operations page', () => {
  it('tells what it does not run', () => {
    for (const block of blocks) {
      const needsMore = /pg_dump|pg_restore|kubectl[^\n]* exec |get prometheus |ExternalSecret/.test(block);
      expect(block.startsWith(NOT_RUN), title(block)).toBe(needsMore);
    }
    expect(blocks.filter((block) => block.startsWith(NOT_RUN))).toHaveLength(7);
    expect(ofRunbooks.length).toBeGreaterThan(8);
  });

  it.each(blocks.filter((block) => block.startsWith(NOT_RUN)).map((block) => [title(block), block]))(
    'is valid bash where it is not run: %s',
    async (_, block) => {
      await run('bash', ['-n', '-c', block]);
    },
  );

  it.each(inOrder.map((block) => [title(block), block]))('runs: %s', async (_, block) => {
    const written = await bash(block);
    if (block.includes('testAlert=true')) expect(written).toMatch(/CasewatchOutboxStuck.*CasewatchTestAlert/);
  });

  it('leaves nothing behind', async () => {
    const left = await cluster.kubectl(['get', 'deployments,jobs,ingresses', '-A', '-o', 'name']);
    expect(left).toBe('');
  });

  it('links to pages that exist', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)) {
      expect(existsSync(path.join(root, 'docs', target)), target).toBe(true);
    }
  });
});
