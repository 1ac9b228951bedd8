import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { promtool } from '../src/promtool.ts';

const chartFiles = fileURLToPath(new URL('../../../charts/casewatch/files/', import.meta.url));
const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
  ),
});

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-prometheus-'));
  await promtool(['--version'], folder);
}, 1_800_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('Prometheus takes its configuration, with the rules next to it as the compose file mounts them', async () => {
  cpSync(fileURLToPath(new URL('../prometheus.yml', import.meta.url)), path.join(folder, 'prometheus.yml'));
  const rules = readFileSync(path.join(chartFiles, 'alerts.yaml'), 'utf8');
  writeFileSync(path.join(folder, 'alerts.yaml'), rules);
  const { ok, output } = await promtool(
    ['check', 'config', '--lint=all', '--lint-fatal', 'prometheus.yml'],
    folder,
  );
  expect(ok, output).toBe(true);
  expect(output).toContain(`${rules.match(/- (?:alert|record):/g)?.length} rules found`);
});

it.each(readdirSync(path.join(chartFiles, 'dashboards')))('every query of %s is PromQL', async (name) => {
  const { panels } = Dashboard.parse(
    JSON.parse(readFileSync(path.join(chartFiles, 'dashboards', name), 'utf8')),
  );
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(20);
  const asRules = queries.map((expr, at) => ({
    record: `dashboard:query_${at}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$[a-z]+/g, 'casewatch'),
  }));
  writeFileSync(
    path.join(folder, 'dashboard.yaml'),
    JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }),
  );
  const { ok, output } = await promtool(['check', 'rules', 'dashboard.yaml'], folder);
  expect(ok, output).toBe(true);
});
