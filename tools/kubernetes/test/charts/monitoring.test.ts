import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { chartFolder, renderChart } from '../../src/helm.ts';
import { at, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

const FULL = 'r-casewatch';
let large: Manifest[];
let lockedDown: Manifest[];
beforeAll(async () => {
  [large = [], lockedDown = []] = await Promise.all(
    ['large', 'locked-down'].map((install) => renderChart([install])),
  );
}, 1_800_000);

it('the dashboard comes as it is written, with the labels that a sidecar selects by', () => {
  const map = named(large, 'ConfigMap', `${FULL}-dashboards`);
  expect(map.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  const text = String(at(map, 'data', 'casewatch.json'));
  const written = readFileSync(path.join(chartFolder, 'files', 'dashboards', 'casewatch.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(written));
});

it('there is no dashboard where none is asked for', () => {
  const names = ofKind(lockedDown, 'ConfigMap').map(({ metadata }) => metadata.name);
  expect(names).not.toContain(`${FULL}-dashboards`);
});

it('what a panel shows has an expression, and no two panels share an id', () => {
  const { panels } = JSON.parse(
    readFileSync(path.join(chartFolder, 'files', 'dashboards', 'casewatch.json'), 'utf8'),
  );
  const ids = panels.map((panel: unknown) => at(panel, 'id'));
  expect(new Set(ids).size).toBe(panels.length);
  for (const panel of panels.filter((one: unknown) => at(one, 'type') !== 'row')) {
    expect(at(panel, 'targets', 0, 'expr')).toMatch(/\S/);
  }
});

it('metrics have a port of their own in every role, which the monitor scrapes', () => {
  const deployments = ofKind(large, 'Deployment');
  expect(deployments.length).toBeGreaterThan(7);
  for (const deployment of deployments) {
    expect(at(podSpec(deployment), 'containers', 0, 'ports')).toContainEqual({
      name: 'metrics',
      containerPort: 9464,
    });
    expect(at(named(large, 'Service', deployment.metadata.name), 'spec', 'ports')).toContainEqual(
      expect.objectContaining({ name: 'metrics', port: 9464, targetPort: 'metrics' }),
    );
  }
  expect(at(named(large, 'ConfigMap', FULL), 'data', 'METRICS_PORT')).toBe('9464');
  const monitor = ofKind(large, 'ServiceMonitor')[0];
  expect(at(monitor, 'spec', 'endpoints', 0, 'port')).toBe('metrics');
});

it('targets have the labels that alerts ask of them', () => {
  const alerts = readFileSync(path.join(chartFolder, 'files', 'alerts.yaml'), 'utf8');
  const asked = new Set([...alerts.matchAll(/\b(app_kubernetes_io_\w+)=/g)].map(([, label]) => label));
  const given = z.array(z.string()).parse(at(ofKind(large, 'ServiceMonitor')[0], 'spec', 'targetLabels'));
  expect(asked.size).toBe(2);
  expect(given.map((label) => label.replaceAll(/\W/g, '_')).sort()).toEqual([...asked].sort());
  for (const deployment of ofKind(large, 'Deployment')) {
    const { labels } = named(large, 'Service', deployment.metadata.name).metadata;
    expect(labels).toMatchObject({ 'app.kubernetes.io/part-of': 'casewatch' });
    expect(Object.keys(labels ?? {})).toEqual(expect.arrayContaining(given));
    const role = labels?.['app.kubernetes.io/component'];
    expect(alerts).toContain(`app_kubernetes_io_component="${role}"`);
  }
});

it('only whom the values name reaches the metrics, and nothing else; the way in from outside does not lead there', () => {
  const ports = ofKind(lockedDown, 'NetworkPolicy').flatMap((policy) => {
    const ingress = at(policy, 'spec', 'ingress');
    return Array.isArray(ingress)
      ? ingress.map((rule) => ({ from: at(rule, 'from'), ports: at(rule, 'ports') }))
      : [];
  });
  const observability = { matchLabels: { 'kubernetes.io/metadata.name': 'observability' } };
  expect(ports.filter((rule) => JSON.stringify(rule.ports).includes('9464'))).toEqual([
    { from: [{ namespaceSelector: observability }], ports: [{ protocol: 'TCP', port: 9464 }] },
  ]);
  expect(ports.filter((rule) => JSON.stringify(rule.from).includes('observability'))).toHaveLength(1);
});

it('no ingress and no route of the release leads to the port of the metrics', () => {
  const ways = [...ofKind(large, 'Ingress'), ...ofKind(large, 'HTTPRoute')];
  expect(ways.length).toBe(2);
  expect(JSON.stringify(ways)).not.toMatch(/9464|metrics/);
});

it('a metric keeps the service that it says it is about: alerts select by it', () => {
  expect(readFileSync(path.join(chartFolder, 'files', 'alerts.yaml'), 'utf8')).toContain('service="gateway"');
  expect(at(ofKind(large, 'ServiceMonitor')[0], 'spec', 'endpoints', 0, 'honorLabels')).toBe(true);
});
