import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildK6 } from '@casewatch/dev-stack/tools/k6-binary';
import { root } from '../src/child.ts';
import { watchAlerts } from './alerts.ts';
import { brokenThresholds, type Figures, figuresOf, parseSummary } from './figures.ts';
import { startLoadedProduct } from './product.ts';
import { type ResourceWatch, watchResources } from './resources.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { seed } from './seed.ts';
import { growthOf } from './steadiness.ts';

/**
 * `npm run bench:load -- <scenario> [--distributed] [--rate=N] [--seconds=N]`: starts the product, seeds accounts, lets k6 send
 * what the scenario says and prints one table: rate, p50, p95, p99, errors; processor time and memory of the product. Ends
 * with 1 when a threshold does not hold.
 */
const THRESHOLD_BROKEN = 99;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    distributed: { type: 'boolean', default: false },
    rate: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const name = positionals[0] ?? 'mixed-day';
const known = SCENARIOS[name];
if (!known) {
  console.error(`No scenario is called ${name}. There are: ${Object.keys(SCENARIOS).join(', ')}.`);
  process.exit(2);
}
const scenario: Scenario = {
  ...known,
  rate: Number(values.rate ?? known.rate),
  seconds: Number(values.seconds ?? known.seconds),
};
const shape = values.distributed ? 'distributed' : 'all-in-one';
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-k6-'));
const k6 = await buildK6();
const product = await startLoadedProduct(values.distributed);
try {
  await run();
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const seedFile = path.join(folder, 'seed.json');
  await seed(product.url, product.ownerUrl, seedFile);
  const watch = await watchResources(product);
  const judgeAlerts = scenario.mustBeQuiet
    ? watchAlerts(product.targets, values.distributed ? 'distributed' : 'single')
    : undefined;
  const exitCode = await runK6(seedFile);
  const cpu = watch.cpuSeconds();
  const samples = await watch.stop();
  const alerts = await judgeAlerts?.();
  if (exitCode !== 0 && exitCode !== THRESHOLD_BROKEN) throw new Error(`k6 ended with ${exitCode}`);
  const summary = parseSummary(readFileSync(path.join(folder, 'summary.json'), 'utf8'));
  const all = figuresOf(summary)[0];
  const parts = figuresOf(summary, 'kind');
  const growth = scenario.mustBeFlat ? growthOf(samples) : [];
  const broken = brokenThresholds(summary);
  print(all, parts, cpu, samples.at(-1)?.rssMb);
  for (const { held, from, to, isFlat } of growth)
    console.log(
      `${held}: ${from.toFixed(0)} at the beginning, ${to.toFixed(0)} at the end: ${isFlat ? 'flat' : 'GROWS'}`,
    );
  for (const { alert, longestSeconds, fires } of alerts ?? [])
    console.log(`${alert}: true for ${longestSeconds} s: ${fires ? 'FIRES' : 'does not fire'}`);
  if (alerts?.every(({ fires }) => !fires)) console.log('No alert fires.');
  for (const threshold of broken) console.log(`MISSED: ${threshold}`);
  const hasFailed =
    broken.length > 0 || growth.some(({ isFlat }) => !isFlat) || alerts?.some(({ fires }) => fires);
  if (hasFailed) process.exitCode = 1;
}

async function runK6(seedFile: string): Promise<number> {
  const script = path.join(root, 'bench/load/scenarios/mixed-day.ts');
  const child = spawn(k6, ['run', '--quiet', '--no-usage-report', '--address', '', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SEED: seedFile,
      SUMMARY: path.join(folder, 'summary.json'),
      RATE: String(scenario.rate),
      SECONDS: String(scenario.seconds),
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function print(
  all: Figures | undefined,
  parts: readonly Figures[],
  cpu: ReturnType<ResourceWatch['cpuSeconds']>,
  rssMb: number | undefined,
): void {
  console.log(
    `${name}, ${shape}, load of the machine ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores\n`,
  );
  console.log(
    '| requests | a second | p50, p95, p99 ms | failed | dropped | CPU s: product, PostgreSQL | RSS MB |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const figures of all ? [...parts, all] : parts) {
    const { requests, perSecond, p50Ms, p95Ms, p99Ms, failedShare, dropped } = figures;
    const used =
      figures === all
        ? `${cpu.product.toFixed(1)}, ${cpu.postgres.toFixed(1)} | ${rssMb?.toFixed(0)}`
        : ' | ';
    console.log(
      `| ${figures.name} (${requests}) | ${perSecond.toFixed(1)} | ${[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(0)).join(', ')} | ${(failedShare * 100).toFixed(2)} % | ${dropped} | ${used} |`,
    );
  }
}
