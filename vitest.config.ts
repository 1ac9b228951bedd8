import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { mutatedSources } from './packages/testing/src/mutated-sources.ts';
import { PodsInOrder } from './tools/kubernetes/pods/test/pods-in-order.ts';
import { macrosInNode } from './web/scripts/macros-in-node.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** A condition is waited for as long as a test may take: the second that is vitest's default passes on a busy machine. */
const POLL_TIMEOUT_MS = 15 * SECOND_MS;
const PACKAGES = '{host,gateway,services/*,packages/*,simulators/*,scripts,bench,web}';
const DATABASE = './scripts/vitest/database.ts';
const KAFKA = './scripts/vitest/kafka.ts';
const FAILURE_LOGS = './scripts/vitest/failure-logs.ts';
const ENGLISH = './web/vitest.english.ts';

/**
 * A test's location decides its project (CONTRIBUTING.md). `npx vitest run <file>` finds the project by itself;
 * `--project <name>` runs one.
 */
const projects: TestProjectInlineConfiguration[] = [
  // Starts no server, database or process; files share their workers.
  project('unit', {
    include: [
      '{host,gateway,services,packages,simulators,web,bench,tools}/**/src/**/*.test.ts',
      '{scripts,web/scripts,bench/load}/**/*.test.ts',
    ],
    exclude: ['**/test/**'],
    setupFiles: [ENGLISH],
    pool: 'threads',
    isolate: false,
  }),
  // Real HTTP and a real PostgreSQL from npm's binaries; needs nothing besides Node and npm. Files share their workers, which
  // halves the processor time: what a file replaces or starts, it restores and stops.
  project('component', {
    include: [`${PACKAGES}/test/**/*.test.ts`],
    exclude: ['**/test/{distributed,resilience}/**'],
    globalSetup: [DATABASE],
    setupFiles: [FAILURE_LOGS, ENGLISH],
    isolate: false,
  }),
  // Needs a real Kafka, a real Redis, or another program that npm does not bring.
  project('distributed', {
    include: [`${PACKAGES}/test/distributed/**/*.test.ts`],
    globalSetup: [DATABASE, KAFKA],
    setupFiles: [FAILURE_LOGS],
  }),
  // Kills and restarts parts, in real time.
  project('resilience', {
    include: [`${PACKAGES}/test/resilience/**/*.test.ts`],
    exclude: ['**/test/resilience/alone/**'],
    globalSetup: [DATABASE, KAFKA],
  }),
  // The same where a rate or a rolling restart is watched, which other work on the machine would disturb.
  project('resilience-alone', {
    include: [`${PACKAGES}/test/resilience/alone/**/*.test.ts`],
    globalSetup: [DATABASE, KAFKA],
    fileParallelism: false,
  }),
  project('fuzz', {
    include: ['tools/fuzz/test/**/*.test.ts'],
    hookTimeout: (process.env.FUZZ_FULL ? 240 : 20) * MINUTE_MS,
    testTimeout: 10 * MINUTE_MS,
  }),
  // Walks through the product in other engines than Chromium.
  project('engines', {
    include: ['e2e/engines/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 3 * MINUTE_MS,
    hookTimeout: 2 * MINUTE_MS,
  }),
  // What Kubernetes, Prometheus and containers do with it; `--project='deploy-*'` runs all of them.
  project('deploy-charts', {
    include: ['tools/kubernetes/test/charts/**/*.test.ts'],
    testTimeout: MINUTE_MS,
  }),
  project('deploy-cluster', {
    include: ['tools/kubernetes/test/cluster/**/*.test.ts'],
    testTimeout: 150 * SECOND_MS,
  }),
  project('deploy-alerts', {
    include: ['tools/observability/test/**/*.test.ts'],
    globalSetup: [DATABASE],
    testTimeout: 10 * MINUTE_MS,
  }),
  project('deploy-containers', { include: ['tools/containers/test/**/*.test.ts'], testTimeout: MINUTE_MS }),
  project('deploy-pods', {
    include: ['tools/kubernetes/pods/test/**/*.test.ts'],
    globalSetup: ['tools/kubernetes/pods/test/start-node.ts'],
    fileParallelism: false,
    testTimeout: MINUTE_MS,
  }),
];

const named = process.argv.slice(2).join(' ');
// Looking for a browser takes longer than most tests do: only where the web project may be meant.
const webMayRun = /\bweb\/test\b|--project[= ]web\b/.test(named) || !/--project|\.test\./.test(named);
const webProject = new URL('./web/vitest.browser.ts', import.meta.url);
if (webMayRun) {
  const { default: web }: { default: TestProjectInlineConfiguration } = await import(webProject.href);
  projects.push(web);
}

// A sequencer belongs to the run, not to a project; one that is set here would also undo `--sequence.shuffle`.
const podsAlone = /--project[= ]deploy-pods\b/.test(named);

export default defineConfig({
  test: { projects, ...(podsAlone ? { sequence: { sequencer: PodsInOrder } } : {}) },
});

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    plugins: [macrosInNode(), mutatedSources()],
    test: {
      name,
      testTimeout: 20 * SECOND_MS,
      hookTimeout: MINUTE_MS,
      expect: { poll: { timeout: POLL_TIMEOUT_MS } },
      // What was seen is in the message itself: of a failure that comes rarely a summary may be all that is left.
      chaiConfig: { truncateThreshold: 1_000 },
      maxWorkers: 2,
      ...test,
      exclude: ['**/node_modules/**', '**/dist/**', ...(test?.exclude ?? [])],
    },
  };
}
