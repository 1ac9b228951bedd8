// `npm run test:mutation`: which changes of the code would no test notice? docs/testing.md explains the budget.
//   npm run test:mutation                          code with a unit test next to it, whole, against its budget
//   npm run test:mutation -- --only services/cases  the files whose path begins so
//   npm run test:mutation -- --shrink              takes out of the budget what is killed since, and enters files
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { z } from 'zod';
import { type Budget, judge, type Mutant, resultsOf, sumOf } from './budget.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const BUDGET = 'docs/mutation-budget.json';
/** Domain, messaging and gateway code, the client of the agency, and the tokens and exports of the HTTP layer. */
const SCOPE = [
  'services/*/src/domain',
  'services/cases/src/agency',
  'gateway/src',
  'packages/messaging/src',
  'packages/service-kit/src/{database,http}',
];
const budgetSchema = z.record(
  z.string(),
  z.object({ killed: z.number(), total: z.number(), survivors: z.array(z.string()) }),
);

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shrink: { type: 'boolean', default: false },
  },
});
process.chdir(root);
process.exitCode = await runUnits();

/** Mutates every file with a unit test next to it; fails on a survivor that the budget does not name. */
async function runUnits(): Promise<number> {
  const tests = SCOPE.flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
    .filter((file) => file.startsWith(values.only))
    .toSorted();
  const mutants = await mutate(
    tests.map((file) => file.replace('.test.ts', '.ts')),
    tests,
  );
  const results = resultsOf(mutants, read);
  const budget = budgetSchema.parse(JSON.parse(read(BUDGET)));
  const { added, removed, entering } = judge(budget, results);
  console.log(`\n${summary(results)}`);
  for (const name of added) console.error(`not noticed by any test: ${name}`);
  if (added.length > 0)
    console.error('Write a test that fails with this change; the budget may only shrink.');
  if (added.length === 0 && values.shrink) {
    save({ ...budget, ...results });
    console.log(`${removed.length} taken out of ${BUDGET}, ${entering.length} files entered`);
    return 0;
  }
  for (const file of entering) console.error(`not in the budget yet: ${file}`);
  for (const name of removed) console.error(`noticed since: ${name}`);
  if (removed.length + entering.length > 0)
    console.error('Bring the budget up to date: npm run test:mutation -- --shrink');
  return added.length + removed.length + entering.length > 0 ? 1 : 0;
}

async function mutate(files: string[], tests: string[]): Promise<Mutant[]> {
  process.env.MUTATION_TESTS = tests.join(',');
  const mutants = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    mutate: files,
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: 2,
    reporters: ['progress'],
    tempDirName: '.stryker-tmp',
    // TypeScript 7 has no JavaScript API, which Stryker would rewrite a tsconfig with. None is needed.
    tsconfigFile: 'none.json',
    // Slower under other load, not hanging.
    timeoutMS: 30_000,
  }).runMutationTest();
  return mutants.map((mutant) => ({ ...mutant, fileName: path.relative(root, mutant.fileName) }));
}

function save(budget: Budget): void {
  const present = Object.fromEntries(Object.entries(budget).filter(([file]) => existsSync(file)));
  writeFileSync(BUDGET, `${JSON.stringify(present, null, 2)}\n`);
}

function summary(results: Budget): string {
  const { killed, total } = sumOf(results);
  return `${killed} of ${total} mutants killed (${((100 * killed) / total).toFixed(1)} %).`;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
