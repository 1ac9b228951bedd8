import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../src/child.ts';
import { escapeText, type LineChart, lineChart } from './charts.ts';
import { type Load, type Results, readResults, type Simulated } from './results.ts';

/**
 * `npm run bench:report [-- --from=folder]`: makes `bench/report.html` from the JSON of `bench/results`, with every plot inline, and
 * the plots of docs/capacity.md in `docs/pictures`. Nothing in it is loaded from other origins.
 */
const { values } = parseArgs({
  options: { from: { type: 'string', default: path.join(root, 'bench/results') } },
});
const results = readResults(values.from);
const charts = chartsOf(results);
for (const [name, chart] of charts)
  writeFileSync(path.join(root, 'docs/pictures', `capacity-${name}.svg`), `${lineChart(chart)}\n`);
writeFileSync(path.join(root, 'bench/report.html'), page(results, charts));

function chartsOf({ loads, simulations }: Results): Map<string, LineChart> {
  const charts = new Map<string, LineChart>();
  const stress = loads.filter(({ scenario }) => scenario === 'stress');
  if (stress.length > 0)
    charts.set('stress', {
      title: 'Mixed day in ever faster steps: p95',
      xLabel: 'visitors a second',
      yLabel: 'milliseconds',
      series: stress.map(({ shape, parts }) => ({
        name: shape,
        points: parts
          .map(({ name, p95Ms }) => [Number(name.slice('at-'.length)), p95Ms] as const)
          .sort(([a], [b]) => a - b),
      })),
    });
  for (const { scenario, shape, resources } of loads.filter((one) => one.scenario === 'soak'))
    charts.set(`${scenario}-${shape}`, {
      title: `Memory during the soak (${shape})`,
      xLabel: 'seconds',
      yLabel: 'MB',
      series: [{ name: 'RSS', points: resources.map(({ atSeconds, rssMb }) => [atSeconds, rssMb] as const) }],
    });
  for (const { figures } of simulations) {
    const watches = figures[0]?.watches ?? 0;
    charts.set(`late-${watches}`, {
      title: `${watches.toLocaleString('en-US')} watches: due for over an hour, with an outage of 48 hours`,
      xLabel: 'days',
      yLabel: 'watches',
      series: figures.map((one) => ({
        name: budgetOf(one),
        points: [
          [0, one.late[0]?.watches ?? 0] as const,
          ...one.late.map(({ day, watches: late }) => [day, late] as const),
        ],
      })),
    });
  }
  return charts;
}

function page({ loads, simulations, rowSizes }: Results, charts: ReadonlyMap<string, LineChart>): string {
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<title>Casewatch: load and capacity</title>',
    '<style>body{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}',
    'table{border-collapse:collapse;font-size:.85rem}td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:right}',
    'td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}div{overflow-x:auto}</style>',
    '<h1>Casewatch: load and capacity</h1>',
    ...[...charts.values()].map(lineChart),
    ...loads.map(loadSection),
    ...simulations.map(
      ({ command, figures }) => `<h2><code>${escapeText(command)}</code></h2>${simulationTable(figures)}`,
    ),
    rowSizes
      ? `<h2><code>${escapeText(rowSizes.command)}</code></h2>${table(
          ['table', 'bytes a row, with indexes'],
          Object.entries(rowSizes.bytes).map(([name, bytes]) => [name, String(bytes)]),
        )}`
      : '',
    '</html>\n',
  ].join('\n');
}

function loadSection({
  scenario,
  shape,
  command,
  measuredAt,
  machine,
  all,
  parts,
  cpuSeconds,
  resources,
}: Load): string {
  const most = Math.max(...resources.map(({ connections }) => connections));
  return [
    `<h2>${escapeText(scenario)}, ${escapeText(shape)}</h2><p><code>${escapeText(command)}</code>, ${measuredAt.slice(0, 10)}, `,
    `${machine.cores} cores at a load of ${machine.load.toFixed(1)}; processor time ${cpuSeconds.product.toFixed(1)} s of the product and `,
    `${cpuSeconds.postgres.toFixed(1)} s of PostgreSQL; ${resources.at(-1)?.rssMb.toFixed(0)} MB; at most ${most} connections.</p>`,
    table(
      ['requests', 'a second', 'p50 ms', 'p95 ms', 'p99 ms', 'failed', 'dropped'],
      [...parts, all].map((one) => [
        `${one.name} (${one.requests})`,
        ...[one.perSecond, one.p50Ms, one.p95Ms, one.p99Ms].map((value) => value.toFixed(1)),
        `${(100 * one.failedShare).toFixed(2)} %`,
        String(one.dropped),
      ]),
    ),
  ].join('');
}

function simulationTable(figures: readonly Simulated[]): string {
  return table(
    [
      'budget',
      'needed / left',
      'age p50 / p95, days: daily',
      'weekly',
      'monthly',
      'late',
      'after the outage',
      'recovered after, days',
      'checks a day',
      'Jain',
      'got: free',
      'Pro',
      'script',
    ],
    figures.map((one) => [
      budgetOf(one),
      one.demand.toFixed(2),
      ...one.ages.map(({ p50, p95 }) => `${p50.toFixed(1)} / ${p95.toFixed(1)}`),
      ...[one.lateBefore, one.lateAfterOutage].map((count) => count.toLocaleString('en-US')),
      one.recoveredAfterDays === null ? `over ${one.days.recovery}` : String(one.recoveredAfterDays),
      Math.round(one.checksPerDay).toLocaleString('en-US'),
      one.fairness.toFixed(2),
      ...one.people.map(({ asked, called }) => `${((100 * called) / Math.max(1, asked)).toFixed(1)} %`),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeText(cell)}</${tag}>`).join('')}</tr>`;
  return `<div><table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table></div>`;
}

function budgetOf({ callsPerSecond, callsPerDay }: Simulated): string {
  const aDay = callsPerDay === Number.MAX_SAFE_INTEGER ? 'unlimited' : callsPerDay.toLocaleString('en-US');
  return `${callsPerSecond} calls/s, ${aDay} a day`;
}
