import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** Git-ignored. One JSON file per stage, as vitest and Playwright write them. */
export const reportsFolder = path.join(root, 'test-results', 'reports');

/** `npm run check`, `npm test`, `npm run test:all`, `npm run nightly`. */
export const COMMANDS = ['check', 'test', 'all', 'nightly'] as const;
export type Command = (typeof COMMANDS)[number];

/** One check, or a runner whose report counts its tests. */
export interface Stage {
  name: string;
  /** For the pinned Node, or a shell script. */
  words: readonly string[];
  /** What the number of tests is read from; `exit code` counts as one. */
  counted: 'exit code' | 'vitest' | 'playwright';
  commands: readonly Command[];
  env?: Readonly<Record<string, string>>;
  /** A change that no test is about is no failure. */
  mayBeEmpty?: boolean;
  /** Needs nothing but Node and npm: with `--bare` it runs where there is nothing else. */
  onNodeAlone?: boolean;
}

const EVERY = COMMANDS;
const FROM_TEST = ['test', 'all', 'nightly'] as const;
const FROM_ALL = ['all', 'nightly'] as const;
const FULL = { FAULTS_FULL: '1', FUZZ_FULL: '1' };
const LOAD = path.join(root, 'bench/load/run.ts');

/** Returns every stage, in the order in which they start. */
export function stages(command: Command | undefined, related: readonly string[] | undefined): Stage[] {
  const full = command === 'nightly' ? { env: FULL } : {};
  return [
    check('lint', EVERY, [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']),
    check('imports', EVERY, [bin('dependency-cruiser/bin/dependency-cruiser.mjs'), '.']),
    check('types', EVERY, types('tsconfig.json')),
    check('web types', EVERY, types('web/tsconfig.json')),
    check('web test types', EVERY, types('web/tsconfig.test.json')),
    check('web build types', EVERY, types('web/tsconfig.node.json')),
    check('e2e types', EVERY, types('e2e/tsconfig.json')),
    check('web budget', FROM_TEST, [path.join(root, 'web/scripts/check-budget.ts')]),
    check('web browsers', FROM_TEST, [path.join(root, 'web/scripts/check-browsers.ts')]),
    { ...check('start', FROM_ALL, [script('try-start.sh')]), onNodeAlone: true },
    ...(related ? [{ ...vitest('related', ['check'], related), mayBeEmpty: true }] : []),
    vitest('unit', FROM_TEST, ['--project=unit']),
    check('tools', FROM_ALL, [script('get-tools.ts')]),
    { ...vitest('resilience-alone', FROM_ALL, ['--project=resilience-alone']), ...full },
    vitest('component', FROM_TEST, ['--project=component']),
    vitest('web', FROM_TEST, ['--project=web']),
    playwright('main flows', ['test'], 'e2e/playwright.config.ts', ['--grep=@main-flow']),
    { ...playwright('e2e', FROM_ALL, 'e2e/playwright.config.ts'), onNodeAlone: true },
    vitest('engines', FROM_ALL, ['--project=engines']),
    vitest('cluster', FROM_ALL, ['--project=deploy-cluster']),
    { ...vitest('resilience', FROM_ALL, ['--project=resilience']), ...full },
    { ...vitest('fuzz', FROM_ALL, ['--project=fuzz']), ...full },
    vitest('distributed', FROM_ALL, ['--project=distributed']),
    playwright('e2e distributed', FROM_ALL, 'e2e/distributed.config.ts'),
    vitest('alerts', FROM_ALL, ['--project=deploy-alerts']),
    vitest('charts', FROM_ALL, ['--project=deploy-charts']),
    vitest('containers', ['nightly'], ['--project=deploy-containers']),
    vitest('pods', ['nightly'], ['--project=deploy-pods']),
    check('stripe otherwise', ['nightly'], [path.join(root, 'services/billing/test/run-every-way.ts')]),
    check('pgbouncer', ['nightly'], [script('test-through-pgbouncer.ts')]),
    check('mixed-day', ['nightly'], [LOAD, 'mixed-day']),
    check('soak', ['nightly'], [LOAD, 'soak']),
    check('normal-hour', ['nightly'], [LOAD, 'normal-hour', '--distributed']),
    check('drills', ['nightly'], [path.join(root, 'tools/observability/src/drills/drill.ts')]),
    check('mutation', ['nightly'], [script('mutation/run.ts')]),
    check('spec coverage', FROM_ALL, [script('check-spec-coverage.ts'), reportsFolder]),
  ];
}

/** Returns the file that a stage's report goes to. */
export function reportOf({ name }: Pick<Stage, 'name'>): string {
  return path.join(reportsFolder, `${name.replaceAll(' ', '-')}.json`);
}

function check(name: string, commands: readonly Command[], words: readonly string[]): Stage {
  return { name, commands, words, counted: 'exit code' };
}

function vitest(name: string, commands: readonly Command[], words: readonly string[]): Stage {
  return {
    name,
    commands,
    counted: 'vitest',
    words: [
      ...[bin('vitest/vitest.mjs'), 'run', ...words],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf({ name })}`],
    ],
  };
}

function playwright(
  name: string,
  commands: readonly Command[],
  config: string,
  words: readonly string[] = [],
): Stage {
  return {
    name,
    commands,
    counted: 'playwright',
    words: [bin('@playwright/test/cli.js'), 'test', `--config=${config}`, '--reporter=dot,json', ...words],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf({ name }) },
  };
}

const bin = (file: string) => path.join(root, 'node_modules', file);
const script = (file: string) => path.join(root, 'scripts', file);

/** What is unchanged since the last time is not checked again. */
function types(config: string): string[] {
  const cache = path.join(
    root,
    'node_modules/.cache/casewatch',
    `${config.replaceAll('/', '-')}.tsbuildinfo`,
  );
  return [bin('typescript/bin/tsc'), '-p', config, '--incremental', '--tsBuildInfoFile', cache];
}
