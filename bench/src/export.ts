import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { service } from '@casewatch/cases/service';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import pg from 'pg';
import { type Child, cpuSeconds, startChild } from './child.ts';

/**
 * `npm run bench:export`: the history of 10,000 saved cases with 50 entries each, as CSV with times in a zone and as JSON lines,
 * over HTTP, beside a bare cursor over the same query in another process; the three in turn. Memory is what the exporting
 * process grows by above what it has after a few exports of 200 cases, with the options of the image.
 */
const CASES = Number(process.env.CASES ?? 10_000);
const HISTORY = 50;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const KINDS = ['bare', 'csv', 'ndjson'] as const;
/** As in the image, unless given; empty: Node's defaults. */
const NODE_OPTIONS = process.env.EXPORT_NODE_OPTIONS ?? '--max-semi-space-size=4';
const WARM_UP = 3;
const TARGET = { growthMb: 30, ratio: 0.5 };

type Figures = { entriesPerSecond: number; cpuSeconds: number; bytes: number };

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const roleSecret = randomBytes(16).toString('hex');
const logger = createLogger({ level: 'error', name: 'bench' });
const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), password: roleSecret });
try {
  await migrate({ ownerUrl: server.ownerUrl, services: [service], roleSecret, logger });
  const [big, small] = [randomUUID(), randomUUID()];
  await fill(big, 0, CASES);
  await fill(small, CASES, 200);
  const DATABASE = serviceUrl(server.ownerUrl, 'cases', roleSecret);
  const start = () => startChild('bench/src/export-server.ts', { DATABASE, NODE_OPTIONS }, /port (\d+)\./);
  // Apart, so that what the cursor reads does not count as memory of the export.
  const [cursor, exports] = [await start(), await start()];
  const parts = { bare: cursor, csv: exports, ndjson: exports };
  try {
    const startMb = rssMb(exports);
    for (let time = 0; time < WARM_UP; time++)
      for (const kind of KINDS) await timed(kind, small, parts[kind]);
    await measure(big, parts, startMb);
  } finally {
    await Promise.all([cursor.stop(), exports.stop()]);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Part = Awaited<ReturnType<typeof startChild>>;

async function measure(
  userId: string,
  parts: Record<(typeof KINDS)[number], Part>,
  startMb: number,
): Promise<void> {
  const results = new Map(KINDS.map((kind) => [kind, [] as Figures[]]));
  const restMb = rssMb(parts.csv);
  let mostMb = restMb;
  const watch = setInterval(() => {
    mostMb = Math.max(mostMb, rssMb(parts.csv));
  }, 10);
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < KINDS.length; nth++) {
      const kind = KINDS[(round + nth) % KINDS.length] ?? 'bare';
      results.get(kind)?.push(await timed(kind, userId, parts[kind]));
    }
  }
  clearInterval(watch);
  print(results);
  const growthMb = mostMb - restMb;
  console.log(
    `\nmemory: ${startMb.toFixed(0)} MB at the start, ${restMb.toFixed(0)} MB after small exports, at most ${growthMb.toFixed(1)} MB more in large ones (goal: ${TARGET.growthMb})`,
  );
}

async function timed(kind: string, userId: string, part: Part): Promise<Figures> {
  const [startMs, startCpu] = [performance.now(), cpuSeconds([part])];
  const answer = await fetch(`http://127.0.0.1:${part.found}/${kind}/${userId}`);
  let bytes = 0;
  for await (const piece of answer.body ?? []) bytes += piece.length;
  const seconds = (performance.now() - startMs) / 1_000;
  return { entriesPerSecond: (CASES * HISTORY) / seconds, cpuSeconds: cpuSeconds([part]) - startCpu, bytes };
}

/** Resident memory (proc(5), VmRSS), Linux only. */
function rssMb({ process: { pid } }: Child): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

async function fill(userId: string, from: number, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: server.ownerUrl, options: '-c search_path=cases' });
  await client.connect();
  const number = `'QZX' || lpad(n::text, 10, '0')`;
  const range = `generate_series(${from + 1}, ${from + count}) AS n`;
  await client.query(
    `INSERT INTO saved_cases (id, user_id, receipt_number, nickname, last_known_status, last_checked_at, created_at, tags)
     SELECT gen_random_uuid(), '${userId}', ${number}, 'Client ' || n, 'Case Was Received', now(),
            now() - n * interval '1 minute', ARRAY['office', 'family'] FROM ${range}`,
  );
  await client.query(
    `INSERT INTO observations (receipt_number, entry, status, status_at, status_date, source, first_observed_at, last_observed_at)
     SELECT ${number}, h, 'Case Was Updated To Show Fingerprints Were Taken ' || h % 7,
            timestamptz '2020-01-01' + h * interval '30 days' + n * interval '1 minute', 'January 5, 2026', 'observed',
            timestamptz '2020-01-01' + h * interval '30 days' + n * interval '1 minute', now()
     FROM ${range}, generate_series(1, ${HISTORY}) AS h`,
  );
  await client.query('VACUUM ANALYZE saved_cases, observations');
  await client.end();
}

function print(results: ReadonlyMap<string, readonly Figures[]>): void {
  const median = (values: readonly number[]) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const rates = (kind: string) => (results.get(kind) ?? []).map(({ entriesPerSecond }) => entriesPerSecond);
  console.log(
    `| ${(CASES * HISTORY).toLocaleString('en-US')} entries | entries/s (least to most) | CPU s | MB | rate / cursor |`,
  );
  console.log('|---|---|---|---|---|');
  for (const [kind, all] of results) {
    const ratio = median(rates(kind).map((rate, at) => rate / (rates('bare')[at] ?? Number.NaN)));
    const whole = (value: number) => Math.round(value).toLocaleString('en-US');
    const spread = `${whole(median(rates(kind)))} (${whole(Math.min(...rates(kind)))} to ${whole(Math.max(...rates(kind)))})`;
    const cpu = median(all.map((one) => one.cpuSeconds)).toFixed(2);
    const megabytes = ((all[0]?.bytes ?? 0) / 1e6).toFixed(1);
    console.log(
      `| ${kind} | ${spread} | ${cpu} | ${megabytes} | ${ratio.toFixed(2)} (goal: ${TARGET.ratio}) |`,
    );
  }
}
