import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { findPersonalData } from '@casewatch/testing/personal-data';

export interface Product {
  url: string;
  /** Of the agency simulator's control API. */
  agencyUrl: string;
  /** Of the payments simulator's control API. */
  paymentsUrl: string;
}

export interface StartedProduct extends Product {
  /** Stops it. @throws when its log holds personal data or a secret: whatever the run did, no line may */
  stop(): Promise<void>;
}

export const PASSCODE = 'admin passcode of the tests';

const root = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT_MS = 90_000;

/** By `E2E_SHAPE`: what `npm start` runs, or what `npm run start:distributed` does. */
const PROGRAMS: Record<string, string> = {
  'all-in-one': 'host/src/main.ts',
  distributed: 'scripts/distributed/start.ts',
};

const SETTINGS = {
  ADMIN_PASSCODE: PASSCODE,
  AGENCY_CALLS_PER_SECOND: '50',
  // Every lookup asks the agency, so that a test can let it answer otherwise the second time.
  FRESHNESS_SECONDS: '0',
  // A day of 8.64 seconds.
  MONITORING_PERIOD_SCALE: '0.0001',
  RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE: '100000',
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000',
  SIGN_UPS_PER_ADDRESS: '10000',
  // A subscription begins with a payment.
  TRIAL_DAYS: '0',
};

/** Starts the whole product in the shape under test, on free ports and a data folder of its own. */
export async function startProduct(env: Record<string, string> = {}): Promise<StartedProduct> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'casewatch-e2e-'));
  const agencyPort = await freePort();
  const paymentsPort = await freePort();
  const program = PROGRAMS[process.env.E2E_SHAPE ?? 'all-in-one'];
  if (!program) throw new Error(`E2E_SHAPE must be one of ${Object.keys(PROGRAMS).join(', ')}`);
  const child = spawn(path.join(root, 'node_modules/node/bin/node'), [program], {
    cwd: root,
    // The channel ends it with this process, however that ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      DATA_DIR: dataDir,
      AGENCY_SIMULATOR_PORT: String(agencyPort),
      PAYMENTS_SIMULATOR_PORT: String(paymentsPort),
      ...SETTINGS,
      ...env,
    },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the product did not start:\n${output}`)),
      START_TIMEOUT_MS,
    );
    const read = (text: string) => {
      output += text;
      const found = /ready at (http:\S+)/.exec(output)?.[1];
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`the product ended:\n${output}`)));
  });
  return {
    url,
    agencyUrl: `http://127.0.0.1:${agencyPort}`,
    paymentsUrl: `http://127.0.0.1:${paymentsPort}`,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      const log = readLogs(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
      requireNoPersonalData(log);
    },
  };
}

/** The log of every process, rotated files among them. */
function readLogs(dataDir: string): string {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.log(\.\d+)?$/.test(file) && !file.startsWith('postgres'))
    .map((file) => readFileSync(path.join(dataDir, file), 'utf8'))
    .join('\n');
}

function requireNoPersonalData(log: string): void {
  if (!log.includes('"msg":"request"'))
    throw new Error('the log of the run has no requests: nothing was checked');
  const found = findPersonalData(log).map(({ kind, lines }) => `${kind}:\n  ${lines.join('\n  ')}`);
  if (found.length > 0) throw new Error(`the log of the run holds what it must not:\n${found.join('\n')}`);
}
