import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** What an organization adapts without a fork: secrets, accounts, containers and objects of its own. */

const FULL = 'r-casewatch';
let large: Manifest[];
beforeAll(async () => {
  large = await renderChart(['large']);
}, 1_800_000);

const deployment = (manifests: Manifest[], role: string) => named(manifests, 'Deployment', `${FULL}-${role}`);

it('keys of a secret may have other names', async () => {
  const mapped = await renderChart(['large'], {
    'secrets.agency.keys.client-secret': 'AGENCY_SECRET',
    'secrets.database.keys.cases-url': 'CASES_DATABASE',
    'secrets.database.keys.owner-url': 'OWNER_DATABASE',
    'secrets.kafka.keys.password': 'KAFKA_PASSWORD',
  });
  expect(environment(deployment(mapped, 'cases'))).toMatchObject({
    AGENCY_CLIENT_ID: 'casewatch-agency/client-id',
    AGENCY_CLIENT_SECRET: 'casewatch-agency/AGENCY_SECRET',
    DATABASE_URL: 'casewatch-database/CASES_DATABASE',
    KAFKA_SASL_PASSWORD: 'casewatch-kafka/KAFKA_PASSWORD',
  });
  expect(environment(deployment(mapped, 'billing')).DATABASE_URL).toBe('casewatch-database/billing-url');
  const [migrations] = ofKind(mapped, 'Job');
  expect(migrations && environment(migrations)).toMatchObject({
    DATABASE_URL: 'casewatch-database/OWNER_DATABASE',
    CASES_DATABASE_URL: 'casewatch-database/CASES_DATABASE',
  });
  const account = at(ofKind(mapped, 'TriggerAuthentication')[0], 'spec', 'secretTargetRef');
  expect(account).toContainEqual({ parameter: 'password', name: 'casewatch-kafka', key: 'KAFKA_PASSWORD' });
});

it.each(['eks', 'gke', 'aks'])(
  'the example %s says what its secrets hold instead of the URLs of the guide',
  async (name) => {
    const file = path.join(chartFolder, 'examples', `${name}.yaml`);
    const [comment = ''] = readFileSync(file, 'utf8').split('publicUrl:');
    const manifests = await renderChart([`../examples/${name}`]);
    const pods = [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'Job')];
    const secrets = pods.flatMap((pod) => Object.values(environment(pod)));
    const login = /^casewatch-(?:database|redis|kafka)\/(.+)$/;
    const keys = secrets.flatMap((secret) => login.exec(secret)?.[1] ?? []);
    const said = keys.map((key) => key.replace(/^(?!owner)[a-z-]+-(?=username|password)/, '<service>-'));
    expect(new Set(said).size).toBeGreaterThan(5);
    for (const key of new Set(said)) expect(comment, key).toContain(`\`${key}\``);
  },
);

it('the example for EKS is reached over HTTPS, and not over HTTP', () => {
  const { ingress } = parse(readFileSync(path.join(chartFolder, 'examples/eks.yaml'), 'utf8'));
  const alb = 'alb.ingress.kubernetes.io';
  expect(JSON.parse(ingress.annotations[`${alb}/listen-ports`])).toContainEqual({ HTTPS: 443 });
  expect(ingress.annotations[`${alb}/ssl-redirect`]).toBe('443');
});

it('a key that the chart does not read is refused', async () => {
  const refusal = renderChart(['large'], { 'secrets.agency.keys.client-secrets': 'x' });
  await expect(refusal).rejects.toMatchObject({ stderr: expect.stringContaining('client-secrets') });
});

it('each role has a service account of its own, which has no rights, mounts no token and takes annotations', async () => {
  const annotated = await renderChart(['large'], {
    'serviceAccount.annotations.team': 'cases',
    'services.cases.serviceAccount.annotations.workload': 'agency',
  });
  const deployments = ofKind(annotated, 'Deployment');
  const accounts = deployments.map((one) => String(at(podSpec(one), 'serviceAccountName')));
  expect(new Set(accounts).size).toBe(deployments.length);
  for (const account of accounts) {
    expect(named(annotated, 'ServiceAccount', account)).toMatchObject({
      automountServiceAccountToken: false,
    });
  }
  expect(named(annotated, 'ServiceAccount', `${FULL}-cases`).metadata.annotations).toEqual({
    team: 'cases',
    workload: 'agency',
  });
  expect(named(annotated, 'ServiceAccount', `${FULL}-billing`).metadata.annotations).toEqual({
    team: 'cases',
  });
  expect(ofKind(annotated, 'RoleBinding')).toEqual([]);
});

describe('pods', () => {
  it('take sidecar and init containers', async () => {
    const more = await renderChart(['large'], {
      'services.cases.sidecars[0].name': 'proxy',
      'services.cases.sidecars[0].image': 'proxy:1',
      'defaults.initContainers[0].name': 'wait',
      'defaults.initContainers[0].image': 'wait:1',
    });
    const spec = podSpec(deployment(more, 'cases'));
    expect(at(spec, 'containers', 0, 'name')).toBe('cases');
    expect(at(spec, 'containers', 1)).toEqual({ name: 'proxy', image: 'proxy:1' });
    expect(at(spec, 'initContainers')).toEqual([{ name: 'wait', image: 'wait:1' }]);
    expect(at(podSpec(deployment(more, 'billing')), 'containers', 1)).toBeUndefined();
    expect(at(podSpec(deployment(large, 'cases')), 'initContainers')).toBeUndefined();
  });

  it('ask for ephemeral storage, of which /tmp is a part, and bound it', () => {
    const pods = [...ofKind(large, 'Deployment'), ...ofKind(large, 'Job')];
    expect(pods.length).toBeGreaterThan(8);
    for (const pod of pods) {
      const resources = at(podSpec(pod), 'containers', 0, 'resources');
      expect(at(resources, 'requests', 'ephemeral-storage'), pod.metadata.name).toBe('32Mi');
      expect(at(resources, 'limits', 'ephemeral-storage'), pod.metadata.name).toBe('128Mi');
      expect(at(podSpec(pod), 'volumes', 0, 'emptyDir', 'sizeLimit')).toBe('64Mi');
    }
  });
});

it('objects of your own are rendered with the release', async () => {
  const manifests = await renderChart(['large'], {
    'extraObjects[0].apiVersion': 'v1',
    'extraObjects[0].kind': 'ConfigMap',
    'extraObjects[0].metadata.name': String.raw`own-\{\{ .Release.Name \}\}`,
  });
  expect(named(manifests, 'ConfigMap', 'own-r').apiVersion).toBe('v1');
});

it('KEDA keeps the replicas of a role while the lag cannot be read, and the fewest at least', () => {
  const scaled = named(large, 'ScaledObject', `${FULL}-cases`);
  expect(at(scaled, 'spec', 'fallback')).toEqual({
    failureThreshold: 3,
    replicas: 3,
    behavior: 'currentReplicasIfHigher',
  });
});

it('topics have three copies, of which one may be missing; for evaluation the brokers decide', async () => {
  const settings = (manifests: Manifest[]) => at(named(manifests, 'ConfigMap', FULL), 'data');
  expect(settings(large)).toMatchObject({ KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC_REPLICAS: '2' });
  for (const install of ['small', 'evaluation']) {
    const small = settings(await renderChart([install]));
    expect(small).toMatchObject({ KAFKA_REPLICATION: '-1' });
    expect(small).not.toHaveProperty('KAFKA_MIN_IN_SYNC_REPLICAS');
  }
});
