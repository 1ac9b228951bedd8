import path from 'node:path';
import { expect, test } from 'vitest';
import { countPlaywright, countVitest } from './read-report.ts';
import { root } from './stages.ts';

const file = path.join(root, 'services/cases/test/look-up.test.ts');
const report = (results: { name: string; status: string; assertionResults: object[] }[], counts = {}) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: results,
  ...counts,
});

test('a test that does not run counts as failed', () => {
  const counts = countVitest(report([], { numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 }));
  expect(counts).toMatchObject({ passed: 3, failed: 2 });
  const stats = { expected: 3, unexpected: 0, flaky: 1, skipped: 1 };
  expect(countPlaywright({ stats, errors: [] })).toMatchObject({ passed: 3, failed: 2 });
});

test('a file that breaks before its first test counts as one failure, and is named', () => {
  const counts = countVitest(report([{ name: file, status: 'failed', assertionResults: [] }]));
  expect(counts).toMatchObject({
    failed: 1,
    failures: [{ command: 'npx vitest run services/cases/test/look-up.test.ts' }],
  });
});

test('a failed test is named with the command that runs it alone, whatever its title holds', () => {
  const failed = {
    title: "one's $9 (a month)",
    fullName: "prices one's $9 (a month)",
    status: 'failed',
    failureMessages: ['\u001b[31mAssertionError\u001b[39m: expected 8 to be 9'],
  };
  const results = [{ name: file, status: 'failed', assertionResults: [failed] }];
  expect(countVitest(report(results, { numFailedTests: 1 })).failures).toEqual([
    {
      name: "services/cases/test/look-up.test.ts › prices one's $9 (a month)",
      command: `npx vitest run services/cases/test/look-up.test.ts -t 'one'\\''s \\$9 \\(a month\\)'`,
      reason: 'AssertionError: expected 8 to be 9',
    },
  ]);
});

test('a failed browser test is named with the command that runs it alone, and its error', () => {
  const spec = (title: string, status: string, errors: object[]) => ({
    title,
    file: 'auth.spec.ts',
    tests: [{ status, results: [{ errors }] }],
  });
  const { failures } = countPlaywright({
    stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
    errors: [],
    suites: [
      {
        specs: [spec('signs in', 'expected', [])],
        suites: [{ specs: [spec('signs out', 'unexpected', [{ message: 'Timed out' }])] }],
      },
    ],
  });
  expect(failures).toEqual([
    {
      name: 'auth.spec.ts › signs out',
      command: `npx playwright test --config=e2e/playwright.config.ts -g 'signs out'`,
      reason: 'Timed out',
    },
  ]);
});
