import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertExpressions } from '../../../observability/src/alert-expressions.ts';
import { type DrillActions, openDrillActions } from '../../../observability/src/drills/drill-actions.ts';
import type { DrilledProduct } from '../../../observability/src/drills/drilled-product.ts';
import { DRILLS } from '../../../observability/src/drills/drills.ts';
import { runDrill } from '../../../observability/src/drills/run-drill.ts';
import { createMetricsHistory, type Target } from '../../../observability/src/metrics-history.ts';
import { commandsOf } from '../../../observability/src/page-commands.ts';
import { promtool } from '../../../observability/src/promtool.ts';
import { crdFiles } from '../../src/crd-files.ts';
import { openPageShell, type PageShell } from '../../src/page-shell.ts';
import { enforcePolicies, type PolicyEnforcer } from '../src/enforce-policies.ts';
import { startLoad, sumOf } from '../src/load-pod.ts';
import { type NodeAccess, nodeAccess } from '../src/node-access.ts';
import { type OutsideServices, startOutsideServices } from '../src/outside-services.ts';
import { patiently } from '../src/patiently.ts';
import { reaches, removePod, runPod } from '../src/pod-actions.ts';
import { PRODUCT_REPOSITORY, VERSIONS } from '../src/pod-images.ts';
import { createRelease, type Release } from '../src/release.ts';
import { allowedEgress } from '../src/release-values.ts';

/**
 * docs/operations.md and recovery.md as an operator follows it, on a real node with real pods: its commands in its order, from nothing to nothing.
 * The quarterly drill of a restore is not among them: it is the same restore once more, on servers of its own.
 */

const NAMESPACE = 'casewatch';
const MINUTES = 60_000;
const DRILLED = [
  'CasewatchRoleAway',
  'CasewatchMetricsMissing',
  'CasewatchGaugesUnreadable',
  'CasewatchDeadLetters',
  'CasewatchConsumerStuck',
  'CasewatchConsumerLag',
];
const page = ['operations.md', 'recovery.md'].flatMap(commandsOf);
const blocksOf = (section: string, language = 'sh') =>
  page.filter((block) => block.section === section && block.language === language && !block.notRun);

let folder: string;
let node: NodeAccess;
let policies: PolicyEnforcer;
let outside: OutsideServices;
let ownerUrl: string;
let shell: PageShell;
let release: Release;
let pool: pg.Pool;
let actions: DrillActions;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-guide-'));
  node = await nodeAccess();
  policies = enforcePolicies(node.kubeconfig);
  for (const file of await crdFiles()) await node.kubectl(['apply', '--server-side', '-f', file]);
  for (const version of VERSIONS) {
    const tag = `registry.example.com/casewatch:${version.replace(/^1\.(\d)\.0$/, '0.1.$1')}`;
    await node.ctr(['images', 'tag', '--force', `${PRODUCT_REPOSITORY}:${version}`, tag]);
  }
  outside = await startOutsideServices();
  const owner = new URL(outside.ownerUrl);
  owner.username = 'operator';
  owner.password = 'change-me';
  owner.pathname = '/operated';
  ownerUrl = owner.href;
  await asSuperuser("CREATE ROLE operator LOGIN CREATEROLE PASSWORD 'change-me'");
  await asSuperuser('CREATE DATABASE operated OWNER operator');
  await redis('ACL SETUSER casewatch on >change-me ~* &* +@all');
  writeValues({});
  shell = await openPageShell({ kubeconfig: node.kubeconfig, values: path.join(folder, 'node.yaml') });
  const { stop: _, ...addresses } = outside;
  release = createRelease(node, addresses, { namespace: NAMESPACE, origin: 'https://casewatch.example.com' });
}, 10 * MINUTES);
afterAll(async () => {
  await pool?.end();
  shell?.remove();
  policies?.stop();
  await outside?.stop();
  rmSync(folder, { recursive: true, force: true });
}, MINUTES);

/** How this cluster differs from the page's: one small pod a role, a simulated agency, a Kafka without TLS. */
function writeValues({ topicPrefix = '' }): void {
  const wide = 1_000_000;
  const values = {
    image: { pullPolicy: 'Never' },
    kafka: { tls: false, ...(topicPrefix ? { topicPrefix } : {}) },
    simulators: { enabled: true },
    agency: { callsPerDay: 100_000 },
    defaults: { replicas: 1, resources: { requests: { cpu: '20m' } } },
    services: Object.fromEntries(
      ['gateway', 'identity'].map((role) => [
        role,
        { resources: { requests: { cpu: '20m' } }, autoscaling: { enabled: false } },
      ]),
    ),
    settings: {
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: wide,
      RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE: wide,
      RATE_LIMIT_PER_USER_PER_MINUTE: wide,
    },
    networkPolicy: allowedEgress(outside),
  };
  writeFileSync(path.join(folder, 'node.yaml'), JSON.stringify(values));
}

const asSuperuser = (statement: string) => statementAs(outside.ownerUrl, statement);
const asOwner = (statement: string) => statementAs(ownerUrl, statement);

async function statementAs(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Sends one command as an administrator of Redis does. @throws what Redis answers but `OK` */
async function redis(command: string): Promise<void> {
  const { hostname, port } = new URL(outside.redisUrl);
  const socket = connect(Number(port), hostname);
  socket.write(`${command}\r\n`);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  expect(String(answer)).toBe('+OK\r\n');
}

async function follow(section: string): Promise<string[]> {
  const written: string[] = [];
  for (const { text } of blocksOf(section))
    written.push(await shell.run(text).catch(release.withDiagnostics));
  return written;
}

/** As the guide says of secrets for which it has no commands. */
const patchAndRoll = (secret: string, change: string) =>
  shell
    .run(`kubectl -n "$NAMESPACE" patch secret casewatch-${secret} --patch-file /dev/stdin <<< "stringData: { ${change} }"
      helm upgrade casewatch charts/casewatch -n "$NAMESPACE" -f values.yaml --set-string secretsRevision=${secret}-2 --wait --timeout 10m`)
    .catch(release.withDiagnostics);

/** Fails where a request does, whatever `work` does to the pods. */
async function withoutFailure(name: string, work: () => Promise<unknown>): Promise<void> {
  const load = await startLoad(release);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const result = await load.end();
  console.log(`${name}: ${seconds.toFixed(0)} s, ${sumOf(result)} requests, ${result.failed} failed`);
  await removePod(release, 'load');
  expect(result.failures).toEqual({});
  expect(sumOf(result)).toBeGreaterThan(1_000);
}

interface Pod {
  metadata: { labels: Record<string, string>; deletionTimestamp?: string };
  status: { phase: string; podIP?: string };
}

/** Where each pod of a role shows its metrics. */
async function targetsNow(): Promise<Target[]> {
  const { items }: { items: Pod[] } = JSON.parse(
    await release.kubectl('get', 'pods', '-l', 'app.kubernetes.io/instance=casewatch', '-o', 'json'),
  );
  return items.flatMap(({ metadata, status }) => {
    const role = metadata.labels['app.kubernetes.io/component'] ?? '';
    const isThere = status.phase === 'Running' && !metadata.deletionTimestamp;
    return isThere && release.roles.includes(role) ? [{ role, url: `http://${status.podIP}:9464` }] : [];
  });
}

/** The release as drills break it. */
async function drilledRelease(): Promise<DrilledProduct> {
  const targets = await targetsNow();
  const scale = async (role: string, replicas: number) => {
    await release.kubectl('scale', `deployment/casewatch-${role}`, `--replicas=${replicas}`);
    await patiently(`${role} has ${replicas} pods`, async () => {
      targets.splice(0, targets.length, ...(await targetsNow()));
      return targets.filter((target) => target.role === role).length === replicas;
    });
    if (replicas > 0) await patiently(`${role} is ready`, () => release.isScaled(role, replicas));
  };
  const absent = (): never => {
    throw new Error('there is none in this install');
  };
  return {
    ...actions,
    targets,
    roleOf: (role) => ({
      url: targets.find((target) => target.role === role)?.url ?? '',
      kill: () => scale(role, 0),
      restart: () => scale(role, 1),
    }),
    async hold(service, statement) {
      const named = await release.kubectl(
        ...['get', 'secret', 'casewatch-database', '-o', `jsonpath={.data.${service}-url}`],
      );
      const client = new pg.Client({ connectionString: Buffer.from(named, 'base64').toString() });
      // It is to be terminated.
      client.on('error', () => undefined);
      await client.connect();
      await client.query('BEGIN');
      await client.query(statement);
    },
    events: async (...words) => {
      await release.kubectl(
        ...['exec', 'deploy/casewatch-notifications', '--', 'node', 'dist/container.js', 'events', ...words],
      );
    },
    get product() {
      return absent();
    },
    get kafka() {
      return absent();
    },
    get mailServer() {
      return absent();
    },
    get pushService() {
      return absent();
    },
    get paymentsUrl() {
      return absent();
    },
    stop: async () => undefined,
  };
}

/** What Prometheus makes of the installed rules and of no metrics, two minutes later. */
async function alertsOfTheRules(expr: string): Promise<string> {
  const rules = await release.kubectl('get', 'prometheusrules', 'casewatch', '-o', 'jsonpath={.spec}');
  writeFileSync(path.join(folder, 'rules.yaml'), rules);
  const promql_expr_test = [{ expr, eval_time: '2m', exp_samples: [] }];
  const tests = [{ interval: '1m', input_series: [], promql_expr_test }];
  const test = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests };
  writeFileSync(path.join(folder, 'test.yaml'), JSON.stringify(test));
  return (await promtool(['test', 'rules', 'test.yaml'], folder)).output;
}

describe('the operations guide', () => {
  it(
    'installs the product',
    async () => {
      const [variables, ...blocks] = blocksOf('Install');
      await shell.run(variables?.text ?? '');
      const { host } = new URL(ownerUrl);
      const { host: redisHost } = new URL(outside.redisUrl);
      await shell.run(`export POSTGRES=${host}/operated OWNER=operator KAFKA=${outside.brokers}
      export REDIS_URL=redis://casewatch:change-me@${redisHost}`);
      const written: string[] = [];
      for (const { text } of blocks) written.push(await shell.run(text).catch(release.withDiagnostics));
      expect(written.at(-1)).toMatch(/Phase:\s+Succeeded/);
      for (const role of release.roles)
        expect(await release.isScaled(role, 1), `${role} has a pod`).toBe(true);
      const superuserUrl = new URL(outside.ownerUrl);
      superuserUrl.pathname = '/operated';
      pool = new pg.Pool({ connectionString: superuserUrl.href, max: 2 });
      // Its server is to lose the database.
      pool.on('error', () => undefined);
      const agency = await release.addressOf('agency-simulator');
      actions = await openDrillActions({
        url: await release.addressOf('gateway'),
        agencyUrl: `${agency}/__control`,
        pool,
      });
    },
    15 * MINUTES,
  );

  it(
    'has Prometheus see every role, and a test alert fire',
    async () => {
      const blocks = blocksOf('Observe').map(({ text }) => text);
      const at = blocks.findIndex((text) => text.includes('testAlert=true'));
      const [roles, firing] = blocksOf('Observe', 'promql').map(({ text }) => text);
      for (const block of blocks.slice(0, at)) await shell.run(block).catch(release.withDiagnostics);
      await policies.applied();

      const targets = await targetsNow();
      const idle = { words: ['-e', 'setInterval(() => {}, 1000)'], namespace: 'monitoring' };
      await node.kubectl(['create', 'namespace', 'monitoring']);
      await runPod(release, 'prometheus', idle);
      await runPod(release, 'outsider', { ...idle, namespace: NAMESPACE });
      const ports = targets.map(({ url }) => new URL(url).host);
      const all = (word: string) => Object.fromEntries(ports.map((port) => [port, word]));
      expect(await reaches(release, 'prometheus', ports, 'monitoring')).toEqual(all('open'));
      expect(await reaches(release, 'outsider', ports)).toEqual(all('shut'));
      await removePod(release, 'outsider');
      await node.kubectl(['delete', 'namespace', 'monitoring', '--wait']);

      const history = createMetricsHistory({ targets, scrapeSeconds: 5 });
      await history.scrape();
      const expr = `count((${roles}) == 1) == ${release.roles.length}`;
      const isTrue = await history.trueAt([{ alert: 'AllThere', expr, forSeconds: 0, runbook: '' }]);
      expect(isTrue).toEqual([new Set(['AllThere'])]);

      expect(await alertsOfTheRules(firing ?? '')).not.toContain('CasewatchTestAlert');
      await shell.run(blocks[at] ?? '').catch(release.withDiagnostics);
      expect(await alertsOfTheRules(firing ?? '')).toMatch(/CasewatchTestAlert.*severity=\\?"ticket/);
      for (const block of blocks.slice(at + 1)) await shell.run(block).catch(release.withDiagnostics);
    },
    10 * MINUTES,
  );

  it.each(DRILLED)(
    'has a drill that fires and ends: %s',
    async (name) => {
      const drill = DRILLS.find(({ alert }) => alert === name);
      if (!drill) throw new Error(`there is no drill of ${name}`);
      const alerts = alertExpressions('distributed');
      await runDrill(drill, { alerts, drilled: await drilledRelease(), say: (line) => console.log(line) });
    },
    10 * MINUTES,
  );

  it.each(['Scale', 'Event streams in a role of their own', "The agency's budget"])(
    'changes values: %s',
    async (section) => {
      expect(await follow(section)).toHaveLength(1);
    },
    10 * MINUTES,
  );

  it(
    'upgrades and rolls back, and no request fails',
    async () => {
      await withoutFailure('upgrade and rollback', () => follow('Upgrade and roll back'));
      expect((await release.running()).tags).toEqual(new Set(['registry.example.com/casewatch:0.1.0']));
    },
    20 * MINUTES,
  );

  it(
    'restores a backup: notifications are neither lost nor sent again',
    async () => {
      await actions.watchMovedCases(3);
      await actions.allNotified();
      await follow('Stop in place');
      // What a provider's snapshot is: all of the database at one moment.
      await patiently('nothing is connected, and the snapshot is taken', async () => {
        await asSuperuser(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'operated'`,
        );
        await asSuperuser('CREATE DATABASE snapshot TEMPLATE operated');
        return true;
      });
      await asSuperuser('DROP DATABASE operated WITH (FORCE)');
      await asSuperuser('CREATE DATABASE operated TEMPLATE snapshot OWNER operator');
      const [lead, start, again] = blocksOf('Restore PostgreSQL').map(({ text }) => text);
      const { host } = new URL(ownerUrl);
      await shell.run(
        (lead ?? '').replace(/^export NEW_POSTGRES=.*$/m, `export NEW_POSTGRES=${host}/operated`),
      );
      const [counted] = blocksOf('Restore PostgreSQL', 'sql');
      await asOwner(counted?.text ?? '');
      for (const block of [start, again]) await shell.run(block ?? '').catch(release.withDiagnostics);
      writeValues({ topicPrefix: 'casewatch-2.' });

      const notificationCount = async () => {
        const rows = await actions.sql<{ count: number }>(
          'SELECT count(*)::int FROM notifications.notifications WHERE user_id = ANY ($1)',
          [actions.watchers],
        );
        return rows[0]?.count;
      };
      const before = await notificationCount();
      await actions.watchMovedCases(1);
      await patiently('all that was published again is handled', async () => {
        const rows = await actions.sql('SELECT 1 FROM cases.outbox WHERE done_at IS NULL');
        return rows.length === 0 && (await notificationCount()) === (before ?? 0) + 2;
      });
      await actions.allNotified();
    },
    20 * MINUTES,
  );

  it(
    'rotates secrets, and no request fails',
    async () => {
      const [passcode, ...others] = blocksOf('Rotate secrets').map(({ text }) => text);
      await withoutFailure('rotation', async () => {
        await shell.run(passcode ?? '').catch(release.withDiagnostics);
        for (const block of others) await shell.run(block).catch(release.withDiagnostics);
        const closing = blocksOf('Rotate secrets', 'sql').find(({ text }) => text.includes('NOLOGIN'));
        await asOwner(closing?.text ?? '');
        await redis('ACL SETUSER casewatch >changed');
        await patchAndRoll('redis', `url: '\${REDIS_URL/change-me/changed}'`);
        await redis('ACL SETUSER casewatch <change-me');
        await patchAndRoll('agency', 'client-secret: changed');
        await asOwner("ALTER ROLE operator PASSWORD 'changed'");
        await patchAndRoll('database', `owner-url: 'postgres://$OWNER:changed@$POSTGRES'`);
      });
      await actions.watchMovedCases(1);
      await actions.allNotified();
    },
    30 * MINUTES,
  );

  it(
    'removes the product',
    async () => {
      await follow('Remove');
      await expect(node.kubectl(['get', 'namespace', NAMESPACE])).rejects.toThrow('not found');
    },
    10 * MINUTES,
  );
});
