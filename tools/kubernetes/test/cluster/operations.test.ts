import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, RUNBOOKS } from '../../../observability/src/page-commands.ts';
import { type ControlPlane, startControlPlane } from '../../src/control-plane.ts';
import { crdFiles } from '../../src/crd-files.ts';
import { openPageShell, type PageShell } from '../../src/page-shell.ts';

/** docs/operations.md as a newcomer would use it: its commands, in its order, on a real API server with simulated pods. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(path.join(root, 'docs', 'operations.md'), 'utf8');
const NOT_RUN = '# not run here';
const shellOf = (name: string) =>
  commandsOf(name)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
const blocks = shellOf('operations.md');
/** Of the runbooks, what needs a release of two revisions: they run after the upgrade. npm commands have their own tests. */
const ofRunbooks = RUNBOOKS.flatMap(shellOf).filter(
  (block) => !block.startsWith(NOT_RUN) && !block.startsWith('npm '),
);
const UPGRADE = 'helm rollback casewatch 1';
const inOrder = blocks
  .filter((block) => !block.startsWith(NOT_RUN))
  .flatMap((block) => (block.includes(UPGRADE) ? [block, ...ofRunbooks] : [block]));
const run = promisify(execFile);

let cluster: ControlPlane;
let shell: PageShell;
beforeAll(async () => {
  cluster = await startControlPlane();
  for (const file of await crdFiles()) await cluster.kubectl(['apply', '--server-side', '-f', file]);
  shell = await openPageShell({ kubeconfig: cluster.kubeconfig });
}, 1_800_000);
afterAll(async () => {
  await cluster?.stop();
  shell?.remove();
}, 60_000);

const title = (block: string) => block.split('\n', 1)[0] ?? '';

describe('the operations page', () => {
  it('lists what it does not run', () => {
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
    const written = await shell.run(block);
    if (block.includes('testAlert=true')) expect(written).toMatch(/CasewatchOutboxStuck.*CasewatchTestAlert/);
  });

  it('leaves nothing behind', async () => {
    const left = () => cluster.kubectl(['get', 'deployments,jobs,ingresses', '-A', '-o', 'name']);
    await expect.poll(left).toBe('');
  });

  it('links to pages that exist', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)) {
      expect(existsSync(path.join(root, 'docs', target)), target).toBe(true);
    }
  });
});
