import { beforeAll, describe, expect, it } from 'vitest';
import { renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** The role of its own for event streams. */

const FULL = 'r-casewatch';
const STREAM = '/api/notifications/stream';
const ON = { 'streams.enabled': 'true', 'postgres.maxConnections': '600' };
let large: Manifest[];
let locked: Manifest[];
let off: Manifest[];
beforeAll(async () => {
  [large = [], locked = [], off = []] = await Promise.all([
    renderChart(['large']),
    renderChart(['locked-down'], { ...ON, 'ingress.enabled': 'true', trustedProxyHops: '3' }),
    renderChart(['locked-down']),
  ]);
}, 1_800_000);

const deployment = (manifests: Manifest[], role: string) => named(manifests, 'Deployment', `${FULL}-${role}`);
const refused = (set: Record<string, string>, install = 'locked-down') =>
  renderChart([install], set).then(
    () => '',
    (error) => String(error.stderr),
  );

it('is there only where it is asked for', () => {
  expect(ofKind(off, 'Deployment').map(({ metadata }) => metadata.name)).not.toContain(`${FULL}-streams`);
  expect(environment(deployment(off, 'gateway'))).not.toHaveProperty('STREAMS_URL');
  expect(JSON.stringify(ofKind(off, 'HTTPRoute'))).not.toContain('/api');
});

it('reads the schema of notifications, hears through Redis, and knows nothing else of the others', () => {
  const env = environment(deployment(locked, 'streams'));
  expect(env).toEqual({
    SERVICES: 'streams',
    LEAVE_SECONDS: '5',
    DRAIN_SECONDS: '60',
    STREAM_DRAIN_SECONDS: '55',
    INTERNAL_SECRET: 'casewatch-internal/internal-secret',
    TOKEN_PUBLIC_KEY: 'casewatch-internal/token-public-key',
    REDIS_URL: 'casewatch-redis/url',
    TRUST_PROXY_HOPS: '3',
    DATABASE_URL: 'casewatch-database/notifications-url',
  });
});

it('has a direct connection besides that through a pooler', async () => {
  const pooled = await renderChart(['locked-down'], { ...ON, 'postgres.pooler.enabled': 'true' });
  expect(environment(deployment(pooled, 'streams'))).toMatchObject({
    DATABASE_URL: 'casewatch-database/notifications-url',
    DATABASE_DIRECT_URL: 'casewatch-database/notifications-direct-url',
  });
});

it('may take all of its drain time to end streams before it is killed', () => {
  const pod = deployment(locked, 'streams');
  const { LEAVE_SECONDS, DRAIN_SECONDS } = environment(pod);
  const preStop = Number(at(podSpec(pod), 'containers', 0, 'lifecycle', 'preStop', 'sleep', 'seconds'));
  expect(Number(at(podSpec(pod), 'terminationGracePeriodSeconds'))).toBeGreaterThan(
    preStop + Number(LEAVE_SECONDS) + Number(DRAIN_SECONDS),
  );
});

describe('the way to it', () => {
  it('leads from Ingress and HTTPRoute straight to it for the one path, without a limit of time', () => {
    const paths = at(named(locked, 'Ingress', FULL), 'spec', 'rules', 0, 'http', 'paths');
    expect(paths).toEqual([
      {
        path: '/',
        pathType: 'Prefix',
        backend: { service: { name: `${FULL}-gateway`, port: { name: 'http' } } },
      },
      {
        path: STREAM,
        pathType: 'Exact',
        backend: { service: { name: `${FULL}-streams`, port: { name: 'http' } } },
      },
    ]);
    expect(at(named(locked, 'HTTPRoute', FULL), 'spec', 'rules', 1)).toMatchObject({
      matches: [{ path: { type: 'Exact', value: STREAM } }],
      backendRefs: [{ name: `${FULL}-streams`, port: 8080 }],
      timeouts: { request: '0s' },
    });
  });

  it('leads through the gateway, too, which passes streams on', () => {
    expect(environment(deployment(locked, 'gateway')).STREAMS_URL).toBe(`http://${FULL}-streams:8080`);
    for (const role of ['identity', 'notifications']) {
      expect(environment(deployment(locked, role))).not.toHaveProperty('STREAMS_URL');
    }
  });

  it('is open to those whom the values let in to the gateway, and to no others', () => {
    const [streams, gateway] = ['streams', 'gateway'].map((name) =>
      named(locked, 'NetworkPolicy', `${FULL}-${name}`),
    );
    expect(at(streams, 'spec', 'podSelector', 'matchLabels', 'app.kubernetes.io/component')).toBe('streams');
    expect(at(streams, 'spec', 'ingress')).toEqual(at(gateway, 'spec', 'ingress'));
  });
});

it('reaches PostgreSQL, and neither Kafka nor anything outside', () => {
  const database = named(locked, 'NetworkPolicy', `${FULL}-streams-data`);
  expect(at(database, 'spec', 'podSelector', 'matchLabels', 'app.kubernetes.io/component')).toBe('streams');
  expect(at(database, 'spec', 'egress')).toEqual([
    { to: [{ ipBlock: { cidr: '10.20.0.0/24' } }], ports: [{ protocol: 'TCP', port: 5432 }] },
  ]);
  const left = (name: string) =>
    at(named(locked, 'NetworkPolicy', `${FULL}-${name}`), 'spec', 'podSelector', 'matchExpressions', 0);
  expect(left('data')).toMatchObject({ operator: 'NotIn', values: expect.arrayContaining(['streams']) });
  expect(left('external')).toMatchObject({ operator: 'In', values: ['cases', 'billing'] });
  expect(left('redis')).toMatchObject({
    operator: 'In',
    values: ['gateway', 'identity', 'notifications', 'streams'],
  });
});

describe('its replicas', () => {
  it('KEDA counts open streams in Prometheus, and keeps the replicas while it cannot', () => {
    const scaled = named(large, 'ScaledObject', `${FULL}-streams`);
    expect(at(scaled, 'spec', 'triggers')).toEqual([
      { type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } },
      {
        type: 'prometheus',
        metadata: {
          serverAddress: 'http://prometheus-operated.observability:9090',
          query: 'sum(casewatch_push_streams{namespace="shop",release="r",role="streams"})',
          threshold: '10000',
          ignoreNullValues: 'false',
        },
      },
    ]);
    expect(at(scaled, 'spec', 'fallback')).toEqual({
      failureThreshold: 3,
      replicas: 2,
      behavior: 'currentReplicasIfHigher',
    });
  });

  it('without KEDA follow processor use, and open streams where a metrics adapter serves them', async () => {
    const metrics = (manifests: Manifest[]) =>
      at(named(manifests, 'HorizontalPodAutoscaler', `${FULL}-streams`), 'spec', 'metrics');
    const cpu = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
    };
    expect(metrics(locked)).toEqual([cpu]);
    const adapted = await renderChart(['locked-down'], {
      ...ON,
      'streams.metricsAdapter': 'true',
      'streams.targetStreams': '8000',
    });
    expect(metrics(adapted)).toEqual([
      cpu,
      {
        type: 'Pods',
        pods: {
          metric: { name: 'casewatch_push_streams' },
          target: { type: 'AverageValue', averageValue: '8000' },
        },
      },
    ]);
  });

  it('are a number of your own where nothing scales them', async () => {
    const fixed = await renderChart(['locked-down'], {
      ...ON,
      'streams.autoscaling.enabled': 'false',
      'streams.replicas': '3',
    });
    expect(at(deployment(fixed, 'streams'), 'spec', 'replicas')).toBe(3);
  });
});

it.each([
  [{ ...ON, 'keda.enabled': 'true' }, 'keda.prometheusUrl: where KEDA reads', 'locked-down'],
  [ON, 'streams.enabled: mode: single', 'single'],
  [{ ...ON, 'streams.autoscaling.minReplicas': '9' }, 'streams.autoscaling: minReplicas', 'locked-down'],
  [{ 'streams.target': '1' }, 'target', 'locked-down'],
  [{ 'streams.env.REDIS_URL': 'redis://visible' }, 'REDIS_URL', 'locked-down'],
])('refuses %o', async (set, place, install) => {
  expect(await refused(set, install)).toContain(place);
});
