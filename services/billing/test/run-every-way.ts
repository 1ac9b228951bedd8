import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outcome, requireReason, WAYS, walkEveryWay } from './walk-every-way.ts';
import { type Note, SWITCHES, type Switch } from './ways-of-stripe.ts';

/**
 * Shows that every test of billing passes in every combination of the ways that Stripe may take. The simulator notes each switch that it decides by,
 * so that a run would be the same in all ways that differ in other switches only; each file runs again until such runs have shown every combination.
 */
const FOLDER = 'services/billing/test';
const reports = mkdtempSync(path.join(tmpdir(), 'casewatch-every-way-'));
const startedAtMs = performance.now();
const print = (line: string) => process.stdout.write(`${line}\n`);
const nameOf = (way: readonly Switch[]) => way.join(',') || 'nothing';

try {
  const walked = [...walkEveryWay(runFiles)];
  const runs = walked.reduce((sum, [, { runs }]) => sum + runs, 0);
  const minutes = ((performance.now() - startedAtMs) / 60_000).toFixed(1);
  print(`\n${walked.length} test files, ${runs} runs, ${minutes} minutes`);
  for (const [file, { runs, consulted, shown }] of walked)
    print(
      `${path.basename(file)}: ${runs} runs, ${shown} of ${WAYS.length} combinations, decided by ${nameOf([...consulted])}`,
    );
  for (const [file, { failedIn }] of walked)
    for (const way of failedIn)
      print(`failed: STRIPE_OTHERWISE=${way.join(',')} npx vitest run --project=component ${file}`);
  const unasked = SWITCHES.filter((name) => walked.every(([, { consulted }]) => !consulted.has(name)));
  if (unasked.length > 0) print(`failed: no test depends on ${unasked.join(', ')}`);
  const isComplete = walked.every(([, { shown }]) => shown === WAYS.length);
  process.exitCode = isComplete && unasked.length === 0 ? 0 : 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

function runFiles(way: readonly Switch[], files: readonly string[]): Outcome[] {
  print(`\n== otherwise: ${nameOf(way)}; ${files.length === 0 ? 'all' : files.length} test files`);
  const [report, notes] = [path.join(reports, 'report.json'), path.join(reports, 'notes.jsonl')];
  for (const file of [report, notes]) rmSync(file, { force: true });
  const words = [
    'run',
    '--project=component',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const env = { ...process.env, STRIPE_OTHERWISE: way.join(','), STRIPE_CONSULTED: notes };
  const { status: exitCode } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...words, ...(files.length === 0 ? [FOLDER] : files)],
    { stdio: 'inherit', env },
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  requireReason(exitCode, testResults);
  const lines = readFileSync(notes, 'utf8').trim().split('\n');
  const made = lines.map((line) => JSON.parse(line) as Note);
  const ended = made.flatMap(({ file, consulted }) =>
    consulted && testResults.some(({ name }) => name === file) ? [{ file, consulted }] : [],
  );
  if (made.length !== 2 * ended.length && testResults.every(({ status }) => status === 'passed'))
    throw new Error('a test has left a simulator running, which may decide still');
  return testResults.map(({ name, status }) => ({
    file: path.relative('', name),
    passed: status === 'passed',
    consulted: ended.filter(({ file }) => file === name).flatMap(({ consulted }) => consulted),
  }));
}
