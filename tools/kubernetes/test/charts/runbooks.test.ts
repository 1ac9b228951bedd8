import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { commandsOf } from '../../../observability/src/page-commands.ts';
import { renderChart } from '../../src/helm.ts';
import { at, named } from '../../src/manifest.ts';

const run = promisify(execFile);
const SERVICES = ['identity', 'cases', 'monitoring', 'notifications', 'billing', 'surveys', 'admin-log'];

/** The values that a runbook's `helm upgrade` sets for a role. */
async function valuesSet(page: string, role: string): Promise<Record<string, string>> {
  const upgrade = commandsOf(page).find(({ text }) => text.startsWith('helm upgrade'))?.text ?? '';
  const { stdout } = await run('bash', ['-euc', `helm() { printf '%s\\n' "$@"; }\n${upgrade}`], {
    env: { ...process.env, RELEASE: 'r', NAMESPACE: 'shop', ROLE: role },
  });
  const words = stdout.trimEnd().split('\n');
  const set = words.flatMap((word, index) => (words[index - 1] === '--set' ? [word] : []));
  return Object.fromEntries(set.map((value) => value.split('=') as [string, string]));
}

it.each([
  ...SERVICES.map((role) => ['consumer-lag', role] as const),
  ...['gateway', ...SERVICES].map((role) => ['latency', role] as const),
])('%s scales %s with the values of the guide', async (page, role) => {
  const manifests = await renderChart(['locked-down'], await valuesSet(`runbooks/${page}.md`, role));
  const replicas = at(named(manifests, 'Deployment', `r-casewatch-${role}`), 'spec', 'replicas');
  const fewest =
    replicas ?? at(named(manifests, 'HorizontalPodAutoscaler', `r-casewatch-${role}`), 'spec', 'minReplicas');
  expect(fewest).toBe(3);
});
