import { execFile } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@casewatch/dev-stack/free-port';
import { installNpmPackages } from '@casewatch/dev-stack/tools/npm-packages';
import { findChromium } from '@casewatch/testing/chromium';
import { type Browser, chromium } from '@playwright/test';
import { startProduct } from './start-product.ts';

/**
 * `npm run bench:lighthouse`: Lighthouse with its defaults (a phone, simulated slow 4G) on the landing page and the status guide of the built
 * product, in each language in turn, every run in a browser of its own that reaches no other machine; then whether Chromium would install
 * the app. Prints medians, each audit that fell short, and ends with 1 if a goal is missed. `RUNS` (5).
 */
const RUNS = Number(process.env.RUNS ?? 5);
const PAGES = {
  'landing page': '/',
  'landing page in Spanish': '/?lang=es',
  'status guide': '/guide',
  'status guide in Spanish': '/guide?lang=es',
};
/** Of the median, out of 100. */
const GOALS: Record<string, number> = {
  performance: 97,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};
const LOOPBACK_ONLY = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';
const REPORT_MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** The parts of Lighthouse's JSON report that are read. Scores are 0 to 1; null: the audit does not apply. */
interface Report {
  readonly categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  readonly audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
  readonly runtimeError?: { message: string };
}

const execute = promisify(execFile);
// Its 114 packages are no part of the product's own lock.
const pinned = fileURLToPath(new URL('../lighthouse/', import.meta.url));
const lighthouse = await installNpmPackages({ program: 'Lighthouse', pinned });
const { executablePath, args } = await findChromium(chromium.executablePath());
const product = await startProduct();
try {
  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  const reports = new Map<string, Report[]>(Object.keys(PAGES).map((name) => [name, []]));
  for (let round = 0; round < RUNS; round++) {
    for (const [name, address] of Object.entries(PAGES)) reports.get(name)?.push(await measure(address));
  }
  for (const [name, all] of reports) print(name, all);
  const problems = await installProblems();
  console.log(`\ninstallable: ${problems.length === 0 ? 'yes' : problems.join(', ')}`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await product.stop();
}

async function measure(address: string): Promise<Report> {
  const port = await freePort();
  await using _browser = await launch([`--remote-debugging-port=${port}`]);
  const program = path.join(lighthouse, 'node_modules/lighthouse/cli/index.js');
  const words = [program, product.url + address, `--port=${port}`, '--output=json', '--quiet'];
  const { stdout } = await execute(process.execPath, [...words, '--no-enable-error-reporting'], {
    maxBuffer: REPORT_MAX_BYTES,
    timeout: TIMEOUT_MS,
  });
  const report: Report = JSON.parse(stdout);
  if (report.runtimeError) throw new Error(`Lighthouse: ${report.runtimeError.message}`);
  return report;
}

function launch(more: string[] = []): Promise<Browser> {
  return chromium.launch({
    args: [...args, LOOPBACK_ONLY, ...more],
    ...(executablePath ? { executablePath } : {}),
  });
}

/** What Chromium finds missing before it offers to install the app from its landing page. */
async function installProblems(): Promise<string[]> {
  await using browser = await launch();
  const page = await browser.newPage();
  await page.goto(product.url);
  const devtools = await page.context().newCDPSession(page);
  const { errors, url } = await devtools.send('Page.getAppManifest');
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  return [
    ...(url ? [] : ['no manifest']),
    ...errors.map(({ message }) => message),
    ...installabilityErrors.map(({ errorId }) => errorId),
  ];
}

/** The scores of a page, and the audits that cost points, or would. */
function print(name: string, reports: readonly Report[]): void {
  for (const [category, goal] of Object.entries(GOALS)) {
    const scores = reports
      .map(({ categories }) => (categories[category]?.score ?? 0) * 100)
      .sort((a, b) => a - b);
    const median = scores[Math.floor(scores.length / 2)] ?? Number.NaN;
    const isMissed = !(median >= goal);
    if (isMissed) process.exitCode = 1;
    console.log(
      `${name}, ${category}: ${median.toFixed(0)} (${scores[0]?.toFixed(0)}-${scores.at(-1)?.toFixed(0)}), goal ${goal}${isMissed ? ': MISSED' : ''}`,
    );
    const shortfalls = reports.flatMap(({ categories, audits }) =>
      (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
        const { score, title, displayValue = '' } = audits[id] ?? { score: null, title: id };
        return weight === 0 || score === null || score === 1 ? [] : [`${title} ${displayValue}`.trim()];
      }),
    );
    for (const text of new Set(shortfalls)) console.log(`  below 100: ${text}`);
  }
}
