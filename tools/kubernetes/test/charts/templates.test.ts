import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { argoValues, chartFolder, helm, renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import { type Manifest, parseManifests } from '../../src/parse-manifests.ts';

const SERVICES = ['identity', 'cases', 'monitoring', 'notifications', 'billing', 'surveys', 'admin-log'];
const ROLES = ['gateway', ...SERVICES];
/** Of the large install, which has the optional role. */
const ALL_ROLES = [...ROLES, 'streams'];
const FULL = 'r-casewatch';
let small: Manifest[];
let large: Manifest[];
let lockedDown: Manifest[];

beforeAll(async () => {
  [small = [], large = [], lockedDown = []] = await Promise.all(
    ['small', 'large', 'locked-down'].map((install) => renderChart([install])),
  );
}, 1_800_000);

const deployment = (manifests: Manifest[], role: string) => named(manifests, 'Deployment', `${FULL}-${role}`);
const container = (manifest: Manifest) => at(podSpec(manifest), 'containers', 0);

it('the gateway and notifications alone are given the contact for support, and none unless there is one', async () => {
  const support = { 'support.email': 'help@example.com', 'support.url': 'https://help.example.com' };
  const manifests = await renderChart(['large'], support);
  const given = { SUPPORT_EMAIL: 'help@example.com', SUPPORT_URL: 'https://help.example.com' };
  expect(environment(deployment(manifests, 'gateway'))).toMatchObject(given);
  expect(environment(deployment(manifests, 'notifications'))).toMatchObject(given);
  for (const manifest of [deployment(manifests, 'identity'), deployment(large, 'gateway')]) {
    expect(Object.keys(environment(manifest))).not.toContain('SUPPORT_EMAIL');
    expect(Object.keys(environment(manifest))).not.toContain('SUPPORT_URL');
  }
});

it('every role is told who runs the installation and where policy pages are, and the gateway gets the operator’s own', async () => {
  const config = (manifests: Manifest[]) => at(named(manifests, 'ConfigMap', FULL), 'data');
  expect(config(large)).toMatchObject({
    OPERATOR_NAME: 'Example Agency',
    OPERATOR_ADDRESS: '1 Main Street, Springfield',
    OPERATOR_JURISDICTION: 'the State of Example',
    OPERATOR_EMAIL: 'privacy@example.com',
    POLICIES_DATE: '2026-12-01',
  });
  const manifests = await renderChart(['large'], {
    'policies.configMap': 'our-pages',
    'policies.elsewhere.terms': 'https://agency.example/terms',
  });
  expect(config(manifests)).toMatchObject({ POLICY_PAGES_ELSEWHERE: 'terms=https://agency.example/terms ' });
  const mount = { name: 'policies', mountPath: '/etc/casewatch/policies', readOnly: true };
  const gateway = deployment(manifests, 'gateway');
  expect(environment(gateway).POLICY_PAGES_DIR).toBe(mount.mountPath);
  expect(at(container(gateway), 'volumeMounts')).toContainEqual(mount);
  expect(at(podSpec(gateway), 'volumes')).toContainEqual({
    name: 'policies',
    configMap: { name: 'our-pages', defaultMode: 420 },
  });
  expect(at(container(deployment(manifests, 'identity')), 'volumeMounts')).not.toContainEqual(mount);
});

describe('every role', () => {
  it.each(ALL_ROLES)('%s has a Deployment, a Service and its role in SERVICES', (role) => {
    expect(environment(deployment(large, role)).SERVICES).toBe(role);
    const selector = at(named(large, 'Service', `${FULL}-${role}`), 'spec', 'selector');
    const labels = at(deployment(large, role), 'spec', 'template', 'metadata', 'labels');
    expect(labels).toMatchObject(selector as object);
  });

  it.each(ALL_ROLES)('%s is probed for start, readiness and life, and life asks no dependency', (role) => {
    const probes = container(deployment(large, role));
    expect(at(probes, 'startupProbe', 'httpGet', 'path')).toBe('/livez');
    expect(at(probes, 'readinessProbe', 'httpGet', 'path')).toBe('/readyz');
    expect(at(probes, 'livenessProbe', 'httpGet', 'path')).toBe('/livez');
  });

  it.each(ALL_ROLES)(
    '%s has time to leave the endpoints, to drain and to stop its parts before it is killed',
    (role) => {
      const manifest = deployment(large, role);
      const preStop = Number(at(container(manifest), 'lifecycle', 'preStop', 'sleep', 'seconds'));
      const drain = Number(environment(manifest).DRAIN_SECONDS);
      const leave = Number(environment(manifest).LEAVE_SECONDS);
      expect(Number(environment(manifest).STREAM_DRAIN_SECONDS)).toBe(drain - 5);
      expect(preStop).toBeGreaterThan(0);
      expect(leave).toBeGreaterThan(0);
      const grace = Number(at(podSpec(manifest), 'terminationGracePeriodSeconds'));
      // The caller of the agency waits for its last answers.
      expect(grace - (preStop + leave + drain)).toBe(role === 'cases' ? 20 : 10);
    },
  );

  it.each(ALL_ROLES)('%s is replaced without a moment below its number', (role) => {
    const strategy = at(deployment(large, role), 'spec', 'strategy', 'rollingUpdate');
    expect(strategy).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });

  it.each(ALL_ROLES)('%s spreads over zones and nodes, asks for resources and bounds its memory', (role) => {
    const manifest = deployment(large, role);
    const keys = at(podSpec(manifest), 'topologySpreadConstraints');
    expect(Array.isArray(keys) && keys.map((one) => at(one, 'topologyKey'))).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    expect(at(container(manifest), 'resources', 'requests', 'cpu')).toBeDefined();
    expect(at(container(manifest), 'resources', 'limits', 'memory')).toBeDefined();
  });
});

describe('what a role may know', () => {
  it('each service has the URL of its own database role and of no other', () => {
    for (const role of ROLES) {
      const env = environment(deployment(large, role));
      expect(env.DATABASE_URL).toBe(role === 'gateway' ? undefined : `casewatch-database/${role}-url`);
    }
  });

  it('where the URLs lead to a pooler, each service also has its direct one, which the migrations do without', async () => {
    const pooled = await renderChart(['small'], { 'postgres.pooler.enabled': 'true' });
    for (const role of ROLES) {
      const direct = environment(deployment(pooled, role)).DATABASE_DIRECT_URL;
      expect(direct).toBe(role === 'gateway' ? undefined : `casewatch-database/${role}-direct-url`);
    }
    const single = environment(
      deployment(await renderChart(['single'], { 'postgres.pooler.enabled': 'true' }), 'all'),
    );
    expect(single).toMatchObject({
      CASES_DATABASE_URL: 'casewatch-database/cases-url',
      CASES_DATABASE_DIRECT_URL: 'casewatch-database/cases-direct-url',
    });
    for (const without of [...ofKind(pooled, 'Job'), ...ofKind(small, 'Deployment')])
      expect(Object.keys(environment(without)).filter((name) => name.includes('DIRECT'))).toEqual([]);
  });

  it('only the gateway can sign identities', () => {
    const signers = ALL_ROLES.filter((role) => 'TOKEN_PRIVATE_KEY' in environment(deployment(large, role)));
    expect(signers).toEqual(['gateway']);
  });

  it.each([
    ['AGENCY_CLIENT_SECRET', 'cases'],
    ['AGENCY_NEXT_CLIENT_ID', 'cases'],
    ['AGENCY_NEXT_CLIENT_SECRET', 'cases'],
    ['AGENCY_KEY_ISSUED', 'cases'],
    ['AGENCY_NEXT_KEY_ISSUED', 'cases'],
    ['AGENCY_HEADERS', 'cases'],
    ['AGENCY_DEMO_ID', 'cases'],
    ['STRIPE_SECRET_KEY', 'billing'],
    ['ADMIN_PASSCODE', 'identity'],
    ['ADMIN_OIDC_CLIENT_SECRET', 'identity'],
    ['SMTP_URL', 'notifications'],
    ['MAIL_SECRET', 'notifications'],
    ['MAIL_REPORT_SECRET', 'notifications'],
    ['PUSH_VAPID_PRIVATE_KEY', 'notifications'],
    ['PUSH_VAPID_PUBLIC_KEY', 'notifications'],
    ['PUSH_HOSTS', 'notifications'],
  ])('%s is known to %s alone', (name, owner) => {
    expect(ALL_ROLES.filter((role) => name in environment(deployment(large, role)))).toEqual([owner]);
  });

  it('identity gets the provider of administrators from the values and from the secret under its own keys', () => {
    expect(environment(deployment(large, 'identity'))).toMatchObject({
      ADMIN_OIDC_ISSUER: 'https://id.example.com',
      ADMIN_OIDC_CLIENT_ID: 'casewatch-single-sign-on/client-id',
      ADMIN_OIDC_CLIENT_SECRET: 'casewatch-single-sign-on/CLIENT_SECRET',
      ADMIN_OIDC_LABEL: 'Example ID',
      ADMIN_OIDC_ROLES: '{"casewatch-owners":"owner","support":"auditor"}',
    });
    expect(environment(deployment(small, 'identity'))).not.toHaveProperty('ADMIN_OIDC_ISSUER');
  });

  it('notifications gets the keys of push messages from the values and from the secret under its own key', () => {
    expect(environment(deployment(large, 'notifications'))).toMatchObject({
      PUSH_VAPID_PUBLIC_KEY: expect.stringMatching(/^B[\w-]{86}$/),
      PUSH_VAPID_PRIVATE_KEY: 'casewatch-push/PRIVATE_KEY',
      PUSH_SUBJECT: 'mailto:ops@example.com',
      PUSH_HOSTS: 'fcm.googleapis.com,*.push.example.com:8443',
    });
    const without = Object.keys(environment(deployment(small, 'notifications')));
    expect(without.filter((name) => name.startsWith('PUSH_'))).toEqual([]);
  });

  it('no secret value stands in a manifest', () => {
    for (const manifest of [...small, ...large, ...lockedDown]) expect(manifest.kind).not.toBe('Secret');
    const data = at(named(large, 'ConfigMap', FULL), 'data');
    expect(
      Object.keys(data as object).filter((name) =>
        /SECRET|PASSWORD|PASSCODE|PRIVATE|DATABASE_URL|REDIS_URL/.test(name),
      ),
    ).toEqual([]);
  });

  it('every service has the addresses of the others', () => {
    const data = at(named(large, 'ConfigMap', FULL), 'data') as Record<string, string>;
    for (const role of SERVICES) {
      expect(data[`${role.replaceAll('-', '_').toUpperCase()}_URL`]).toBe(`http://${FULL}-${role}:8080`);
    }
  });
});

describe('pod security', () => {
  const pods = () =>
    [...small, ...large, ...lockedDown].filter(({ kind }) => ['Deployment', 'Job', 'Pod'].includes(kind));

  it('every pod fits the restricted level, has a read-only root and no token', () => {
    expect(pods().length).toBeGreaterThan(25);
    for (const pod of pods()) {
      const spec = podSpec(pod);
      expect(at(spec, 'securityContext')).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(at(spec, 'containers', 0, 'securityContext')).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(at(spec, 'automountServiceAccountToken')).toBe(false);
    }
  });
});

describe('where pods run', () => {
  it('the roles, the migrations, the simulator and the test all go where `defaults` says', async () => {
    const pinned = await renderChart(['small'], {
      'defaults.nodeSelector.pool': 'apps',
      'defaults.tolerations[0].key': 'apps',
      'defaults.priorityClassName': 'high',
    });
    const pods = pinned.filter(({ kind }) => ['Deployment', 'Job', 'Pod'].includes(kind));
    expect(pods).toHaveLength(ROLES.length + 3);
    for (const pod of pods) {
      expect(podSpec(pod), pod.metadata.name).toMatchObject({
        nodeSelector: { pool: 'apps' },
        tolerations: [{ key: 'apps' }],
        priorityClassName: 'high',
      });
    }
  });

  it('a platform that gives out the ids itself gets pods without any', async () => {
    const free = await renderChart(['small'], { 'podSecurityContext.runAsUser': 'null' });
    const context = at(podSpec(deployment(free, 'cases')), 'securityContext');
    expect(context).toMatchObject({ runAsNonRoot: true });
    expect(context).not.toHaveProperty('runAsUser');
  });
});

describe('what is yours in it', () => {
  it('a setting, a label, a volume or an annotation that repeats ours stands once', async () => {
    const own = await renderChart(['large'], {
      'settings.LOG_LEVEL': 'debug',
      'settings.AGENCY_CALLS_PER_DAY': '2000000',
      'services.cases.env.DRAIN_SECONDS': '7',
      'services.cases.podLabels.app\\.kubernetes\\.io/part-of': 'mine',
      'services.cases.podLabels.team': 'cases',
      'commonLabels.team': 'all',
      'services.cases.podAnnotations.checksum/config': 'mine',
      'services.cases.volumes[0].name': 'tmp',
      'services.cases.volumes[0].emptyDir.sizeLimit': '1Gi',
      'services.cases.volumeMounts[0].name': 'tmp',
      'services.cases.volumeMounts[0].mountPath': '/tmp',
    });
    expect(at(named(own, 'ConfigMap', FULL), 'data')).toMatchObject({
      LOG_LEVEL: 'debug',
      AGENCY_CALLS_PER_DAY: '2000000',
    });
    const cases = deployment(own, 'cases');
    const namesIn = (...place: (string | number)[]) => {
      const list = at(podSpec(cases), ...place);
      return Array.isArray(list) ? list.map((one) => at(one, 'name')) : [];
    };
    const names = namesIn('containers', 0, 'env');
    expect(new Set(names).size).toBe(names.length);
    expect(environment(cases).DRAIN_SECONDS).toBe('7');
    expect(at(cases, 'spec', 'template', 'metadata', 'labels')).toMatchObject({
      team: 'cases',
      'app.kubernetes.io/part-of': 'casewatch',
    });
    expect(at(podSpec(cases), 'volumes', 0)).toEqual({ name: 'tmp', emptyDir: { sizeLimit: '1Gi' } });
    expect([namesIn('volumes'), namesIn('containers', 0, 'volumeMounts')]).toEqual([
      ['tmp', 'ca'],
      ['tmp', 'ca'],
    ]);
  });

  it('annotations are on everything, and those of Services on each', async () => {
    const own = await renderChart(['large', 'evaluation'], {
      'commonAnnotations.team': 'cases',
      'service.annotations.mesh': 'yes',
      'kafka.brokers': '',
      'kafka.saslMechanism': '',
      'keda.enabled': 'false',
      ...Object.fromEntries(
        ['database', 'redis', 'kafka', 'stripe'].map((one) => [`secrets.${one}.name`, '']),
      ),
    });
    for (const { metadata, kind } of own) expect(metadata.annotations, kind).toMatchObject({ team: 'cases' });
    const services = ofKind(own, 'Service');
    expect(services.length).toBeGreaterThan(ROLES.length);
    for (const { metadata } of services) expect(metadata.annotations).toEqual({ team: 'cases', mesh: 'yes' });
  });

  it('labels are on everything, and on no selector', async () => {
    const labelled = await renderChart(['large'], { 'commonLabels.team': 'cases' });
    for (const { metadata, kind } of labelled) expect(metadata.labels, kind).toMatchObject({ team: 'cases' });
    expect(JSON.stringify(labelled)).not.toMatch(/"(matchLabels|selector)":\{[^}]*team/);
  });

  it('volumes, mounts and sources of settings are added to those of the chart', async () => {
    const own = await renderChart(['large'], {
      'services.cases.volumes[0].name': 'extra',
      'services.cases.volumes[0].emptyDir.sizeLimit': '1Mi',
      'services.cases.volumeMounts[0].name': 'extra',
      'services.cases.volumeMounts[0].mountPath': '/extra',
      'services.cases.envFrom[0].secretRef.name': 'extra',
    });
    const spec = podSpec(deployment(own, 'cases'));
    const names = (list: unknown) => Array.isArray(list) && list.map((one) => at(one, 'name'));
    expect(names(at(spec, 'volumes'))).toEqual(['tmp', 'ca', 'extra']);
    expect(names(at(spec, 'containers', 0, 'volumeMounts'))).toEqual(['tmp', 'ca', 'extra']);
    expect(at(spec, 'containers', 0, 'envFrom')).toEqual([
      { configMapRef: { name: FULL } },
      { secretRef: { name: 'extra' } },
    ]);
  });

  it('a new chart around the same version replaces no pod', () => {
    for (const one of ofKind(large, 'Deployment')) {
      const labels = at(one, 'spec', 'template', 'metadata', 'labels');
      expect(labels).not.toHaveProperty(['helm.sh/chart']);
    }
  });
});

describe('scaling and disruption', () => {
  it('a role that scales has no fixed number of replicas, another has', () => {
    expect(at(deployment(lockedDown, 'gateway'), 'spec', 'replicas')).toBeUndefined();
    expect(at(deployment(lockedDown, 'billing'), 'spec', 'replicas')).toBe(2);
  });

  it('the gateway scales on processor use, the rest on lag where KEDA is there', () => {
    expect(ofKind(large, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name)).toEqual([
      `${FULL}-gateway`,
    ]);
    expect(ofKind(large, 'ScaledObject')).toHaveLength(ALL_ROLES.length - 1);
    const sasl = at(named(large, 'ScaledObject', `${FULL}-cases`), 'spec', 'triggers', 1, 'metadata', 'sasl');
    expect(sasl).toBe('scram_sha512');
  });

  it('no role is scaled by two, and none that is scaled has a number of its own', async () => {
    const both = { 'keda.enabled': 'true', 'defaults.autoscaling.enabled': 'true' };
    for (const manifests of [large, lockedDown, await renderChart(['large'], both)]) {
      const target = (one: Manifest) => at(one, 'spec', 'scaleTargetRef', 'name');
      const scaled = [
        ...ofKind(manifests, 'HorizontalPodAutoscaler').map(target),
        ...ofKind(manifests, 'ScaledObject').map(target),
      ];
      expect(new Set(scaled).size).toBe(scaled.length);
      for (const one of ofKind(manifests, 'Deployment')) {
        expect(at(one, 'spec', 'replicas') === undefined).toBe(scaled.includes(one.metadata.name));
      }
    }
  });

  it('KEDA asks for the lag of the group that the role consumes in, trusts whom the role trusts and signs in as it does', () => {
    const trigger = at(named(large, 'ScaledObject', `${FULL}-cases`), 'spec', 'triggers', 1);
    expect(trigger).toMatchObject({
      type: 'kafka',
      metadata: { consumerGroup: 'casewatch.cases', tls: 'enable', lagThreshold: '500', version: '2.8.0' },
      authenticationRef: { name: `${FULL}-kafka` },
    });
    expect(at(named(large, 'TriggerAuthentication', `${FULL}-kafka`), 'spec', 'secretTargetRef')).toEqual([
      { parameter: 'username', name: 'casewatch-kafka', key: 'username' },
      { parameter: 'password', name: 'casewatch-kafka', key: 'password' },
      { parameter: 'ca', name: 'casewatch-ca', key: 'ca.crt' },
    ]);
  });

  it('scales as fast as the values say, by HPA and by KEDA', async () => {
    const behavior = { scaleDown: { stabilizationWindowSeconds: 600 } };
    const own = await renderChart(['large'], {
      'defaults.autoscaling.behavior.scaleDown.stabilizationWindowSeconds': '600',
    });
    expect(at(named(own, 'HorizontalPodAutoscaler', `${FULL}-gateway`), 'spec', 'behavior')).toEqual(
      behavior,
    );
    const keda = at(named(own, 'ScaledObject', `${FULL}-cases`), 'spec', 'advanced');
    expect(keda).toEqual({ horizontalPodAutoscalerConfig: { behavior } });
  });

  it('a role with one pod has no disruption budget, which would only block a node', () => {
    expect(ofKind(small, 'PodDisruptionBudget')).toEqual([]);
    expect(ofKind(large, 'PodDisruptionBudget')).toHaveLength(ALL_ROLES.length);
  });
});

describe('migrations', () => {
  const job = (manifests: Manifest[]) => ofKind(manifests, 'Job')[0] as Manifest;

  it('run as a hook before install and upgrade, named by the version', async () => {
    expect(job(small).metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const other = job(await renderChart(['small'], { 'image.tag': '9.9.9' }));
    expect(other.metadata.name).not.toBe(job(small).metadata.name);
    expect(job(await renderChart(['small'])).metadata.name).toBe(job(small).metadata.name);
  });

  it('know the owner and every service, and need nothing that the release makes later', () => {
    const env = environment(job(small));
    expect(env.DATABASE_URL).toBe('casewatch-database/owner-url');
    expect(env.ADMIN_LOG_DATABASE_URL).toBe('casewatch-database/admin-log-url');
    const account = named(small, 'ServiceAccount', `${at(podSpec(job(small)), 'serviceAccountName')}`);
    expect(account.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-5',
    });
    expect(at(podSpec(job(small)), 'containers', 0, 'envFrom')).toBeUndefined();
  });

  it('take sidecars that end with them, and what a mesh or a policy asks of a pod', async () => {
    const own = await renderChart(['small'], {
      'migrations.sidecars[0].name': 'proxy',
      'migrations.sidecars[0].image': 'proxy:1',
      'migrations.initContainers[0].name': 'first',
      'migrations.initContainers[0].image': 'first:1',
      'migrations.podAnnotations.mesh\\.example\\.com/inject': 'yes',
      'migrations.podLabels.team': 'cases',
      'migrations.env.PGOPTIONS': 'x',
      'migrations.env.LOG_LEVEL': 'debug',
      'migrations.envFrom[0].secretRef.name': 'extra',
      'migrations.volumes[0].name': 'extra',
      'migrations.volumes[0].emptyDir.medium': 'Memory',
      'migrations.volumeMounts[0].name': 'extra',
      'migrations.volumeMounts[0].mountPath': '/extra',
      'migrations.serviceAccount.annotations.role': 'migrator',
    });
    const spec = podSpec(job(own));
    expect(at(spec, 'initContainers')).toEqual([
      { name: 'first', image: 'first:1' },
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' },
    ]);
    expect(at(job(own), 'spec', 'template', 'metadata')).toMatchObject({
      annotations: { 'mesh.example.com/inject': 'yes' },
      labels: { team: 'cases', 'app.kubernetes.io/component': 'migrate' },
    });
    expect(environment(job(own))).toMatchObject({ PGOPTIONS: 'x', LOG_LEVEL: 'debug' });
    expect(at(spec, 'containers', 0, 'envFrom')).toEqual([{ secretRef: { name: 'extra' } }]);
    expect(at(spec, 'volumes')).toContainEqual({ name: 'extra', emptyDir: { medium: 'Memory' } });
    expect(at(spec, 'containers', 0, 'volumeMounts')).toContainEqual({ name: 'extra', mountPath: '/extra' });
    const account = named(own, 'ServiceAccount', `${FULL}-migrate`);
    expect(account.metadata.annotations).toMatchObject({ role: 'migrator' });
  });

  it('come after secrets of extraObjects where they are a part of the release, in the wave that is said', async () => {
    const wave = 'argocd\\.argoproj\\.io/sync-wave';
    const set = { 'migrations.hook': 'false', [`migrations.annotations.${wave}`]: 'a' };
    const own = await renderChart(['small'], set);
    const first = [job(own), named(own, 'ServiceAccount', `${FULL}-migrate`)];
    for (const one of [...first, named(own, 'NetworkPolicy', `${FULL}-migrate`)]) {
      expect(one.metadata.annotations).toEqual({ 'argocd.argoproj.io/sync-wave': 'a' });
    }
    expect(job(own).metadata.name).toMatch(/-1$/);
  });

  it('are all that signs in as the owner, whose password may change while pods run', async () => {
    const single = await renderChart(['single']);
    for (const manifests of [small, large, single]) {
      const pods = ofKind(manifests, 'Deployment');
      expect(pods.length).toBeGreaterThan(0);
      for (const pod of pods) expect(JSON.stringify(pod)).not.toContain('owner-url');
    }
  });
});

describe('settings and secrets', () => {
  it('a changed setting rolls the pods, and so does the revision of the secrets', async () => {
    const sum = (manifests: Manifest[]) =>
      at(deployment(manifests, 'cases'), 'spec', 'template', 'metadata', 'annotations');
    expect(sum(await renderChart(['small'], { logLevel: 'debug' }))).not.toEqual(sum(small));
    expect(sum(await renderChart(['small'], { secretsRevision: 'b' }))).not.toEqual(sum(small));
    expect(sum(await renderChart(['small']))).toEqual(sum(small));
  });

  it('an authority of your own is mounted and trusted by every pod that speaks outwards', () => {
    expect(at(named(large, 'ConfigMap', FULL), 'data', 'NODE_EXTRA_CA_CERTS')).toBe(
      '/etc/casewatch/ca/ca.crt',
    );
    expect(at(podSpec(deployment(large, 'cases')), 'volumes', 1, 'secret', 'secretName')).toBe(
      'casewatch-ca',
    );
  });

  it('an image is taken by its digest where one is given', () => {
    expect(at(container(deployment(large, 'gateway')), 'image')).toMatch(
      /^registry\.example\.com\/casewatch@sha256:/,
    );
    expect(at(container(deployment(small, 'gateway')), 'image')).toMatch(/^casewatch:\d+\.\d+\.\d+$/);
  });

  it('the simulator is there only when asked for, and then cases use it', () => {
    expect(ofKind(large, 'Deployment').map(({ metadata }) => metadata.name)).not.toContain(
      `${FULL}-agency-simulator`,
    );
    expect(at(named(small, 'ConfigMap', FULL), 'data', 'AGENCY_BASE_URL')).toBe(
      `http://${FULL}-agency-simulator:8080`,
    );
    const simulator = environment(deployment(small, 'agency-simulator'));
    expect(environment(deployment(small, 'cases')).AGENCY_CLIENT_SECRET).toBe(simulator.AGENCY_CLIENT_SECRET);
  });
});

it('two releases share no name, however long theirs is', async () => {
  const long = await renderChart(['small'], { fullnameOverride: 'a'.repeat(60) });
  for (const { metadata } of long) expect(metadata.name.length).toBeLessThanOrEqual(63);
  expect(new Set(long.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).size).toBe(long.length);
});

it('the example for Argo CD brings secrets, then migrations, and leaves scaled replicas alone', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'casewatch-argo-')), 'values.json');
  writeFileSync(file, argoValues());
  const manifests = parseManifests(await helm(['template', 'casewatch', chartFolder, '-f', file]));
  rmSync(path.dirname(file), { recursive: true });
  const waveOf = (manifest: Manifest | undefined) =>
    Number(manifest?.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  const needed = [
    named(manifests, 'ServiceAccount', 'casewatch-migrate'),
    named(manifests, 'NetworkPolicy', 'casewatch-migrate'),
    ofKind(manifests, 'Job')[0],
  ];
  expect(needed.map(waveOf)).toEqual([-1, -1, -1]);
  expect(waveOf(ofKind(manifests, 'ExternalSecret')[0])).toBe(-2);
  for (const one of ofKind(manifests, 'Deployment')) expect(waveOf(one)).toBe(0);
  // An ignored number of replicas would stay when the values say `stopped`.
  const { ignoreDifferences } = parse(
    readFileSync(path.join(chartFolder, 'examples/argo-cd.yaml'), 'utf8'),
  ).spec;
  expect(ignoreDifferences).toBeUndefined();
  for (const { metadata } of ofKind(manifests, 'HorizontalPodAutoscaler'))
    expect(at(named(manifests, 'Deployment', metadata.name), 'spec')).not.toHaveProperty('replicas');
});
