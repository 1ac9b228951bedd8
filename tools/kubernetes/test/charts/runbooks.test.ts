import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commandsOf, RUNBOOKS } from '../../../observability/src/page-commands.ts';
import { chartFolder, helm, renderChart, valueWords } from '../../src/helm.ts';
import { at, environment, named, ofKind } from '../../src/manifest.ts';
import { parseManifests } from '../../src/parse-manifests.ts';

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

it('the drill of a restore takes no events of production and reaches no user', async () => {
  const drill = commandsOf('recovery.md').find(({ text }) => text.includes('-n "$NAMESPACE-drill"'));
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-drill-'));
  try {
    await run('bash', ['-euc', `helm() { :; }\nkubectl() { :; }\n${drill?.text}`], {
      cwd: folder,
      env: { ...process.env, NAMESPACE: 'shop' },
    });
    const values = [...valueWords(['large']), '-f', path.join(folder, 'drill.yaml')];
    const manifests = parseManifests(
      await helm(['template', 'r', chartFolder, '--namespace', 'shop', ...values]),
    );
    const settings = at(named(manifests, 'ConfigMap', 'r-casewatch'), 'data') as Record<string, string>;
    expect(settings.KAFKA_TOPIC_PREFIX).toBe('casewatch-drill.');
    expect(settings.AGENCY_CALLS_PER_DAY).toBe('1');
    const given = new Set(ofKind(manifests, 'Deployment').flatMap((each) => Object.keys(environment(each))));
    expect(given).toContain('REDIS_URL');
    for (const name of ['SMTP_URL', 'PUSH_VAPID_PRIVATE_KEY', 'STRIPE_SECRET_KEY']) {
      expect(given).not.toContain(name);
    }
    expect([...ofKind(manifests, 'Ingress'), ...ofKind(manifests, 'HTTPRoute')]).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe.each([...RUNBOOKS, 'on-call.md', 'recovery.md'])('%s', (page) => {
  const blocks = commandsOf(page).filter(({ language }) => language === 'sh');

  it('has shell blocks that parse, also those that no test runs', async () => {
    for (const { text } of blocks) await run('bash', ['-n', '-c', text]);
  });

  it('names roles and Deployments that the chart renders', async () => {
    const manifests = [
      ...(await renderChart(
        ['locked-down'],
        { 'streams.enabled': 'true', 'postgres.maxConnections': '900' },
        'casewatch',
      )),
      ...(await renderChart(['single'], {}, 'casewatch')),
    ];
    const components = new Set(
      ofKind(manifests, 'Deployment').map((one) => one.metadata.labels?.['app.kubernetes.io/component']),
    );
    const names = ofKind(manifests, 'Deployment').map((one) => one.metadata.name);
    for (const { text } of blocks) {
      const role = /export [^\n#]*ROLE=(\S+)/.exec(text)?.[1];
      if (role) expect(components, text).toContain(role);
      for (const [, component] of text.matchAll(/app\.kubernetes\.io\/component=([\w-]+)/g))
        expect(components, text).toContain(component);
      for (const [, name = ''] of text.matchAll(/\bdeploy(?:ment)?\/([\w-]+(?:\$ROLE)?)/g))
        expect(names, text).toContain(name.replace('$ROLE', 'cases'));
    }
  });
});
