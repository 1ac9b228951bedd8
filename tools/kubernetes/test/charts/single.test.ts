import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** `mode: single`: all roles in one pod, and the sizes of `mode: distributed`. */

const FULL = 'r-casewatch';
let single: Manifest[];
let pod: Manifest;
beforeAll(async () => {
  single = await renderChart(['single']);
  pod = named(single, 'Deployment', `${FULL}-all`);
}, 1_800_000);

it('one pod runs every role, and never two of it', () => {
  expect(ofKind(single, 'Deployment')).toEqual([pod]);
  expect(environment(pod).SERVICES?.split(',').toSorted()).toEqual([
    'admin-log',
    'billing',
    'cases',
    'gateway',
    'identity',
    'monitoring',
    'notifications',
    'surveys',
  ]);
  expect(at(pod, 'spec', 'replicas')).toBe(1);
  expect(at(pod, 'spec', 'strategy')).toEqual({ type: 'Recreate' });
  expect(ofKind(single, 'HorizontalPodAutoscaler')).toEqual([]);
  expect(ofKind(single, 'PodDisruptionBudget')).toEqual([]);
});

it('each service keeps a database role of its own, and there is neither Kafka nor Redis', () => {
  const env = environment(pod);
  expect(env).toMatchObject({
    CASES_DATABASE_URL: 'casewatch-database/cases-url',
    ADMIN_LOG_DATABASE_URL: 'casewatch-database/admin-log-url',
    TOKEN_PRIVATE_KEY: 'casewatch-internal/token-private-key',
    AGENCY_CLIENT_SECRET: 'casewatch-agency/client-secret',
    SMTP_URL: 'casewatch-mail/smtp-url',
  });
  expect(Object.keys(env).filter((name) => /^(DATABASE_URL|KAFKA_|REDIS_)/.test(name))).toEqual([]);
  const settings = z.record(z.string(), z.string()).parse(at(named(single, 'ConfigMap', FULL), 'data'));
  expect(Object.keys(settings).filter((name) => /^KAFKA_|^[A-Z_]+(?<!PUBLIC|BASE)_URL$/.test(name))).toEqual(
    [],
  );
});

it('requests from outside, scrapes and mail find the one pod', () => {
  const route = named(single, 'HTTPRoute', FULL);
  expect(at(route, 'spec', 'rules', 0, 'backendRefs', 0)).toMatchObject({ name: `${FULL}-all`, port: 8080 });
  expect(at(named(single, 'Service', `${FULL}-all`), 'spec', 'selector')).toMatchObject({
    'app.kubernetes.io/component': 'all',
  });
  const chosenBy = (policy: string) =>
    at(named(single, 'NetworkPolicy', `${FULL}-${policy}`), 'spec', 'podSelector');
  expect(at(chosenBy('external'), 'matchExpressions', 0, 'values')).toEqual(['all']);
  for (const policy of ['mail', 'gateway']) {
    expect(at(chosenBy(policy), 'matchLabels', 'app.kubernetes.io/component')).toBe('all');
  }
});

it('stops at once, since no other pod serves meanwhile: waiting would only lengthen an update', () => {
  expect(environment(pod)).toMatchObject({
    LEAVE_SECONDS: '0',
    DRAIN_SECONDS: '5',
    STREAM_DRAIN_SECONDS: '0',
  });
  expect(at(podSpec(pod), 'containers', 0, 'lifecycle')).toBeUndefined();
  // The caller of the agency waits for its last answers.
  expect(at(podSpec(pod), 'terminationGracePeriodSeconds')).toBe(25);
});

it('alerts expect one role and no other', () => {
  const text = JSON.stringify(ofKind(single, 'PrometheusRule'));
  expect(text).toContain('role=\\"all\\"');
  expect(text).not.toMatch(/role=~?\\"(?:gateway|cases)/);
});

it.each([
  [{ 'kafka.brokers': 'kafka:9092' }, 'mode: single has no Kafka'],
  [{ 'keda.enabled': 'true' }, 'mode: single has no Kafka and no KEDA'],
  [{ 'single.replicas': '2' }, 'single.replicas'],
  [{ mode: 'both' }, 'mode'],
])('refuses %o', async (set, place) => {
  const refusal = renderChart(['single'], set);
  await expect(refusal).rejects.toMatchObject({ stderr: expect.stringContaining(place) });
});

describe.each([
  ['10k', 12, 0.8, 1.7],
  ['100k', 16, 2, 2.7],
  ['1m', 23, 3.2, 4.3],
])('the size %s', (size, pods, cores, gigabytes) => {
  it(`requests what docs/operations.md says: ${pods} pods, ${cores} cores, ${gigabytes} GB`, async () => {
    const manifests = await renderChart(['locked-down', `../sizes/${size}`]);
    const fewest = new Map(
      ofKind(manifests, 'HorizontalPodAutoscaler').map((one) => [
        one.metadata.name,
        Number(at(one, 'spec', 'minReplicas')),
      ]),
    );
    const requested = ofKind(manifests, 'Deployment').map((one) => {
      const replicas = fewest.get(one.metadata.name) ?? Number(at(one, 'spec', 'replicas'));
      const requests = at(podSpec(one), 'containers', 0, 'resources', 'requests');
      const [cpu, memory] = ['cpu', 'memory'].map(
        (name) => replicas * Number.parseInt(String(at(requests, name)), 10),
      );
      return { replicas, cpu: cpu ?? 0, memory: memory ?? 0 };
    });
    const sum = (key: 'replicas' | 'cpu' | 'memory') => requested.reduce((total, one) => total + one[key], 0);
    expect(sum('replicas')).toBe(pods);
    expect(sum('cpu')).toBe(cores * 1_000);
    expect(sum('memory') / 1_000).toBeCloseTo(gigabytes, 0);
  });
});
