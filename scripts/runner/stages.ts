import { existsSync } from 'node:fs';
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
  /** Runs in parallel with neighbors that allow it too; its output comes when it has ended. */
  runsInParallel?: boolean;
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
    { ...check('start', FROM_ALL, [script('try-start.sh')]), runsInParallel: false, onNodeAlone: true },
    ...(related ? [{ ...vitest('related', ['check'], related), mayBeEmpty: true }] : []),
    vitest('unit', FROM_TEST, ['--project=unit']),
    { ...check('tools', FROM_ALL, [script('get-tools.ts')]), runsInParallel: false },
    { ...vitest('resilience-alone', FROM_ALL, ['--project=resilience-alone']), ...full },
    // One group to the end, the longest first: none of them waits for another that is done.
    // A file waits for its servers and a page for its answers: a third of the processors' time, where these run one by one.
    { ...vitest('component', FROM_TEST, ['--project=component']), runsInParallel: true },
    ...(existsSync(path.join(root, 'web/vitest.browser.ts'))
      ? [{ ...vitest('web', FROM_TEST, ['--project=web']), runsInParallel: true }]
      : []),
    {
      ...playwright('main flows', ['test'], 'e2e/playwright.config.ts', ['--grep=@main-flow']),
      runsInParallel: true,
    },
    { ...playwright('e2e', FROM_ALL, 'e2e/playwright.config.ts'), runsInParallel: true, onNodeAlone: true },
    { ...vitest('cluster', FROM_ALL, ['--project=deploy-cluster']), runsInParallel: true },
    { ...vitest('resilience', FROM_ALL, ['--project=resilience']), ...full, runsInParallel: true },
    { ...vitest('fuzz', FROM_ALL, ['--project=fuzz']), ...full, runsInParallel: true },
    { ...vitest('distributed', FROM_ALL, ['--project=distributed']), runsInParallel: true },
    {
      ...playwright('e2e distributed', FROM_ALL, 'e2e/distributed.config.ts'),
      runsInParallel: true,
    },
    { ...vitest('alerts', FROM_ALL, ['--project=deploy-alerts']), runsInParallel: true },
    { ...vitest('charts', FROM_ALL, ['--project=deploy-charts']), runsInParallel: true },
    vitest('containers', ['nightly'], ['--project=deploy-containers']),
    vitest('pods', ['nightly'], ['--project=deploy-pods']),
    { ...check('pgbouncer', ['nightly'], [script('test-through-pgbouncer.ts')]), runsInParallel: false },
    ...['mixed-day', 'soak'].map((name) => ({
      ...check(name, ['nightly'], [path.join(root, 'bench/load/run.ts'), name]),
      runsInParallel: false,
    })),
    {
      ...check(
        'normal-hour',
        ['nightly'],
        [path.join(root, 'bench/load/run.ts'), ...['normal-hour', '--distributed']],
      ),
      runsInParallel: false,
    },
    {
      ...check('drills', ['nightly'], [path.join(root, 'tools/observability/src/drills/drill.ts')]),
      runsInParallel: false,
    },
    ...optional('mutation', ['nightly'], 'mutation/run.ts'),
    ...optional('spec coverage', FROM_ALL, 'check-spec-coverage.ts', [reportsFolder]),
  ];
}

/** Returns the file that a stage's report goes to. */
export function reportOf({ name }: Pick<Stage, 'name'>): string {
  return path.join(reportsFolder, `${name.replaceAll(' ', '-')}.json`);
}

function check(name: string, commands: readonly Command[], words: readonly string[]): Stage {
  return { name, commands, words, counted: 'exit code', runsInParallel: true };
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

/** Left out where there is no such script. */
function optional(
  name: string,
  commands: readonly Command[],
  file: string,
  words: readonly string[] = [],
): Stage[] {
  if (!existsSync(script(file))) return [];
  return [{ ...check(name, commands, [script(file), ...words]), runsInParallel: false }];
}

const bin = (file: string) => path.join(root, 'node_modules', file);
const script = (file: string) => path.join(root, 'scripts', file);

/** What is unchanged since the last time is not checked again. */
function types(config: string): string[] {
  const cache = path.join(
    root,
    'node_modules',
    '.cache',
    'casewatch',
    `${config.replaceAll('/', '-')}.tsbuildinfo`,
  );
  return [bin('typescript/bin/tsc'), '-p', config, '--incremental', '--tsBuildInfoFile', cache];
}
