import path from 'node:path';
import { z } from 'zod';
import { root } from './stages.ts';

export interface Counts {
  passed: number;
  /** A test that does not run shows nothing, so that a skipped one counts as failed. */
  failed: number;
}

export interface Failure {
  name: string;
  /** Repeats it alone. */
  command: string;
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number().default(0),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), fullName: z.string(), status: z.string() })),
    }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(z.unknown()),
  config: z.object({ configFile: z.string().optional() }).optional(),
});

/** Counts the tests of vitest's JSON report; a file that fails without a test counts as one. */
export function countVitest(report: unknown): Counts & { failures: readonly Failure[] } {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    vitestReport.parse(report);
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failures = testResults.flatMap(({ name, assertionResults }) => {
    const file = path.relative(root, name);
    return assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ title, fullName }) => ({
        name: `${file} › ${fullName}`,
        command: `npx vitest run ${file} -t ${quoted(title)}`,
      }));
  });
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length + numPendingTests + numTodoTests,
    failures: [
      ...failures,
      ...broken
        .map(({ name }) => path.relative(root, name))
        .map((file) => ({ name: file, command: `npx vitest run ${file}` })),
    ],
  };
}

/** Counts the tests of Playwright's JSON report; one that passes at the second try counts as failed. */
export function countPlaywright(report: unknown): Counts & { failures: readonly Failure[] } {
  const { stats, errors, config } = playwrightReport.parse(report);
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length;
  const file = config?.configFile ? path.relative(root, config.configFile) : 'e2e/playwright.config.ts';
  const again = {
    name: `${failed} of ${file}`,
    command: `npx playwright test --config=${file} --last-failed`,
  };
  return { passed: stats.expected, failed, failures: failed > 0 ? [again] : [] };
}

/** For a shell, and literally for vitest's `-t`, which takes a regular expression. */
function quoted(title: string): string {
  return `'${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "'\\''")}'`;
}
