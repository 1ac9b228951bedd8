import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installNpmPackages } from '@casewatch/dev-stack/tools/npm-packages';

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
  const folder = await installNpmPackages({ program: 'Lighthouse', pinned });
  return path.join(folder, 'node_modules/lighthouse/cli/index.js');
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
