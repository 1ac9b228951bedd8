import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { fullName, type KnownTest } from './known-tests.ts';

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

const playwrightSuite = z.object({
  title: z.string(),
  specs: z.array(
    z.object({ title: z.string(), file: z.string(), tests: z.array(z.object({ status: z.string() })) }),
  ),
  get suites(): z.ZodOptional<z.ZodArray<typeof playwrightSuite>> {
    return z.array(playwrightSuite).optional();
  },
});
const playwrightReport = z.object({ suites: z.array(playwrightSuite) });

const report = z.union([
  vitestReport.transform(({ testResults }) => testsOfVitest(testResults)),
  // The outermost suite is the file.
  playwrightReport.transform(({ suites }) =>
    suites.flatMap((file) => [
      ...testsOfSuite(file, []),
      ...(file.suites ?? []).flatMap((suite) => nested(suite, [])),
    ]),
  ),
]);

/** Reads every test of the JSON reports in a folder. Throws on a file that neither Vitest nor Playwright wrote. */
export function readReports(folder: string): KnownTest[] {
  return globSync('*.json', { cwd: folder }).flatMap((name) => {
    const parsed = report.safeParse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
    if (!parsed.success) throw new Error(`${name} is a report of neither Vitest nor Playwright`);
    return parsed.data;
  });
}

function testsOfVitest(files: z.infer<typeof vitestReport>['testResults']): KnownTest[] {
  return files.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName: name, status }) => ({
      file,
      name: fullName([name]),
      isTemplate: false,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  );
}

type Suite = z.infer<typeof playwrightSuite>;

function nested(suite: Suite, around: readonly string[]): KnownTest[] {
  const titles = [...around, suite.title];
  return [...testsOfSuite(suite, titles), ...(suite.suites ?? []).flatMap((inner) => nested(inner, titles))];
}

/** One entry for each project that ran the test. A test that passed only when repeated has failed. */
function testsOfSuite({ specs }: Suite, around: readonly string[]): KnownTest[] {
  return specs.flatMap(({ title, file, tests }) =>
    tests.map(({ status }) => ({
      file,
      name: fullName([...around, title]),
      isTemplate: false,
      outcome: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
    })),
  );
}
