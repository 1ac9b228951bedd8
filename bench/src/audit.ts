import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '@casewatch/admin-log/data/open-database';
import { callRecorder as recorder } from '@casewatch/admin-log/data/record-calls';
import { type CallFilter, toCallFilter } from '@casewatch/admin-log/domain/call-filter';
import { callOverview } from '@casewatch/admin-log/domain/call-overview';
import { listCalls } from '@casewatch/admin-log/domain/list-calls';
import { onLookupsRecorded } from '@casewatch/admin-log/events/on-lookups-recorded';
import { service } from '@casewatch/admin-log/service';
import { parseLogSearch } from '@casewatch/contracts/log-search';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import pg from 'pg';
import { BUSY, fillLog, logOf, removeStored, SOME_USER } from './audit-rows.ts';

/**
 * `npm run bench:audit [-- --rows=10000000]`: pages of the API log in a log of so many calls, as `GET
 * /api/admin/logs` answers them (count, page, payloads), with no filter and with each: first, middle and last page,
 * interleaved. Then what the consumer stores a second, events in batches of 100, with the log as full as that.
 * `--keep=<folder>` keeps the log there and uses it again; `--load-minutes=5` ends a longer load, and the next run
 * with the same folder continues it.
 */
const { values: asked } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '40000' },
    keep: { type: 'string' },
    'load-minutes': { type: 'string', default: 'Infinity' },
  },
});
const EVENTS = Number(asked.events);
const LOAD_UNTIL_MS = Date.now() + Number(asked['load-minutes']) * 60_000;
const ROUNDS = Number(process.env.ROUNDS ?? 40);
const WARM_UP = 5;
const LIMIT = 50;
const TARGET = { p95Ms: 50, callsPerSecond: 900, cpuMs: 0.05 };
const RETENTION = { payloadDays: 90, rowMonths: 1_200 };

const folder = asked.keep ?? mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const { roleSecret, rows: ROWS, toMs: TO_MS } = openFolder();
const LOG = logOf(ROWS, TO_MS);
const { fromMs: FROM_MS } = LOG;

type Query = Parameters<typeof toCallFilter>[0];
const at = (share: number) => new Date(FROM_MS + (TO_MS - FROM_MS) * share).toISOString();
/** Dense and sparse ones of every kind, and what people put together. */
const FILTERS: readonly (readonly [string, Query])[] = [
  ['no filter', {}],
  ['source monitor', { source: 'monitor' }],
  ['source user', { source: 'user' }],
  ['succeeded', { success: true }],
  ['failed', { success: false }],
  ['status 200', { statusCode: 200 }],
  ['status 404', { statusCode: 404 }],
  ['status 503, one in 100,000', { statusCode: 503 }],
  ['receipt number', { receiptNumber: 'EAC9999000001' }],
  ['receipt number of 1 % of the calls', { receiptNumber: 'EAC9999000000' }],
  ['user', { user: SOME_USER }],
  ['user of 1 % of the calls', { user: BUSY }],
  ['first name, one letter', { user: 'a' }],
  ['first name, whole', { user: 'name77' }],
  ['a third of the time', { from: at(0.33), to: at(0.66) }],
  ['half an hour', { from: at(0.5), to: new Date(Date.parse(at(0.5)) + 1_800_000).toISOString() }],
  ['failed, users, a third of the time', { success: false, source: 'user', from: at(0.33), to: at(0.66) }],
  ['user, failed', { user: BUSY, success: false }],
  ...[
    'receipt:EAC99990000*',
    'receipt:EAC9999*',
    'receipt:EAC9999000* success:false',
    'receipt:EAC* success:false',
    'receipt:EAC9999000000 success:false',
    'outcome:fault',
    'outcome:stored',
    'outcome:quota,fault,circuit-open',
    'cause:agency',
    'cause:user',
    'code:timeout',
    'code:timeout,unavailable ms:>100',
    'via:bulk',
    'ms:>2000',
    'ms:>7900',
    'ms:<50',
    '-status:404',
    'success:false -status:404',
    'tier:pro -outcome:answered,stored',
    'request:7b0f',
    'request:7b0f1a52-5c0e-4f0a-9a75-0d7c1f0c3a11',
    'trace:4bf92f3577b34da6a3ce929d0e0e4736',
  ].map((q) => [q, { q: parseLogSearch(q) }] as const),
];
/** As identity finds them for a last name: the filter that a search for a user becomes. */
const FOUND_USERS = { nameStart: 'name77', alsoUserIds: [SOME_USER, BUSY] };

const logger = createLogger({ level: 'error', name: 'bench' });
const server = await startEmbeddedPostgres({
  dataDir: path.join(folder, 'pg'),
  password: roleSecret,
  serverSettings: ['max_wal_size=4GB', 'shared_buffers=512MB'],
});
try {
  await migrate({ ownerUrl: server.ownerUrl, services: [service], roleSecret, logger });
  if (await fillLog(server.ownerUrl, LOG, LOAD_UNTIL_MS)) await measure();
  else console.log('not loaded yet: run it again with the same folder');
} finally {
  await server.stop();
  if (asked.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

/** What a kept folder was made for goes before what is asked now. */
function openFolder(): { rows: number; toMs: number; roleSecret: string } {
  const file = path.join(folder, 'log.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  mkdirSync(folder, { recursive: true });
  const made = {
    rows: Number(asked.rows),
    toMs: Math.floor(Date.now() / 3_600_000) * 3_600_000,
    roleSecret: randomBytes(16).toString('hex'),
  };
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

async function measure(): Promise<void> {
  const url = serviceUrl(server.ownerUrl, 'admin-log', roleSecret);
  const database = openDatabase({ url, maximum: 4, logger });
  await measureStorage(database);
  await measurePages(database);
  await measureOverview(database);
  await database.close();
  await measureInserts(url);
  if (asked.keep !== undefined) await removeStored(server.ownerUrl, LOG);
}

/** What a row takes on disk, with its indexes: the arithmetic of docs/operations.md. */
async function measureStorage({ pool }: ReturnType<typeof openDatabase>): Promise<void> {
  const { rows } = await pool.query<{ family: string; bytes: number }>(
    `SELECT regexp_replace(relname, '_\\d{4}_\\d\\d$', '') AS family, sum(pg_total_relation_size(oid))::float8 AS bytes
     FROM pg_class WHERE relnamespace = 'admin_log'::regnamespace AND relkind = 'r' GROUP BY 1 ORDER BY 2 DESC LIMIT 6`,
  );
  for (const { family, bytes } of rows)
    console.log(
      `${family}: ${(bytes / 2 ** 20).toFixed(0)} MiB, ${(bytes / ROWS).toFixed(0)} bytes a lookup`,
    );
}

interface Page {
  readonly name: string;
  readonly filter: CallFilter;
  readonly offset: number;
  readonly total: string;
  readonly timesMs: number[];
}

async function measurePages({ calls, pool }: ReturnType<typeof openDatabase>): Promise<void> {
  const ask = (filter: CallFilter, offset: number) =>
    listCalls(calls, filter, { limit: LIMIT, offset }, TO_MS - RETENTION.payloadDays * 86_400_000);
  const pages: Page[] = [];
  const filters = [
    ...FILTERS.map(([name, query]) => [name, toCallFilter(query)] as const),
    ['user by first or last name', FOUND_USERS] as const,
  ];
  for (const [name, filter] of filters) {
    const { totalCount, totalIsExact } = await ask(filter, 0);
    const last = Math.max(0, Math.ceil(totalCount / LIMIT) - 1) * LIMIT;
    const middle = Math.floor(last / 2 / LIMIT) * LIMIT;
    const total = `${totalCount.toLocaleString('en-US')}${totalIsExact ? '' : '+'}`;
    for (const [place, offset] of [
      ['first', 0],
      ['middle', middle],
      ['last', last],
    ] as const) {
      pages.push({ name: `${name}: ${place}`, filter, offset, total, timesMs: [] });
    }
  }
  const floorMs: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (let nth = 0; nth < 5; nth++) {
      const startMs = performance.now();
      await pool.query('SELECT 1');
      floorMs.push(performance.now() - startMs);
    }
    for (const { filter, offset, timesMs } of pages) {
      const startMs = performance.now();
      await ask(filter, offset);
      if (round >= 0) timesMs.push(performance.now() - startMs);
    }
  }
  const floor = quantile(floorMs, 0.95);
  console.log(
    `\n| page of ${ROWS.toLocaleString('en-US')} calls | fit | p50 ms | p95 ms | p95 / that of SELECT 1 |`,
  );
  console.log('|---|---|---|---|---|');
  for (const { name, total, timesMs } of pages) {
    const p95 = quantile(timesMs, 0.95);
    const cells = [name, total, quantile(timesMs, 0.5).toFixed(1), p95.toFixed(1), (p95 / floor).toFixed(1)];
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log(`SELECT 1: p50 ${quantile(floorMs, 0.5).toFixed(1)} ms, p95 ${floor.toFixed(1)} ms`);
  const worst = Math.max(...pages.map(({ timesMs }) => quantile(timesMs, 0.95)));
  console.log(`highest p95: ${worst.toFixed(1)} ms; the goal is at most ${TARGET.p95Ms}`);
}

async function measureOverview({ counts }: ReturnType<typeof openDatabase>): Promise<void> {
  const timesMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now();
    await callOverview(counts, TO_MS, 1_000);
    timesMs.push(performance.now() - startMs);
  }
  console.log(
    `overview: p50 ${quantile(timesMs, 0.5).toFixed(1)} ms, p95 ${quantile(timesMs, 0.95).toFixed(1)} ms`,
  );
}

/** The whole way of an event in the consumer: inbox, decoding, the row with its payload, numbers and counts. */
async function measureInserts(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=admin_log', max: 4 });
  // The server stops before the connections have quite ended.
  pool.on('error', () => undefined);
  const consumer = createGroupConsumer({
    group: 'admin-log',
    handlers: [onLookupsRecorded({ recorder, clock: systemClock, retention: RETENTION })],
    pool,
    clock: systemClock,
    logger,
    policy: defaultPolicy,
  });
  const events = Array.from({ length: EVENTS }, () => callEvent());
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  await Promise.all(events.map((event) => consumer.dispatch(event)));
  const seconds = (performance.now() - startMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const stored = await pool.query('SELECT 1 FROM dead_letters LIMIT 1');
  if (stored.rowCount !== 0) throw new Error('events went to the dead letters');
  const rate = EVENTS / seconds;
  console.log(
    `stored: ${Math.round(rate).toLocaleString('en-US')} calls/s, ${((user + system) / 1_000 / EVENTS).toFixed(3)} ms of Node's CPU each ` +
      `(the goal is at most ${TARGET.cpuMs.toFixed(3)}); ` +
      `${(rate / TARGET.callsPerSecond).toFixed(1)} times the goal of ${TARGET.callsPerSecond}/s`,
  );
  await consumer.stop();
  await pool.end();
}

function callEvent() {
  const id = uuidV7(Date.now());
  const receiptNumber = `EAC${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`;
  const byUser = Math.random() < 0.2;
  const endedAt = new Date().toISOString();
  const lookup = {
    id,
    receiptNumber,
    ...(byUser ? { userId: SOME_USER, userFirstName: 'Ada', requestId: id, tier: 'pro' } : {}),
    source: byUser ? 'user' : 'monitor',
    origin: byUser ? 'single' : 'scheduled',
    endedAt,
    durationMs: Math.floor(20 + Math.random() * 400),
    queueMs: 3,
    agencyMs: 100,
    outcome: 'answered',
    servedStale: false,
    calls: [
      {
        statusCode: 200,
        durationMs: 100,
        response: JSON.stringify({ receiptNumber, text: 'x'.repeat(1_500) }),
      },
    ],
  };
  const payload = { batchId: id, lookups: [lookup] };
  return { id, topic: 'lookups-recorded', key: id, payload, headers: { ce_time: endedAt } };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
