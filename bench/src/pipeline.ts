import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import {
  type ProductProcesses,
  startProductProcesses,
} from '@casewatch/dev-stack/processes/product-processes';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { registry } from '@casewatch/host/registry';
import { startChild } from './child.ts';
import { cpuSecondsOf, cpuSecondsOfTree } from './pipeline/cpu.ts';
import { batchFloor, fetchFloor, kafkaFloor } from './pipeline/floors.ts';
import { openStream } from './pipeline/open-stream.ts';
import { type SignedUp, signUpPeople } from './pipeline/people.ts';
import { createWatchedCases, type WatchedCases } from './pipeline/watched-cases.ts';

/**
 * `npm run bench:pipeline`: every service as a process of its own with real Kafka, Redis and PostgreSQL (fsync on).
 * 1. Rate: so many watches, each checked once before, are due at once, the agency lets everything through: checks a second
 *    until the last check is recorded and logged, the last notification stored and every event sent; processor time of all
 *    product processes and PostgreSQL.
 * 2. Latency: the same at half that rate, with people's streams open: from the agency's answer to the browser. Twice: cases
 *    begins with new code to compile, for the budget is a setting.
 * 3. Budget: ten calls a second allowed: how much of it is used, and the most in any one second.
 * In the same run, floors: what fetching, writing in batches and Kafka cost alone.
 */
const CHECKS = Number(process.env.CHECKS ?? 20_000);
/** Stops after the first part. */
const RATE_ONLY = process.env.RATE_ONLY !== undefined;
const CHANGED_PERCENT = 5;
const USERS = 10;
const UNTHROTTLED = 100_000;
const BUDGET = 10;
/** Enough of them that the moment at which one is seen hardly matters. */
const BUDGET_WINDOWS = 20;
const BUDGET_POLL_MS = 10;
const POLL_MS = 100;
const GIVE_UP_MS = 120_000;
/** Where CPU profiles of the services go; PostgreSQL's dearest statements are then printed, too. */
const PROFILE_DIR = process.env.PROFILE_DIR;
const GOALS = { perSecond: 900, cpuMs: 1.2, p99Ms: 250, budget: 0.98 };

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
try {
  await run();
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function run(): Promise<void> {
  const dataDir = path.join(folder, 'pg');
  const roleSecret = randomBytes(16).toString('hex');
  const database = await startEmbeddedPostgres({
    dataDir,
    password: roleSecret,
    serverSettings: [
      'max_connections=400',
      ...(PROFILE_DIR ? ['shared_preload_libraries=pg_stat_statements'] : []),
    ],
  });
  stops.push(database.stop);
  const postgresPid = Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const [kafka, redis] = await Promise.all([startTestKafka(), startTestRedis()]);
  stops.push(kafka.stop, redis.stop);

  console.log(
    `load of the machine at the beginning: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  );
  const bare = await startChild('bench/src/bare-service.ts', {}, /listening (\d+) /);
  const bareUrl = `http://127.0.0.1:${bare.found}/`;
  const floors = {
    fetch: await fetchFloor(bareUrl, 3 * CHECKS),
    batch: await batchFloor(database.ownerUrl, bareUrl, CHECKS),
    kafka: await kafkaFloor(kafka.brokers, 2 * CHECKS),
  };
  await bare.stop();

  const product = await startProductProcesses({
    services: registry,
    ownerUrl: database.ownerUrl,
    roleSecret,
    brokers: kafka.brokers,
    redisUrl: redis.url,
    agency: { callsPerSecond: UNTHROTTLED, callsPerDay: 100_000_000 },
    env: {
      KAFKA_PARTITIONS: '6',
      // The default is for budgets of some calls a second.
      MONITORING_BATCHES_AT_ONCE: '4',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000',
      SIGN_UPS_PER_ADDRESS: '1000',
      ...(PROFILE_DIR ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(PROFILE_DIR)}` } : {}),
    },
  });
  stops.push(product.stop);
  const people = await signUpPeople({ url: product.url, ownerUrl: database.ownerUrl, count: USERS });
  const cases = await createWatchedCases(
    database.ownerUrl,
    people.map(({ id }) => id),
    CHECKS,
  );
  stops.push(cases.close);

  // A product in use has checked its watches before: what is measured is the checks after the first.
  const first = await throughput(product, cases, postgresPid, CHECKS);
  if (PROFILE_DIR) await cases.forgetStatements();
  const rate = await throughput(product, cases, postgresPid, CHECKS);
  console.log(
    `\n| ${CHECKS.toLocaleString('en-US')} checks, ${CHANGED_PERCENT} % changed | | goal |\n|---|---|---|`,
  );
  console.log(
    `| first checks a second; CPU ms | ${first.perSecond.toFixed(0)}; ${first.cpuMs.toFixed(2)} | |`,
  );
  console.log(`| checks a second | ${rate.perSecond.toFixed(0)} | >= ${GOALS.perSecond} |`);
  console.log(`| CPU ms per check | ${rate.cpuMs.toFixed(2)} | <= ${GOALS.cpuMs} |`);
  for (const [name, ms] of rate.shares) console.log(`| of it ${name} | ${ms.toFixed(3)} | |`);
  for (const [name, perSecond] of Object.entries(floors)) {
    const ratio = (rate.perSecond / perSecond).toFixed(3);
    console.log(`| floor: ${name} alone, a second; pipeline / floor | ${perSecond.toFixed(0)}; ${ratio} | |`);
  }
  if (PROFILE_DIR) console.log(await cases.dearestStatements());

  const half = Math.max(1, Math.round(rate.perSecond / 2));
  if (RATE_ONLY) return;
  await restartCases(product, half);
  for (const state of ['just restarted', 'running']) {
    const { count, p50, p99 } = await answerToBrowser(product, cases, people, half);
    const goal = state === 'running' ? `p99 <= ${GOALS.p99Ms}` : '';
    console.log(
      `| answer to browser at ${half}/s, cases ${state}, ms: p50 / p99 (${count}) | ${p50} / ${p99} | ${goal} |`,
    );
  }

  const budget = await budgetUse(product, cases);
  console.log(
    `| used of ${BUDGET} calls/s; most in any second | ${budget.used.toFixed(3)}; ${budget.most} | >= ${GOALS.budget}; <= ${BUDGET} |`,
  );
}

async function throughput(
  product: ProductProcesses,
  cases: WatchedCases,
  postgresPid: number,
  count: number,
) {
  await forgetCalls(product);
  await cases.makeDue(count, CHANGED_PERCENT);
  const before = cpu(product, postgresPid);
  const startedMs = performance.now();
  await untilDone(product, cases, count, Math.ceil((count * CHANGED_PERCENT) / 100));
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = cpu(product, postgresPid);
  const shares = [...after].map(
    ([name, used]) => [name, ((used - (before.get(name) ?? 0)) * 1_000) / count] as const,
  );
  return { perSecond: count / seconds, cpuMs: shares.reduce((sum, [, ms]) => sum + ms, 0), shares };
}

function cpu(product: ProductProcesses, postgresPid: number): Map<string, number> {
  return new Map([
    ...product.processes.map(({ name, pid }) => [name, cpuSecondsOf(pid() ?? 0)] as const),
    ['PostgreSQL', cpuSecondsOfTree(postgresPid)] as const,
  ]);
}

async function untilDone(
  product: ProductProcesses,
  cases: WatchedCases,
  count: number,
  notifications: number,
) {
  const deadline = performance.now() + GIVE_UP_MS;
  // Asking the simulator costs the product nothing; the database is asked only when all calls were made.
  while ((await callsMade(product)).total < count && performance.now() < deadline) await pause(POLL_MS);
  for (;;) {
    const now = await cases.progress();
    const isStored = now.recorded >= count && now.logged >= count && now.notifications >= notifications;
    if (isStored && now.waiting === 0) return;
    if (performance.now() > deadline)
      throw new Error(`stuck at ${JSON.stringify(now)}\n${product.logs().slice(-8_000)}`);
    await pause(POLL_MS);
  }
}

async function callsMade(product: ProductProcesses): Promise<{ total: number; maxInAnySecond: number }> {
  const answer = await fetch(`${product.agency?.controlUrl}/calls`);
  return (await answer.json()) as { total: number; maxInAnySecond: number };
}

async function forgetCalls(product: ProductProcesses): Promise<void> {
  await fetch(`${product.agency?.controlUrl}/calls`, { method: 'DELETE' });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function answerToBrowser(
  product: ProductProcesses,
  cases: WatchedCases,
  people: readonly SignedUp[],
  perSecond: number,
) {
  const received = new Map<string, number>();
  const streams = await Promise.all(
    people.map(({ cookie }) =>
      openStream(product.url, cookie, ({ receiptNumber, atMs }) => {
        if (!received.has(receiptNumber)) received.set(receiptNumber, atMs);
      }),
    ),
  );
  const count = Math.min(CHECKS, perSecond * 15);
  await forgetCalls(product);
  await cases.makeDue(count, CHANGED_PERCENT);
  received.clear();
  const expected = Math.floor((count * CHANGED_PERCENT) / 100);
  await untilDone(product, cases, count, expected);
  const answered = await cases.answeredAtMs();
  const times = [...received].flatMap(([receiptNumber, atMs]) => {
    const answeredMs = answered.get(receiptNumber);
    return answeredMs === undefined ? [] : [atMs - answeredMs];
  });
  for (const stream of streams) stream.close();
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { count: times.length, p50: at(0.5), p99: at(0.99) };
}

async function budgetUse(product: ProductProcesses, cases: WatchedCases) {
  await restartCases(product, BUDGET);
  await forgetCalls(product);
  await cases.makeDue(CHECKS, 0);
  // From one full second to another: calls come in bursts, and a part of one would count for all of it.
  const first = await reached(product, BUDGET);
  const last = await reached(product, BUDGET * (1 + BUDGET_WINDOWS));
  const seconds = (last.atMs - first.atMs) / 1_000;
  return { used: (last.total - first.total) / (seconds * BUDGET), most: last.maxInAnySecond };
}

async function reached(product: ProductProcesses, total: number) {
  for (;;) {
    const made = await callsMade(product);
    if (made.total >= total) return { ...made, atMs: performance.now() };
    await pause(BUDGET_POLL_MS);
  }
}

/** The budget is cases' own setting. */
async function restartCases(product: ProductProcesses, perSecond: number): Promise<void> {
  for (const process of product.of('cases'))
    await process.restart({ AGENCY_CALLS_PER_SECOND: String(perSecond) });
}
