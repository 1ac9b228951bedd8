import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, renderChart } from '../../src/helm.ts';
import { at, ofKind } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const runbooks = fileURLToPath(new URL('../../../../docs/runbooks/', import.meta.url));
let rules: Manifest | undefined;
let alerts: Alert[];

beforeAll(async () => {
  rules = ofKind(await renderChart(['large']), 'PrometheusRule')[0];
  alerts = parse(readFileSync(path.join(chartFolder, 'files', 'alerts.yaml'), 'utf8')).groups.flatMap(
    (group: { rules: Alert[] }) => group.rules,
  );
}, 1_800_000);

it('every alert leads to a runbook that exists, and every runbook is led to', () => {
  const named = alerts.map(({ annotations }) => path.basename(annotations.runbook_url));
  expect(named.filter((file) => !existsSync(path.join(runbooks, file)))).toEqual([]);
  expect([...new Set(named)].sort()).toEqual(readdirSync(runbooks).sort());
});

it('the address of the runbooks is the one of the values', () => {
  const urls = (at(rules, 'spec', 'groups') as { rules: Alert[] }[]).flatMap((group) =>
    group.rules.map(({ annotations }) => annotations.runbook_url),
  );
  expect(urls).toHaveLength(alerts.length);
  for (const url of urls) expect(url).toMatch(/^https:\/\/runbooks\.example\.com\/casewatch\/[a-z-]+\.md$/);
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
