import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { openDatabase } from '@casewatch/monitoring/data/open-database';
import { createSchedule } from '@casewatch/monitoring/data/schedule';
import { service } from '@casewatch/monitoring/service';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import pg from 'pg';

/**
 * `npm run bench:watches`: claiming 100 due watches of 10,000 beside 100 of 1,000,000, interleaved in one run. All
 * watches are due, so the queue is as long as the table. The rows lie as a running scheduler leaves them: written in
 * the order of their last checks, due a period later with its spread. What is claimed is finished, as it does.
 *
 * The ratio is that of a run without a checkpoint. PostgreSQL logs a page whole when it changes for the first time
 * after one: a price per page, at most one page of the table and of each index for a claimed row, that a table of few
 * pages pays less often. The second part shows it at its highest: every round begins with a checkpoint.
 */
const SIZES = [10_000, 1_000_000] as const;
const CLAIM = 100;
/** Of each kind; all rounds together must not empty the small table. */
const ROUNDS = Number(process.env.ROUNDS ?? 40);
const WARM_UP = 10;
const LEASE_MS = 60_000;
const TARGET = 1.3;

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const roleSecret = randomBytes(16).toString('hex');
const logger = createLogger({ level: 'error', name: 'bench' });
const server = await startEmbeddedPostgres({
  dataDir: path.join(folder, 'pg'),
  password: roleSecret,
  serverSettings: ['max_wal_size=16GB', 'checkpoint_timeout=1h'],
});
const stops: (() => Promise<void>)[] = [];
try {
  const tables = [];
  for (const size of SIZES) tables.push(await createTable(size));
  for (let round = 0; round < WARM_UP; round++) {
    for (const table of tables) await table.measure();
  }
  print('without a checkpoint', await measureRounds(tables, false));
  print('each just after a checkpoint', await measureRounds(tables, true));
  console.log(`Target: at most ${TARGET} without a checkpoint.`);
} finally {
  for (const stop of stops.reverse()) await stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Table = Awaited<ReturnType<typeof createTable>>;
interface Timing {
  claimMs: number;
  finishMs: number;
}

async function measureRounds(tables: readonly Table[], checkpoint: boolean): Promise<Map<number, Timing[]>> {
  const timings = new Map<number, Timing[]>(tables.map(({ size }) => [size, []]));
  for (let round = 0; round < ROUNDS; round++) {
    if (checkpoint) await onDatabase(server.ownerUrl, 'CHECKPOINT');
    for (const { size, measure } of tables) timings.get(size)?.push(await measure());
  }
  return timings;
}

/** A database of its own with so many due watches. */
async function createTable(size: number) {
  const ownerUrl = new URL(server.ownerUrl);
  await onDatabase(ownerUrl.href, `CREATE DATABASE watches_${size}`);
  ownerUrl.pathname = `/watches_${size}`;
  await migrate({ ownerUrl: ownerUrl.href, services: [service], roleSecret, logger });
  await onDatabase(
    ownerUrl.href,
    `INSERT INTO monitoring.watches (receipt_number, period_days, last_checked_at, next_check_at)
     SELECT receipt_number, 1, checked_at,
            checked_at + (1 - 0.05 * (hashtext(receipt_number) & 1023) / 1024.0) * interval '1 day'
     FROM (SELECT 'EAC' || lpad((n * 7919::bigint % 10000000000)::text, 10, '0') AS receipt_number,
                  now() - interval '2 days' + n * interval '1 day' / ${size} AS checked_at
           FROM generate_series(1, ${size}) AS n) AS checked`,
    'VACUUM ANALYZE monitoring.watches',
  );
  const { claims, close } = openDatabase({
    url: serviceUrl(ownerUrl.href, 'monitoring', roleSecret),
    maximum: 1,
    logger,
    schedule: createSchedule(1),
    clock: systemClock,
  });
  stops.push(close);
  return {
    size,
    async measure(): Promise<Timing> {
      const startMs = performance.now();
      const claim = await claims.claim({ leaseMs: LEASE_MS, limit: CLAIM });
      const claimedMs = performance.now();
      if (claim.receiptNumbers.length !== CLAIM) throw new Error('the queue is empty: fewer ROUNDS, please');
      await claims.finish(claim, claim.receiptNumbers);
      return { claimMs: claimedMs - startMs, finishMs: performance.now() - claimedMs };
    },
  };
}

async function onDatabase(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function print(kind: string, timings: ReadonlyMap<number, readonly Timing[]>): void {
  console.log(`\n| ${CLAIM} due, ${kind} | claim ms | finish ms |\n|---|---|---|`);
  const medians: number[] = [];
  for (const [size, all] of timings) {
    const claimMs = median(all.map((timing) => timing.claimMs));
    medians.push(claimMs);
    const finishMs = median(all.map((timing) => timing.finishMs));
    console.log(`| of ${size.toLocaleString('en-US')} | ${claimMs.toFixed(2)} | ${finishMs.toFixed(2)} |`);
  }
  const ratio = (medians[1] ?? Number.NaN) / (medians[0] ?? Number.NaN);
  console.log(`ratio of the claims: ${ratio.toFixed(2)}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
