import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
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
  /** The first lines of the error. */
  reason: string;
}

/** Enough for the message, what was expected, and the line of the test. */
const REASON_LINES = 20;

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number().default(0),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          title: z.string(),
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

const playwrightError = z.object({ message: z.string().default('') });
const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({ status: z.string(), results: z.array(z.object({ errors: z.array(playwrightError) })) }),
  ),
});
const playwrightSuite = z.object({
  specs: z.array(playwrightSpec).default([]),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});
type PlaywrightSuite = z.infer<typeof playwrightSuite>;

const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(playwrightError),
  suites: z.array(playwrightSuite).default([]),
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
      .map(({ title, fullName, failureMessages }) => ({
        name: `${file} › ${fullName}`,
        command: `npx vitest run ${file} -t ${quoted(title)}`,
        reason: firstLines(failureMessages.join('\n')),
      }));
  });
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length + numPendingTests + numTodoTests,
    failures: [
      ...failures,
      ...broken.map(({ name, message }) => {
        const file = path.relative(root, name);
        return { name: file, command: `npx vitest run ${file}`, reason: firstLines(message) };
      }),
    ],
  };
}

/** Counts the tests of Playwright's JSON report; one that passes at the second try counts as failed. */
export function countPlaywright(report: unknown): Counts & { failures: readonly Failure[] } {
  const { stats, errors, suites, config } = playwrightReport.parse(report);
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length;
  const file = config?.configFile ? path.relative(root, config.configFile) : 'e2e/playwright.config.ts';
  const run = `npx playwright test --config=${file}`;
  const failures = specsOf({ specs: [], suites })
    .filter(({ tests }) => tests.some(({ status }) => status !== 'expected'))
    .map((spec) => ({
      name: `${spec.file} › ${spec.title}`,
      command: `${run} -g ${quoted(spec.title)}`,
      reason: firstLines(
        spec.tests
          .flatMap(({ results }) => results.flatMap((result) => result.errors))
          .map(({ message }) => message)
          .join('\n'),
      ),
    }));
  const outside = errors.map(({ message }) => ({ name: file, command: run, reason: firstLines(message) }));
  return { passed: stats.expected, failed, failures: [...failures, ...outside] };
}

function specsOf({ specs, suites }: PlaywrightSuite): z.infer<typeof playwrightSpec>[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function firstLines(text: string): string {
  return stripVTControlCharacters(text).split('\n').slice(0, REASON_LINES).join('\n');
}

/** For a shell, and literally for vitest's `-t`, which takes a regular expression. */
function quoted(title: string): string {
  return `'${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "'\\''")}'`;
}
