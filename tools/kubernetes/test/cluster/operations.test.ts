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

/** docs/operations.md and recovery.md as a newcomer would use them: their commands, in their order, on a real API server with simulated pods. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const NOT_RUN = '# not run here';
const shellOf = (name: string) =>
  commandsOf(name)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
const blocks = shellOf('operations.md');
const ofPages = ['on-call.md', 'recovery.md', 'personal-data.md'].flatMap(shellOf);
const notRun = [...blocks, ...ofPages].filter((block) => block.startsWith(NOT_RUN));
/** Of the runbooks, what needs a release of two revisions: they run after the upgrade. npm commands have their own tests. */
const ofRunbooks = RUNBOOKS.flatMap(shellOf).filter(
  (block) => !block.startsWith(NOT_RUN) && !block.startsWith('npm '),
);
const UPGRADE = 'helm rollback casewatch';
const PAGES = ['operations.md', 'on-call.md', 'recovery.md', 'data-stores.md', 'personal-data.md'];
const inOrder = blocks
  .filter((block) => !block.startsWith(NOT_RUN))
  .flatMap((block) =>
    block.includes(UPGRADE)
      ? [block, ...ofRunbooks, ...ofPages.filter((each) => !each.startsWith(NOT_RUN))]
      : [block],
  );
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

async function replicasOfRoles(): Promise<Set<string>> {
  const words = ['get', 'deployments', '-n', 'casewatch', '-l', 'app.kubernetes.io/instance=casewatch'];
  return new Set((await cluster.kubectl([...words, '-o', 'jsonpath={.items[*].spec.replicas}'])).split(' '));
}

describe('the operations page', () => {
  it('lists what it does not run', () => {
    for (const block of [...blocks, ...ofPages]) {
      const needsMore = /pg_dump|pg_restore|kubectl[^\n]* (?:exec|run) |get prometheus /.test(block);
      expect(block.startsWith(NOT_RUN), title(block)).toBe(needsMore);
    }
    expect(notRun).toHaveLength(7);
    expect(ofRunbooks.length).toBeGreaterThan(8);
  });

  it.each(notRun.map((block) => [title(block), block]))(
    'is valid bash where it is not run: %s',
    async (_, block) => {
      await run('bash', ['-n', '-c', block]);
    },
  );

  it.each(inOrder.map((block) => [title(block), block]))('runs: %s', async (_, block) => {
    const written = await shell.run(block);
    if (block.includes('testAlert=true')) expect(written).toMatch(/CasewatchOutboxStuck.*CasewatchTestAlert/);
    if (block.includes('stopped=true')) expect(await replicasOfRoles()).toEqual(new Set(['0']));
    // Also a role whose number an autoscaler sets, which would leave it at none.
    if (block.includes('publishAgain=true')) expect(await replicasOfRoles()).not.toContain('0');
  });

  it('leaves nothing behind', async () => {
    const left = () => cluster.kubectl(['get', 'deployments,jobs,ingresses', '-A', '-o', 'name']);
    await expect.poll(left).toBe('');
  });

  it('links to pages that exist', () => {
    for (const page of PAGES.map((name) => readFileSync(path.join(root, 'docs', name), 'utf8'))) {
      for (const [, target = ''] of page.matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)) {
        expect(existsSync(path.join(root, 'docs', target)), target).toBe(true);
      }
    }
  });
});
