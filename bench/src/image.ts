import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startOwnTestPostgres } from '@casewatch/dev-stack/postgres/own-postgres';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { registry } from '@casewatch/host/registry';
import { environmentsOf } from './image/environments.ts';
import { cpuMsOf, memoryOf } from './image/process-figures.ts';

/**
 * `npm run bench:image`: the image's files and its entry as plain processes, one role after the other, against real
 * Kafka, Redis and a migrated PostgreSQL: from the process' start to the first 200 of /readyz, and what it holds after
 * ten idle seconds. Beside them, in the same run, a Node that does nothing but listen. `npm run bench:containers`
 * measures the image itself.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const IDLE_MS = 10_000;
const POLL_MS = 5;
const READY_WITHIN_MS = 120_000;
const GOAL = { readySeconds: 1.5, residentMegabytes: 110 };
const MB = 1024 * 1024;
const BARE = 'bare Node';
const BARE_PROGRAM = `require('node:http').createServer((_, res) => res.end('ok')).listen(process.env.PORT, '127.0.0.1')`;

interface Figures {
  readySeconds: number;
  cpuMs: number;
  rss: number;
  pss: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
/** What the image sets for V8 and the allocator. */
const memorySettings = Object.fromEntries(
  [...dockerfile.matchAll(/\b(NODE_OPTIONS|MALLOC_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-image-'));
const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
try {
  await run();
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function run(): Promise<void> {
  execFileSync(process.execPath, [path.join(root, 'scripts/production-files.mjs'), folder]);
  console.log(`files of the image, over its base: ${(bytesBelow(folder) / MB).toFixed(0)} MB`);
  const postgres = await startOwnTestPostgres();
  stops.push(postgres.stop);
  const [kafka, redis] = await Promise.all([startTestKafka(), startTestRedis()]);
  stops.push(kafka.stop, redis.stop);
  // Once whole, so that schemas, topics and all else that only a first start makes are there.
  const environments = environmentsOf({ ownerUrl: postgres.ownerUrl(), kafka, redis });
  const first = await startProductProcesses({
    services: registry,
    ownerUrl: postgres.ownerUrl(),
    brokers: kafka.brokers,
    redisUrl: redis.url,
    agency: false,
    env: environments.shared,
  });
  await first.stop();

  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  const found = new Map<string, Figures[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [role, env] of [[BARE, {}] as const, ...environments.roles]) {
      const words = role === BARE ? ['-e', BARE_PROGRAM] : entry();
      const figures = await measure(words, env);
      found.set(role, [...(found.get(role) ?? []), figures]);
    }
  }
  print(found);
  console.log(`load at the end: ${loadavg()[0]?.toFixed(1)}`);
}

/** The image's own entry, with these files in place of `/app`. */
function entry(): string[] {
  const line = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1];
  const [, ...words]: string[] = JSON.parse(line ?? '[]');
  return words.map((word) => word.replace(/^\/app/, folder));
}

async function measure(words: readonly string[], env: Record<string, string>): Promise<Figures> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawnChild(process.execPath, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...memorySettings, ...env },
  });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  }
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() - startedMs > READY_WITHIN_MS) throw new Error(output);
    await pause(POLL_MS);
  }
  const readySeconds = (performance.now() - startedMs) / 1_000;
  const pid = child.pid ?? 0;
  const cpuMs = cpuMsOf(pid);
  await pause(IDLE_MS);
  const { rss, pss } = memoryOf(pid);
  child.kill('SIGTERM');
  await exited;
  return { readySeconds, cpuMs, rss, pss };
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

function print(found: ReadonlyMap<string, readonly Figures[]>): void {
  console.log('\n| role | ready s | processor ms until then | RSS MB | PSS MB | ready / bare | RSS / bare |');
  console.log('|---|---|---|---|---|---|---|');
  const medians = [...found].map(([role, rounds]) => [role, mediansOf(rounds)] as const);
  const bare = medians.find(([role]) => role === BARE)?.[1];
  for (const [role, { readySeconds, cpuMs, rss, pss }] of medians) {
    const ready = (readySeconds / (bare?.readySeconds ?? Number.NaN)).toFixed(1);
    const memory = (rss / (bare?.rss ?? Number.NaN)).toFixed(1);
    console.log(
      `| ${role} | ${readySeconds.toFixed(2)} | ${cpuMs} | ${rss} | ${pss} | ${ready} | ${memory} |`,
    );
  }
  console.log(`\ngoals: ready within ${GOAL.readySeconds} s, RSS at most ${GOAL.residentMegabytes} MB`);
}

function mediansOf(rounds: readonly Figures[]): Figures {
  const middle = (of: (figures: Figures) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  return {
    readySeconds: middle(({ readySeconds }) => readySeconds),
    cpuMs: middle(({ cpuMs }) => cpuMs),
    rss: middle(({ rss }) => rss),
    pss: middle(({ pss }) => pss),
  };
}

function bytesBelow(start: string): number {
  return readdirSync(start, { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + lstatSync(path.join(file.parentPath, file.name)).size, 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
