import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import type pg from 'pg';
import { cpuSecondsOf } from './cpu.ts';
import { type Shape, startReplicas } from './streams/replicas.ts';
import { type StreamClients, startStreamClients } from './streams/stream-clients.ts';

/**
 * `npm run bench:streams`: three processes with all roles each, one stream per user. With `SHAPE=streams` three of the role
 * `streams`, opened without a gateway between, next to a gateway and a process with all services.
 * 1. Opening: many at once at one process: how long it takes, how they are answered, how long another user's list takes.
 * 2. Idle: half of all streams at each of two processes: memory and processor time beyond the idle product's own.
 * 3. Loss: one of the two is killed while notifications are written: how long until all its streams are open at the
 *    others, and how often each notification came.
 * Clients do as browsers do: they come back after the `retry:` they were given, continue after the last event that they got,
 * and stay away after an error.
 */
const SHAPE: Shape = process.env.SHAPE === 'streams' ? 'streams' : 'all';
const STREAMS = Number(process.env.STREAMS ?? 20_000);
const AT_ONCE = Number(process.env.AT_ONCE ?? 5_000);
const IDLE_MS = Number(process.env.IDLE_MS ?? 20_000);
const SETTLE_MS = Number(process.env.SETTLE_MS ?? 15_000);
const GIVE_UP_MS = 90_000;
const QUIET_MS = 4_000;
/** Below what a gateway opens in a second, so that no stream is turned away while the rest is opened. */
const PACED_PER_SECOND = 300;
const NOTIFIED_AT_ONCE = 20;
const NOTIFY_EVERY_MS = 200;
const GOALS = { openS: 15, p99Ratio: 3, kB: 27, cpuUs: 5, backS: 60 };

const half = STREAMS / 2;
const { replicas, others, apiUrl, people, cookieFile, client, pubSub, stop } = await startReplicas(
  SHAPE,
  3,
  STREAMS + 1,
);
const clients = [startStreamClients(cookieFile), startStreamClients(cookieFile)] as const;
try {
  console.log(`shape: ${SHAPE === 'all' ? 'three processes with all roles' : 'three of the role streams'}`);
  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  console.log('| | measured | goal |\n|---|---|---|');
  const idle = await usage();
  await opening();
  await holding(idle);
  await loss();
} finally {
  await Promise.all(clients.map((one) => one.stop()));
  await stop();
}

async function opening(): Promise<void> {
  const [first] = clients;
  const list = watchList(apiUrl, people.at(-1)?.cookie ?? '');
  await systemClock.sleep(QUIET_MS);
  const quiet = list.times();
  first.open({ count: AT_ONCE, from: 0, perSecond: Number.MAX_SAFE_INTEGER, urls: placesOf(0) });
  const seconds = await untilConnected(first, AT_ONCE);
  const whileReconnecting = list.times();
  list.stop();
  const { connected, lost, rejected } = await first.counts();
  row(
    `${AT_ONCE} opened at once after s (open, turned away and back)`,
    `${seconds.toFixed(1)} (${connected}, ${rejected})`,
    `<= ${GOALS.openS}`,
  );
  row('of them lost to another status than 200', `${lost}`, '0');
  row(
    'list of another user, p99 (most) in ms: quiet, while reconnecting',
    `${show(quiet)}, ${show(whileReconnecting)}`,
    `<= ${GOALS.p99Ratio} times`,
  );
}

async function holding(idle: Usage[]): Promise<void> {
  const [first, second] = clients;
  first.open({ count: half - AT_ONCE, from: AT_ONCE, perSecond: PACED_PER_SECOND, urls: placesOf(0) });
  second.open({ count: half, from: half, perSecond: PACED_PER_SECOND, urls: placesOf(1) });
  await Promise.all([untilConnected(first, half), untilConnected(second, half)]);
  await systemClock.sleep(SETTLE_MS);
  const now = await usage();
  const open = (await first.counts()).connected + (await second.counts()).connected;
  const total = (each: readonly Usage[], what: keyof Usage) => each.reduce((sum, one) => sum + one[what], 0);
  const kB = (total(now, 'kB') - total(idle, 'kB')) / open;
  const cpuUs = (beyondSpare(now, 'cpuUs') - beyondSpare(idle, 'cpuUs')) / open;
  row(`kB of each of ${open} idle streams`, kB.toFixed(1), `<= ${GOALS.kB}`);
  row(
    'processor µs/s of each (all processes: before, now)',
    `${cpuUs.toFixed(1)} (${total(idle, 'cpuUs').toFixed(0)}, ${total(now, 'cpuUs').toFixed(0)})`,
    `<= ${GOALS.cpuUs}`,
  );
}

async function loss(): Promise<void> {
  const [first] = clients;
  const writer = writeNotifications(
    client,
    people.slice(0, half).map(({ id }) => id),
  );
  await systemClock.sleep(1_000);
  await replicas[0]?.kill();
  while ((await first.counts()).connected === half) await systemClock.sleep(10);
  const seconds = await untilConnected(first, half);
  const written = await writer.stop();
  const deadline = performance.now() + GIVE_UP_MS;
  let received = await first.received();
  while (written.some((id) => !received.has(id)) && performance.now() < deadline) {
    await systemClock.sleep(200);
    received = await first.received();
  }
  const { connected, lost } = await first.counts();
  row(
    `${half} streams of a killed process back after s`,
    `${seconds.toFixed(1)} (${connected}, ${lost} lost)`,
    `<= ${GOALS.backS}`,
  );
  const missing = written.filter((id) => !received.has(id)).length;
  const repeated = [...received.values()].filter((times) => times > 1).length;
  row(
    `of ${written.length} notifications written while reconnecting: missing, repeated`,
    `${missing}, ${repeated}`,
    '0, 0',
  );
}

interface Usage {
  kB: number;
  cpuUs: number;
}

/** Resident memory of each process now, replicas first, and the processor time that it uses in a second. */
async function usage(): Promise<Usage[]> {
  const pids = [...replicas, ...others].map(({ pid }) => pid() ?? 0);
  const before = pids.map((pid) => cpuSecondsOf(pid));
  await systemClock.sleep(IDLE_MS);
  return pids.map((pid, n) => ({
    kB: residentKb(pid),
    cpuUs: ((cpuSecondsOf(pid) - (before[n] ?? 0)) * 1e6) / (IDLE_MS / 1e3),
  }));
}

/** What the two processes with streams use beyond twice the spare one, whose idle work costs the same at the same moment. */
function beyondSpare([first, second, spare]: readonly Usage[], what: keyof Usage): number {
  if (!first || !second || !spare) return Number.NaN;
  return first[what] + second[what] - 2 * spare[what];
}

/** Resolves with the seconds until the given number are connected, or when it takes too long. */
async function untilConnected(of: StreamClients, count: number): Promise<number> {
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1_000;
  for (;;) {
    const { connected, lost } = await of.counts();
    if (connected + lost >= count || seconds() * 1_000 > GIVE_UP_MS) return seconds();
    await systemClock.sleep(20);
  }
}

/** Numbers and notifies as the service does: one commit for users at random, then a message. */
function writeNotifications(database: pg.Client, userIds: readonly string[]) {
  const written: string[] = [];
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const chosen = new Set<string>();
      while (chosen.size < NOTIFIED_AT_ONCE)
        chosen.add(userIds[Math.floor(Math.random() * userIds.length)] ?? '');
      const ids = [...chosen].map(() => uuidV7(Date.now()));
      await database.query(
        `WITH numbered AS (
           INSERT INTO notifications.recipients (user_id, last_seq) SELECT unnest($2::uuid[]), 1
           ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq + 1 RETURNING user_id, last_seq
         )
         INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at)
           SELECT id, user_id, last_seq, 'EAC9999103403', 'Case Was Approved', now()
           FROM unnest($1::uuid[], $2::uuid[]) AS given (id, user_id) JOIN numbered USING (user_id)`,
        [ids, [...chosen]],
      );
      pubSub.publish('push-notifications', ['', ...chosen].join('\n'));
      written.push(...ids);
      await systemClock.sleep(NOTIFY_EVERY_MS, stopping.signal).catch(() => undefined);
    }
  })();
  return {
    async stop(): Promise<readonly string[]> {
      stopping.abort();
      await running;
      return written;
    },
  };
}

/** One call after another by another user. `times` are those since it was last asked for. */
function watchList(url: string, cookie: string) {
  let times: number[] = [];
  let stopped = false;
  void (async () => {
    while (!stopped) {
      const startMs = performance.now();
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      const [answer] = (await once(http.get(`${url}/api/notifications`, { headers }), 'response')) as [
        http.IncomingMessage,
      ];
      await once(answer.resume(), 'end');
      times.push(performance.now() - startMs);
      await systemClock.sleep(10);
    }
  })();
  return {
    times() {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      return sorted;
    },
    stop() {
      stopped = true;
    },
  };
}

function show(sorted: readonly number[]): string {
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  return `${p99.toFixed(0)} (${sorted.at(-1)?.toFixed(0)})`;
}

/** A load balancer: clients that one process refuses go to the spare one. */
function placesOf(place: number): string[] {
  return [urlOf(place), urlOf(2)];
}

function urlOf(place: number): string {
  return replicas[place]?.url ?? '';
}

function row(what: string, measured: string, goal: string): void {
  console.log(`| ${what} | ${measured} | ${goal} |`);
}

function residentKb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
