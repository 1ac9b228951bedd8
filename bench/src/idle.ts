import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@casewatch/dev-stack/free-port';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { root } from './child.ts';
import { childrenOf, cpuSecondsOf } from './cpu.ts';

/**
 * `npm run bench:idle`: `npm run start:distributed` with nothing to do. Prints what each process holds and how much
 * processor time it takes, compared with a Node that only listens, and how long a second start and its stop take. Linux only.
 */
const SETTLE_MS = Number(process.env.SETTLE_MS ?? 30_000);
const IDLE_MS = Number(process.env.IDLE_MS ?? 60_000);
const READY = /is ready at /;
const BARE_PROGRAM = `require('node:http').createServer((_, res) => res.end('ok')).listen(process.env.PORT, '127.0.0.1')`;
const node = path.join(root, 'node_modules/node/bin/node');

interface Figures {
  /** Milliseconds of processor time a second. */
  cpu: number;
  rss: number;
  pss: number;
}

const bare = await bareNode();
console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores\n`);
const { figures, readySeconds, stopSeconds } = await measure();
console.log('| process | CPU ms/s | RSS MB | PSS MB |\n|---|---|---|---|');
for (const [name, { cpu, rss, pss }] of [['bare Node', bare] as const, ...figures])
  console.log(`| ${name} | ${cpu.toFixed(1)} | ${rss.toFixed(0)} | ${pss.toFixed(0)} |`);
console.log(`\nready after ${readySeconds.toFixed(1)} s; stopped after ${stopSeconds.toFixed(1)} s`);

async function bareNode(): Promise<Figures> {
  const child = spawnChild(node, ['-e', BARE_PROGRAM], { env: { PORT: String(await freePort()) } });
  await pause(SETTLE_MS / 10);
  const figures = await figuresOf([child.pid ?? 0], IDLE_MS / 10);
  child.kill();
  return figures;
}

/** Starts twice in a fresh folder, and measures the second. */
async function measure() {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-idle-'));
  try {
    const first = await start(folder);
    await first.stop();
    const second = await start(folder);
    try {
      await pause(SETTLE_MS);
      const processes = Map.groupBy(descendantsOf(second.pid), nameOf);
      const figures = new Map(
        await Promise.all(
          [...processes].map(async ([name, pids]) => [name, await figuresOf(pids, IDLE_MS)] as const),
        ),
      );
      const sum = [...figures.values()];
      figures.set('all', {
        cpu: sum.reduce((total, { cpu }) => total + cpu, 0),
        rss: sum.reduce((total, { rss }) => total + rss, 0),
        pss: sum.reduce((total, { pss }) => total + pss, 0),
      });
      return { figures, readySeconds: second.readySeconds, stopSeconds: await second.stop() };
    } finally {
      await second.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(folder: string) {
  const child = spawnChild(node, [path.join(root, 'scripts/start-distributed.mjs')], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(await freePort()),
      AGENCY_SIMULATOR_PORT: String(await freePort()),
      PAYMENTS_SIMULATOR_PORT: String(await freePort()),
    },
  });
  const from = performance.now();
  let output = '';
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const readySeconds = await new Promise<number>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      if (READY.test(output)) resolve((performance.now() - from) / 1_000);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void ended.then(() => reject(new Error(`it ended:\n${output}`)));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('no process');
  return {
    pid,
    readySeconds,
    async stop(): Promise<number> {
      const from = performance.now();
      child.kill('SIGTERM');
      await ended;
      return (performance.now() - from) / 1_000;
    },
  };
}

/** Returns the process itself and all that it started, however indirectly. */
function descendantsOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(descendantsOf)];
}

/** The role of a process of the product; for others the name of the program. */
function nameOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  if (words.some((word) => word.endsWith('host/src/main.ts'))) {
    return /(?:^|\0)SERVICES=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1] ?? 'a role';
  }
  if (words.some((word) => word.endsWith('distributed/start.ts') || word.endsWith('start-distributed.mjs')))
    return words[0]?.endsWith('sh') ? 'shells' : 'npm run start:distributed';
  const program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  return (
    { java: 'Kafka', postgres: 'PostgreSQL', 'redis-server': 'Redis', sh: 'shells', cat: 'shells' }[
      program
    ] ?? program
  );
}

async function figuresOf(pids: readonly number[], ms: number): Promise<Figures> {
  const cpuSeconds = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const [from, before] = [performance.now(), cpuSeconds()];
  await pause(ms);
  const cpu = ((cpuSeconds() - before) / (performance.now() - from)) * 1_000_000;
  const megabytes = (file: string, name: string) =>
    pids.reduce((sum, pid) => sum + kilobytesOf(pid, file, name) / 1_024, 0);
  return { cpu, rss: megabytes('status', 'VmRSS'), pss: megabytes('smaps_rollup', 'Pss') };
}

/** Returns 0 for a process that has ended. */
function kilobytesOf(pid: number, file: string, name: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
