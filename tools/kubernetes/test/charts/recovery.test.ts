import { beforeAll, describe, expect, it } from 'vitest';
import { renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** What docs/recovery.md does by values: stop in place, and publish again. */

const WAYS_IN = ['Service', 'Ingress', 'HTTPRoute', 'ServiceAccount', 'NetworkPolicy', 'ConfigMap'];
const SCALERS = ['HorizontalPodAutoscaler', 'ScaledObject'];
const addresses = (manifests: Manifest[]) =>
  manifests.filter(({ kind }) => WAYS_IN.includes(kind)).map(({ kind, metadata }) => [kind, metadata.name]);

describe.each(['small', 'large', 'locked-down', 'single'])('stopped, with the values of %s', (install) => {
  let running: Manifest[];
  let stopped: Manifest[];
  beforeAll(async () => {
    running = await renderChart([install]);
    stopped = await renderChart([install], { stopped: 'true', publishAgain: 'true' });
  }, 1_800_000);

  it('every role has no pod, and nothing scales it up', () => {
    const isSimulator = ({ metadata }: Manifest) => metadata.name.endsWith('-simulator');
    const roles = ofKind(stopped, 'Deployment').filter((one) => !isSimulator(one));
    expect(roles.length).toBeGreaterThan(0);
    for (const role of roles) expect(at(role, 'spec', 'replicas'), role.metadata.name).toBe(0);
    expect(SCALERS.flatMap((kind) => ofKind(stopped, kind))).toEqual([]);
  });

  it('load balancers and names stay: every Service, Ingress and policy is still there', () => {
    expect(addresses(stopped)).toEqual(addresses(running));
  });

  it('no Job looks for a database that is lost', () => {
    expect(ofKind(running, 'Job')).toHaveLength(1);
    expect(ofKind(stopped, 'Job')).toEqual([]);
  });
});

it('is scaled by both kinds of autoscaler where it is not stopped', async () => {
  const kinds = new Set((await renderChart(['large'])).map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(SCALERS));
});

describe('publishing again', () => {
  const job = (manifests: Manifest[]) => named(manifests, 'Job', 'r-casewatch-publish-again');

  it('is a Job after the migrations and before the roll, for one upgrade', async () => {
    const once = job(await renderChart(['small'], { publishAgain: 'true' }));
    expect(once.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '1',
    });
    expect(at(podSpec(once), 'containers', 0, 'args')).toEqual(['events', 'publish-again']);
    expect(ofKind(await renderChart(['small']), 'Job')).toHaveLength(1);
  });

  it('signs in as each service, never as the owner, past a transaction pooler, and is let through to the database', async () => {
    const direct = environment(job(await renderChart(['small'], { publishAgain: 'true' })));
    expect(direct).toMatchObject({ ADMIN_LOG_DATABASE_URL: 'casewatch-database/admin-log-url' });
    expect(direct).not.toHaveProperty('DATABASE_URL');
    const pooled = await renderChart(['small'], { publishAgain: 'true', 'postgres.pooler.enabled': 'true' });
    expect(environment(job(pooled)).CASES_DATABASE_URL).toBe('casewatch-database/cases-direct-url');
    const policy = at(
      named(pooled, 'NetworkPolicy', 'r-casewatch-data'),
      'spec',
      'podSelector',
      'matchExpressions',
      0,
    );
    expect(policy).toMatchObject({
      operator: 'NotIn',
      values: expect.not.arrayContaining(['publish-again']),
    });
  });

  it('has what the migrations have: their way out, their account, and a proxy to the database', async () => {
    const own = await renderChart(['locked-down'], {
      publishAgain: 'true',
      'migrations.sidecars[0].name': 'proxy',
      'migrations.sidecars[0].image': 'proxy:1',
      'postgres.url': 'postgres://db.example.com:5432/casewatch',
    });
    const spec = podSpec(job(own));
    expect(at(spec, 'serviceAccountName')).toBe('r-casewatch-migrate');
    expect(at(spec, 'initContainers')).toEqual([
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' },
    ]);
    expect(environment(job(own))).toMatchObject({
      CASES_DATABASE_URL: 'postgres://casewatch_cases@db.example.com:5432/casewatch',
      CASES_DATABASE_PASSWORD: 'casewatch-database/cases-password',
      NODE_EXTRA_CA_CERTS: '/etc/casewatch/ca/ca.crt',
    });
    const policy = named(own, 'NetworkPolicy', 'r-casewatch-migrate');
    expect(at(policy, 'spec', 'podSelector', 'matchExpressions', 0, 'values')).toContain('publish-again');
  });

  it.each([['small', { 'migrations.hook': 'false' }] as const, ['evaluation', {}] as const])(
    'is a part of the release of %s where the migrations are, which would come after a hook',
    async (install, values) => {
      const manifests = await renderChart([install], { ...values, publishAgain: 'true' });
      const again = named(manifests, 'Job', 'r-casewatch-publish-again-1');
      expect(again.metadata.annotations).toBeUndefined();
      expect(at(again, 'spec', 'backoffLimit')).toBe(20);
    },
  );

  it('has an account and a way out also without migrations', async () => {
    const alone = await renderChart(['small'], { publishAgain: 'true', 'migrations.enabled': 'false' });
    for (const kind of ['ServiceAccount', 'NetworkPolicy']) named(alone, kind, 'r-casewatch-migrate');
  });
});
