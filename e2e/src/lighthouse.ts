import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from '@casewatch/dev-stack/tools/make-once';

const run = promisify(execFile);
const pinned = fileURLToPath(new URL('../lighthouse/', import.meta.url));
const REPORT_MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** The parts of Lighthouse's JSON report that are read. Scores are 0 to 1; null: the audit does not apply. */
export interface LighthouseReport {
  readonly categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  readonly audits: Record<
    string,
    { title: string; score: number | null; displayValue?: string; numericValue?: number }
  >;
  readonly runtimeError?: { message: string };
}

/**
 * Returns the path of the Lighthouse that `e2e/lighthouse/package-lock.json` pins, installed from the npm registry the
 * first time into the user's cache: its 114 packages are no part of the product's own lock. @throws without a registry
 */
export async function findLighthouse(): Promise<string> {
  const stamp = hash('sha256', readFileSync(path.join(pinned, 'package-lock.json'))).slice(0, 12);
  const folder = path.join(testCacheFolder(), `lighthouse-${stamp}`);
  await makeOnce(folder, install);
  return path.join(folder, 'node_modules/lighthouse/cli/index.js');
}

async function install(made: string): Promise<void> {
  mkdirSync(made);
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(path.join(pinned, file), path.join(made, file));
  const npm = process.env.npm_execpath;
  const [command, words] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  try {
    await run(command, [...words, 'ci', ...quiet], { cwd: made });
  } catch (cause) {
    throw new Error(
      'Lighthouse could not be installed: npm has to reach its registry, or a mirror it is set up for.',
      { cause },
    );
  }
}

/** Runs Lighthouse with its defaults (a phone, simulated slow 4G) on a page in a browser that listens on a DevTools port. */
export async function runLighthouse(
  program: string,
  { url, devtoolsPort }: { url: string; devtoolsPort: number },
): Promise<LighthouseReport> {
  const words = [program, url, `--port=${devtoolsPort}`, '--output=json', '--quiet'];
  const { stdout } = await run(process.execPath, [...words, '--no-enable-error-reporting'], {
    maxBuffer: REPORT_MAX_BYTES,
    timeout: TIMEOUT_MS,
  });
  const report: LighthouseReport = JSON.parse(stdout);
  if (report.runtimeError) throw new Error(`Lighthouse: ${report.runtimeError.message}`);
  return report;
}
