import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { chartFolder, renderChart } from '../../src/helm.ts';
import { at, ofKind } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

const Alert = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.looseObject({ severity: z.string() }),
  annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
});
type Alert = z.infer<typeof Alert>;

const runbooks = fileURLToPath(new URL('../../../../docs/runbooks/', import.meta.url));
let rules: Manifest | undefined;
let alerts: Alert[];
let stores: Alert[];

beforeAll(async () => {
  rules = ofKind(await renderChart(['large']), 'PrometheusRule')[0];
  alerts = alertsOfFile('alerts.yaml');
  stores = alertsOfFile('stores/alerts.yaml');
}, 1_800_000);

it('every alert leads to a runbook that exists, and every runbook is led to', () => {
  const named = [...alerts, ...stores].map(({ annotations }) => path.basename(annotations.runbook_url));
  expect(named.filter((file) => !existsSync(path.join(runbooks, file)))).toEqual([]);
  // Of CasewatchTestAlert, which is none of the file's.
  expect([...new Set(named), 'test-alert.md'].sort()).toEqual(readdirSync(runbooks).sort());
});

it('the address of the runbooks is the one of the values', () => {
  const urls = alertsIn(at(rules, 'spec', 'groups')).map(({ annotations }) => annotations.runbook_url);
  expect(urls).toHaveLength(alerts.length);
  for (const url of urls)
    expect(url).toMatch(/^https:\/\/wiki\.example\.com\/casewatch\/runbooks\/[a-z-]+\.md$/);
});

it('rules read, record and label series of their own namespace and release alone', async () => {
  const made = ofKind(await renderChart(['large'], {}, 'blue'), 'PrometheusRule')[0];
  const rendered = z
    .array(z.object({ rules: z.array(z.looseObject({ expr: z.string(), labels: z.looseObject({}) })) }))
    .parse(at(made, 'spec', 'groups'))
    .flatMap(({ rules }) => rules);
  expect(rendered.length).toBeGreaterThan(alerts.length);
  for (const { expr, labels } of rendered) {
    expect(labels).toMatchObject({ namespace: 'shop', release: 'blue' });
    const selected = expr.match(/\w\{[^}]*\}/g) ?? [];
    expect(selected.length, expr).toBeGreaterThan(0);
    for (const selector of selected) expect(selector).toContain('{namespace="shop",release="blue"');
    expect(expr.replaceAll(/\w+\{[^}]*\}|"\w*"/g, ''), 'a series without a selector').not.toMatch(
      /casewatch_\w+|http_\w+/,
    );
  }
});

it('where one Prometheus has several clusters, rules and KEDA read, record and label series of their own alone', async () => {
  const made = await renderChart(['large'], {
    'monitoring.cluster': 'eu',
    'monitoring.rules.testAlert': 'true',
    'streams.enabled': 'true',
    'keda.enabled': 'true',
    'keda.prometheusUrl': 'http://prometheus',
  });
  const rendered = z
    .array(z.object({ rules: z.array(z.looseObject({ expr: z.string(), labels: z.looseObject({}) })) }))
    .parse(at(ofKind(made, 'PrometheusRule')[0], 'spec', 'groups'))
    .flatMap(({ rules }) => rules);
  for (const { expr, labels } of rendered) {
    expect(labels).toMatchObject({ cluster: 'eu' });
    for (const selector of expr.match(/\w\{[^}]*\}/g) ?? [])
      expect(selector).toContain('{namespace="shop",release="r",cluster="eu"');
  }
  expect(JSON.stringify(ofKind(made, 'ScaledObject'))).toContain(
    JSON.stringify('casewatch_push_streams{namespace="shop",release="r",cluster="eu"').slice(1, -1),
  );
  expect(JSON.stringify(rules)).not.toContain('cluster');
});

it('the test alert fires where it is asked for, with the labels of the release', async () => {
  const asked = ofKind(
    await renderChart(['large'], { 'monitoring.rules.testAlert': 'true' }),
    'PrometheusRule',
  )[0];
  const inGroup = (rule: Manifest | undefined) =>
    alertsIn(at(rule, 'spec', 'groups')).filter(({ alert }) => alert === 'CasewatchTestAlert');
  expect(inGroup(rules)).toEqual([]);
  expect(inGroup(asked)).toEqual([
    expect.objectContaining({
      expr: 'vector(1)',
      labels: { namespace: 'shop', release: 'r', severity: 'ticket' },
      annotations: expect.objectContaining({
        runbook_url: 'https://wiki.example.com/casewatch/runbooks/test-alert.md',
      }),
    }),
  ]);
});

it('the objectives burn at 14.4 and 6 times to page, at 3 and 1 times to open a ticket', () => {
  for (const objective of ['Availability', 'Latency', 'Notification']) {
    const burns = alerts.filter(({ alert }) => alert.startsWith(`Casewatch${objective}BurnRate`));
    expect(
      burns.map(({ expr, labels }) => [Number(/> \(([\d.]+) \*/.exec(expr)?.[1]), labels.severity]),
    ).toEqual([
      [14.4, 'page'],
      [6, 'page'],
      [3, 'ticket'],
      [1, 'ticket'],
    ]);
  }
});

it('names are unique and every alert says whom to wake', () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const { labels, annotations } of alerts) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(20);
  }
});

it('alerts on data stores come where their namespace is said, and read theirs', async () => {
  const asked = await renderChart(['large'], {
    'monitoring.rules.storesNamespace': 'databases',
    'monitoring.cluster': 'eu',
  });
  const made = alertsIn(at(ofKind(asked, 'PrometheusRule')[0], 'spec', 'groups'));
  expect(made).toHaveLength(alerts.length + stores.length);
  for (const { alert } of stores) {
    const found = made.find((each) => each.alert === alert);
    expect(found?.expr).toContain('namespace="databases",cluster="eu"}');
    expect(found?.expr).not.toContain('casewatch-stores');
    expect(found?.labels).toMatchObject({ namespace: 'shop', release: 'r', cluster: 'eu' });
    expect(found?.annotations.runbook_url).toBe('https://wiki.example.com/casewatch/runbooks/stores.md');
  }
});

function alertsOfFile(name: string): Alert[] {
  return alertsIn(parse(readFileSync(path.join(chartFolder, 'files', name), 'utf8')).groups);
}

/** The rules of groups that are no recording rules. */
function alertsIn(groups: unknown): Alert[] {
  const Groups = z.array(z.object({ rules: z.array(z.looseObject({ alert: z.string().optional() })) }));
  return Groups.parse(groups).flatMap(({ rules }) =>
    rules.filter(({ alert }) => alert !== undefined).map((rule) => Alert.parse(rule)),
  );
}
