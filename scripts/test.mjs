// `npm test`: sets up what is missing, then runs every check on the pinned Node. Ends with `N passed, N failed`.
// `npm test -- unit e2e` runs only the stages named; `npm test -- all` adds the alerts, by Prometheus' own
// tool, and the chart on a Kubernetes control plane.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pinnedNode, root, SetupError, setUp } from './setup.mjs';

const reports = mkdtempSync(path.join(tmpdir(), 'casewatch-reports-'));
const bin = (name) => path.join(root, 'node_modules', ...name.split('/'));

const ALONE = ['budget-replicas', 'rolling-restart'];

/** A stage is one check, or a runner whose report counts its tests. */
const stages = {
  lint: () => check([bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']),
  imports: () => check([path.join(root, 'scripts', 'check-imports.ts')]),
  types: () => check([bin('typescript/bin/tsc'), '-p', 'tsconfig.json']),
  'web types': () => check([bin('typescript/bin/tsc'), '-p', 'web/tsconfig.json']),
  'web test types': () => check([bin('typescript/bin/tsc'), '-p', 'web/tsconfig.test.json']),
  'web build types': () => check([bin('typescript/bin/tsc'), '-p', 'web/tsconfig.node.json']),
  'e2e types': () => check([bin('typescript/bin/tsc'), '-p', 'e2e/tsconfig.json']),
  'web budget': () => check([path.join(root, 'web', 'scripts', 'check-budget.ts')]),
  unit: () => vitest('unit', ['--project=unit', '--project=component', '--project=distributed']),
  charts: () => vitest('charts', ['--project=charts']),
  // By themselves: how much of a budget is used, and whether people notice sixteen processes starting, is nothing to
  // ask of a machine that does other work.
  budget: () => vitest('budget', ['--project=resilience', '--no-file-parallelism', ...ALONE]),
  faults: () =>
    vitest('faults', ['--project=resilience', ...ALONE.map((name) => `--exclude=**/${name}.test.ts`)]),
  fuzz: () => vitest('fuzz', ['--project=fuzz']),
  e2e: () => browserTests('e2e', 'e2e/playwright.config.ts'),
  'e2e distributed': () => browserTests('e2e distributed', 'e2e/distributed.config.ts'),
  alerts: () => vitest('alerts', ['--project=alerts']),
  cluster: () => vitest('cluster', ['--project=cluster']),
  containers: () => vitest('containers', ['--project=containers']),
  pods: () => vitest('pods', ['--project=pods']),
};
/** Run where they are named, and by `all`: their tools take minutes to build on a new machine. */
const ONLY_NAMED = ['alerts', 'cluster', 'containers', 'pods'];
/** Not by `all` either: they want a container engine, and root. */
const ONLY_ALONE = ['containers', 'pods'];

const total = { passed: 0, failed: 0 };
try {
  setUp({ say: (step) => console.log(`  ${step} …`), web: true });
  const chosen = process.argv.slice(2);
  for (const [name, run] of Object.entries(stages)) {
    if (!isChosen(name, chosen)) continue;
    const startedAtMs = performance.now();
    console.log(`\n== ${name}`);
    const { passed, failed } = run();
    total.passed += passed;
    total.failed += failed;
    console.log(
      `== ${name}: ${passed} passed, ${failed} failed (${((performance.now() - startedAtMs) / 1000).toFixed(0)} s)`,
    );
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  total.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function isChosen(name, chosen) {
  if (chosen.length === 0) return !ONLY_NAMED.includes(name);
  return (chosen.includes('all') && !ONLY_ALONE.includes(name)) || chosen.includes(name);
}

function report(name) {
  return path.join(reports, `${name}.json`);
}

function run(words, env = {}) {
  const result = spawnSync(pinnedNode, words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, PATH: `${path.dirname(pinnedNode)}${path.delimiter}${process.env.PATH}` },
  });
  if (result.error) console.error(result.error);
  return result.status === 0;
}

/** Mostly waits for what was killed to come back, so that several files go side by side. */
function vitest(name, words) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report(name)}`];
  return counted(name, [bin('vitest/vitest.mjs'), 'run', ...words, ...reporters], {}, countVitest);
}

function check(words) {
  return run(words) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A runner that fails without a failed test (a crash, no test at all, a broken setup) counts as one failure. */
function counted(name, words, env, count) {
  const ok = run(words, env);
  let counts = { passed: 0, failed: 0 };
  try {
    counts = count(JSON.parse(readFileSync(report(name), 'utf8')));
  } catch (error) {
    console.error(`no report of ${name}: ${error.message}`);
  }
  if ((!ok || counts.passed === 0) && counts.failed === 0) counts.failed = 1;
  return counts;
}

function browserTests(name, config) {
  return counted(
    name,
    [bin('@playwright/test/cli.js'), 'test', `--config=${config}`, '--reporter=dot,json'],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: report(name) },
    countPlaywright,
  );
}

function countVitest({ numPassedTests, numFailedTests, testResults, numPendingTests, numTodoTests }) {
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  // A test that does not run shows nothing: it counts against us.
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles + numPendingTests + (numTodoTests ?? 0),
  };
}

function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}
