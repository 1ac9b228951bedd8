import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../src/control-plane.ts';
import { crdFiles } from '../../src/crd-files.ts';
import { chartFolder, helm, INSTALLS, OPERATOR_WORDS, valueWords } from '../../src/helm.ts';
import { NEVER_READY } from '../../src/simulated-nodes.ts';

/** The chart on a real API server, controllers and scheduler; the pods are simulated. */

const NAMESPACE = 'shop';
const RELEASE = 'watch';
let cluster: ControlPlane;

const k = (...words: string[]) => cluster.kubectl(['-n', NAMESPACE, ...words]);
const h = (...words: string[]) => helm([...words, '-n', NAMESPACE], { KUBECONFIG: cluster.kubeconfig });
const json = async (...words: string[]) => JSON.parse(await k(...words, '-o', 'json'));

beforeAll(async () => {
  cluster = await startControlPlane();
  for (const file of await crdFiles()) await cluster.kubectl(['apply', '--server-side', '-f', file]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  await cluster.kubectl(['create', 'namespace', NAMESPACE]);
  await cluster.kubectl([
    ...['label', 'namespace', NAMESPACE],
    'pod-security.kubernetes.io/enforce=restricted',
    'pod-security.kubernetes.io/enforce-version=latest',
  ]);
  const quota = { 'requests.cpu': '8', 'requests.memory': '12Gi', 'limits.memory': '24Gi', pods: '60' };
  await cluster.kubectl(
    ['apply', '-f', '-'],
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'all', namespace: NAMESPACE },
      spec: { hard: quota },
    }),
  );
}, 1_800_000);
afterAll(() => cluster?.stop(), 60_000);

describe('the namespace', () => {
  it('refuses a plain pod: the restricted level is in force', async () => {
    await expect(k('run', 'plain', '--image', 'casewatch:0.1.0')).rejects.toThrow(
      /violates PodSecurity "restricted/,
    );
  });
});

describe('every install of ci/', () => {
  it.each(INSTALLS)('%s passes the admission of a real API server', async (install) => {
    const text = await helm([
      ...['template', RELEASE, chartFolder, '-n', NAMESPACE, '--skip-tests', ...OPERATOR_WORDS],
      ...valueWords([install]),
    ]);
    await cluster.kubectl(
      ['apply', '--dry-run=server', '--validate=strict', '-n', NAMESPACE, '-f', '-'],
      text,
    );
  });
});

/** In this order: each step stands on the one before, as the life of an install does. */
describe('the life of an install', () => {
  const values = valueWords(['locked-down']);

  it('installs and waits until every role is there', async () => {
    await h('install', RELEASE, chartFolder, ...values, '--wait', '--timeout', '120s');
    const { items } = await json('get', 'deployments');
    expect(items).toHaveLength(8);
    for (const { spec, status } of items) expect(status.readyReplicas).toBe(spec.replicas);
  });

  it('has run the migrations before, and kept no Job', async () => {
    const { items } = await json('get', 'events', '--field-selector', 'involvedObject.kind=Job');
    expect(items.some(({ reason }: { reason: string }) => reason === 'Completed')).toBe(true);
    expect((await json('get', 'jobs')).items).toEqual([]);
  });

  it('spreads the pods of a role over zones', async () => {
    const { items } = await json('get', 'pods', '-l', 'app.kubernetes.io/component=cases');
    const nodes = new Set(items.map(({ spec }: { spec: { nodeName: string } }) => spec.nodeName));
    expect(nodes.size).toBe(items.length);
  });

  it('denies by default, budgets disruptions and scales', async () => {
    const policies = (await json('get', 'networkpolicies')).items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
    expect(policies).toContain(`${RELEASE}-casewatch-default-deny`);
    const { items } = await json('get', 'poddisruptionbudgets');
    expect(items).toHaveLength(8);
    for (const { status } of items) expect(status.disruptionsAllowed).toBe(1);
    expect((await json('get', 'hpa')).items).toHaveLength(2);
  });

  it('answers helm test, as often as one likes, and keeps no pod of it', async () => {
    const tests = ['get', 'pods', '-l', 'app.kubernetes.io/component=test', '-o', 'name'];
    for (const words of [[], ['--logs']]) {
      await h('test', RELEASE, '--timeout', '60s', ...words);
      expect(await k(...tests)).toBe('');
    }
  });

  it('upgrades, each role by surge and never below its number', async () => {
    await h(
      'upgrade',
      RELEASE,
      chartFolder,
      ...values,
      '--set',
      'image.tag=0.2.0',
      '--wait',
      '--timeout',
      '120s',
    );
    const images = (await json('get', 'deployments')).items.map(
      ({ spec }: { spec: { template: { spec: { containers: { image: string }[] } } } }) =>
        spec.template.spec.containers[0]?.image,
    );
    expect(new Set(images)).toEqual(new Set(['casewatch:0.2.0']));
  });

  it('an upgrade whose pods never become ready is taken back by itself', async () => {
    const broken = ['--set-string', `defaults.podLabels.${NEVER_READY.replace('.', '\\.')}=yes`];
    const upgrade = h(
      ...['upgrade', RELEASE, chartFolder, ...values, '--set', 'image.tag=0.3.0', ...broken],
      ...['--wait', '--timeout', '15s', '--rollback-on-failure'],
    );
    await expect(upgrade).rejects.toThrow();
    const { items } = await json('get', 'deployments');
    for (const { spec, status } of items) {
      expect(spec.template.spec.containers[0].image).toBe('casewatch:0.2.0');
      expect(status.readyReplicas).toBe(spec.replicas);
    }
  });

  it('rolls back to the first revision', async () => {
    await h('rollback', RELEASE, '1', '--wait', '--timeout', '120s');
    const { spec } = await json('get', 'deployment', `${RELEASE}-casewatch-gateway`);
    expect(spec.template.spec.containers[0].image).toBe('casewatch:0.1.0');
  });

  it('loses no pod when autoscaling is turned on for a role that was scaled by hand before', async () => {
    const name = `${RELEASE}-casewatch-billing`;
    await k('scale', 'deployment', name, '--replicas', '3');
    const on = [
      'services.billing.autoscaling.enabled=true',
      'postgres.maxConnections=1000',
      'image.tag=0.2.0',
    ];
    const words = [chartFolder, ...values, '--set', on.join(), '--wait', '--timeout', '120s'];
    await h('upgrade', RELEASE, ...words);
    await json('get', 'hpa', name);
    expect((await json('get', 'deployment', name)).spec.replicas).toBe(3);
    const { items } = await json('get', 'events', '--field-selector', `involvedObject.name=${name}`);
    const messages = items.map(({ message }: { message: string }) => message).join();
    expect(messages).not.toContain('from 3 to');
  });

  it('uninstalls and leaves nothing', async () => {
    await h('test', RELEASE, '--timeout', '60s');
    await h('uninstall', RELEASE, '--cascade', 'foreground', '--wait', '--timeout', '120s');
    const kinds =
      'deployments,replicasets,pods,services,configmaps,serviceaccounts,networkpolicies,poddisruptionbudgets,hpa,ingresses,jobs';
    const left = () => k('get', kinds, '-l', `app.kubernetes.io/instance=${RELEASE}`, '-o', 'name');
    // Helm waits until what it has looked at is deleted, which is not yet all where its watches begin one after the other.
    await expect.poll(left).toBe('');
    expect(await k('get', 'secrets', '-l', 'owner=helm', '-o', 'name')).toBe('');
  });
});
