import { readdirSync, readFileSync } from 'node:fs';
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

const dashboards = path.join(chartFolder, 'files', 'dashboards');

it('the dashboards come as they are made, with the labels that a sidecar selects by', () => {
  const map = named(large, 'ConfigMap', `${FULL}-dashboards`);
  expect(map.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  expect(readdirSync(dashboards).sort()).toEqual(['casewatch-slo.json', 'casewatch.json']);
  for (const name of readdirSync(dashboards)) {
    const written = readFileSync(path.join(dashboards, name), 'utf8');
    expect(JSON.parse(String(at(map, 'data', name)))).toEqual(JSON.parse(written));
  }
});

it('scrapes wait as long, and keep of the metrics what the values say', async () => {
  const monitor = 'monitoring.serviceMonitor';
  const manifests = await renderChart(['large'], {
    [`${monitor}.scrapeTimeoutSeconds`]: '20',
    [`${monitor}.metricRelabelings[0].regex`]: 'nodejs_.*',
    [`${monitor}.metricRelabelings[0].action`]: 'drop',
    [`${monitor}.metricRelabelings[1].targetLabel`]: 'team',
  });
  expect(at(named(manifests, 'ServiceMonitor', FULL), 'spec', 'endpoints', 0)).toMatchObject({
    interval: '30s',
    scrapeTimeout: '20s',
    metricRelabelings: [
      { regex: 'nodejs_.*', action: 'drop' },
      { targetLabel: 'team', action: 'replace' },
    ],
  });
});

it('there is no dashboard where none is asked for', () => {
  const names = ofKind(lockedDown, 'ConfigMap').map(({ metadata }) => metadata.name);
  expect(names).not.toContain(`${FULL}-dashboards`);
});

it.each(readdirSync(dashboards))('%s selects a cluster, a namespace and a release in every query', (name) => {
  const { panels } = JSON.parse(readFileSync(path.join(dashboards, name), 'utf8'));
  const ids = panels.map((panel: unknown) => at(panel, 'id'));
  expect(new Set(ids).size).toBe(panels.length);
  for (const panel of panels.filter((one: unknown) => at(one, 'type') !== 'row')) {
    const targets = z.array(z.object({ expr: z.string() })).parse(at(panel, 'targets'));
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) {
      const selectors = expr.match(/\w\{[^}]*\}/g) ?? [];
      expect(selectors.length, expr).toBeGreaterThan(expr.startsWith('vector(') ? -1 : 0);
      for (const each of selectors)
        expect(each).toContain('{cluster=~"$cluster",namespace=~"$namespace",release=~"$release"');
    }
  }
});

it('the panels of a row do not overlap and fill the width of a page', () => {
  for (const name of readdirSync(dashboards)) {
    const { panels } = JSON.parse(readFileSync(path.join(dashboards, name), 'utf8'));
    const taken = new Set<string>();
    for (const { gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let column = gridPos.x; column < gridPos.x + gridPos.w; column += 1) {
        const place = `${column} ${gridPos.y}`;
        expect(taken.has(place), `${name} ${place}`).toBe(false);
        taken.add(place);
      }
    }
  }
});

it('metrics have a port of their own in every role, which the monitor scrapes', () => {
  const deployments = ofKind(large, 'Deployment');
  expect(deployments.length).toBeGreaterThan(7);
  for (const deployment of deployments) {
    expect(at(podSpec(deployment), 'containers', 0, 'ports')).toContainEqual({
      name: 'metrics',
      containerPort: 9464,
      protocol: 'TCP',
    });
    expect(at(named(large, 'Service', deployment.metadata.name), 'spec', 'ports')).toContainEqual(
      expect.objectContaining({ name: 'metrics', port: 9464, targetPort: 'metrics' }),
    );
  }
  expect(at(named(large, 'ConfigMap', FULL), 'data', 'METRICS_PORT')).toBe('9464');
  const monitor = ofKind(large, 'ServiceMonitor')[0];
  expect(at(monitor, 'spec', 'endpoints', 0, 'port')).toBe('metrics');
});

it('targets have the labels that rules and dashboards select by', () => {
  const alerts = JSON.stringify(ofKind(large, 'PrometheusRule'));
  const relabelings = z
    .array(z.object({ sourceLabels: z.tuple([z.string()]), targetLabel: z.string() }))
    .parse(at(ofKind(large, 'ServiceMonitor')[0], 'spec', 'endpoints', 0, 'relabelings'));
  expect(relabelings).toEqual([
    { sourceLabels: ['__meta_kubernetes_service_label_app_kubernetes_io_instance'], targetLabel: 'release' },
    { sourceLabels: ['__meta_kubernetes_service_label_app_kubernetes_io_component'], targetLabel: 'role' },
  ]);
  for (const deployment of ofKind(large, 'Deployment')) {
    const { labels } = named(large, 'Service', deployment.metadata.name).metadata;
    expect(labels).toMatchObject({ 'app.kubernetes.io/instance': 'r' });
    expect(alerts).toContain(
      `absent(up{namespace=\\"shop\\",release=\\"r\\",role=\\"${labels?.['app.kubernetes.io/component']}\\"})`,
    );
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
