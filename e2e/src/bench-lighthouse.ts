import { availableParallelism, loadavg } from 'node:os';
import { freePort } from '@casewatch/dev-stack/free-port';
import { findChromium } from '@casewatch/testing/chromium';
import { type Browser, type CDPSession, chromium } from '@playwright/test';
import { findLighthouse, type LighthouseReport, runLighthouse } from './lighthouse.ts';
import { startProduct } from './start-product.ts';

/**
 * `npm run bench:lighthouse`: Lighthouse on the landing page of the built product, in each language in turn, every run in
 * a browser of its own that reaches no other machine; then whether Chromium would install the app. Prints medians, each
 * audit that fell short, and ends with 1 if a goal is missed. `RUNS` (5).
 */
const RUNS = Number(process.env.RUNS ?? 5);
const PAGES = { English: '/', Spanish: '/?lang=es' };
/** Of the median, out of 100. */
const GOALS: Record<string, number> = {
  performance: 97,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};
const CPU_POLL_MS = 200;
const LOOPBACK_ONLY = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

interface Run {
  report: LighthouseReport;
  cpuSeconds: number;
}

const lighthouse = await findLighthouse();
const { executablePath, args } = await findChromium(chromium.executablePath());
const product = await startProduct();
try {
  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  const runs = new Map<string, Run[]>(Object.keys(PAGES).map((name) => [name, []]));
  for (let round = 0; round < RUNS; round++) {
    for (const [name, path] of Object.entries(PAGES)) runs.get(name)?.push(await measure(path));
  }
  console.log('\n| page | performance | accessibility | best practices | SEO | CPU s of the browser |');
  console.log('|---|---|---|---|---|---|');
  for (const [name, all] of runs) {
    const scores = Object.keys(GOALS).map((category) => all.map((run) => scoreOf(run, category)));
    const cells = [
      ...scores.map((some) => spread(some, 0)),
      spread(
        all.map((run) => run.cpuSeconds),
        1,
      ),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
    if (Object.values(GOALS).some((goal, nth) => median(scores[nth] ?? []) < goal)) process.exitCode = 1;
  }
  for (const [name, all] of runs) printShortfalls(name, all);
  const problems = await installProblems();
  console.log(`\ninstallable: ${problems.length === 0 ? 'yes' : problems.join(', ')}`);
  if (problems.length > 0) process.exitCode = 1;
  console.log(
    `goals: ${Object.entries(GOALS)
      .map((goal) => goal.join(' '))
      .join(', ')}, installable`,
  );
  console.log(`load at the end: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await product.stop();
}

async function measure(path: string): Promise<Run> {
  const devtoolsPort = await freePort();
  await using browser = await launch([`--remote-debugging-port=${devtoolsPort}`]);
  const cpu = watchCpu(await browser.newBrowserCDPSession());
  const report = await runLighthouse(lighthouse, { url: product.url + path, devtoolsPort });
  return { report, cpuSeconds: await cpu.stop() };
}

function launch(more: string[] = []): Promise<Browser> {
  return chromium.launch({
    args: [...args, LOOPBACK_ONLY, ...more],
    ...(executablePath ? { executablePath } : {}),
  });
}

/** Adds up the processor time of the browser's processes, including those that end while it measures. */
function watchCpu(devtools: CDPSession): { stop(): Promise<number> } {
  const seconds = new Map<number, number>();
  const look = async () => {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    for (const { id, cpuTime } of processInfo) seconds.set(id, cpuTime);
  };
  const timer = setInterval(() => look().catch(() => undefined), CPU_POLL_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await look();
      return [...seconds.values()].reduce((sum, value) => sum + value, 0);
    },
  };
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

function scoreOf({ report }: Run, category: string): number {
  return (report.categories[category]?.score ?? 0) * 100;
}

/** The audits that cost points, or would: worst value of all runs, in how many of them. */
function printShortfalls(name: string, all: readonly Run[]): void {
  const found = new Map<string, { times: number; worst: number; text: string }>();
  for (const { report } of all) {
    for (const category of Object.keys(GOALS)) {
      for (const { id, weight } of report.categories[category]?.auditRefs ?? []) {
        const { score, title, displayValue } = report.audits[id] ?? { score: null, title: id };
        if (weight === 0 || score === null || score === 1) continue;
        const before = found.get(id) ?? { times: 0, worst: 1, text: '' };
        const isWorst = score < before.worst;
        found.set(id, {
          times: before.times + 1,
          worst: Math.min(score, before.worst),
          text: isWorst ? `${title} ${displayValue ?? ''}`.trim() : before.text,
        });
      }
    }
  }
  if (found.size > 0) console.log(`\n${name}, below 100, worst of all runs:`);
  for (const [id, { times, worst, text }] of found)
    console.log(`  ${id}: ${(worst * 100).toFixed(0)} in ${times} of ${all.length} runs (${text})`);
}

function spread(values: readonly number[], digits: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)}-${most.toFixed(digits)})`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
