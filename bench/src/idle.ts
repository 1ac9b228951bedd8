import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@casewatch/dev-stack/free-port';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { root } from './child.ts';
import { cpuMsOf, memoryOf } from './process-figures.ts';

/**
 * `npm run bench:idle`: `npm run start:distributed` with nothing to do. Prints what each process holds and how much
 * processor time it takes, compared with a Node that only listens, and how long a second start and its stop take.
 * `CHECKOUT=<another state>` measures that one before this one; Linux only.
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

const states = [...(process.env.CHECKOUT ? [process.env.CHECKOUT] : []), root];
const bare = await bareNode();
console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores\n`);
const found = [];
for (const state of states) found.push(await measure(state));
const names = [...new Set(found.flatMap(({ figures }) => [...figures.keys()]))];
const bareSays = `${bare.cpu.toFixed(1)} | ${bare.rss} | ${bare.pss}`;
console.log(
  `| process | ${states.map(() => 'CPU ms/s | RSS MB | PSS MB').join(' | ')} | CPU / before | RSS / bare |`,
);
console.log(`|---|${states.map(() => '---|---|---').join('|')}|---|---|`);
console.log(`| bare Node | ${states.map(() => bareSays).join(' | ')} | | 1.0 |`);
for (const name of names) {
  const [before, now] = [found[0]?.figures.get(name), found.at(-1)?.figures.get(name)];
  const each = found.map(({ figures }) => {
    const of = figures.get(name);
    return of ? `${of.cpu.toFixed(1)} | ${of.rss} | ${of.pss}` : '| |';
  });
  const ratio = before && now ? (now.cpu / before.cpu).toFixed(2) : '';
  console.log(`| ${name} | ${each.join(' | ')} | ${ratio} | ${now ? (now.rss / bare.rss).toFixed(1) : ''} |`);
}
console.log(
  `\nready s: ${found.map(({ readySeconds }) => readySeconds.toFixed(1)).join(', then ')}; stopped s: ${found.map(({ stopSeconds }) => stopSeconds.toFixed(1)).join(', then ')}`,
);

async function bareNode(): Promise<Figures> {
  const child = spawnChild(node, ['-e', BARE_PROGRAM], { env: { PORT: String(await freePort()) } });
  await pause(SETTLE_MS / 10);
  const figures = await figuresOf([child.pid ?? 0], IDLE_MS / 10);
  child.kill();
  return figures;
}

/** Starts twice in a fresh folder, and measures the second. */
async function measure(state: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-idle-'));
  try {
    const first = await start(state, folder);
    await first.stop();
    const second = await start(state, folder);
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

async function start(state: string, folder: string) {
  const child = spawnChild(node, [path.join(state, 'scripts/start-distributed.mjs')], {
    cwd: folder,
    detached: true,
    env: {
      // Where npm's registry is, too: a checkout that has not been started installs first.
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
    void ended.then(() => reject(new Error(`${state} ended:\n${output}`)));
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

function descendantsOf(ancestor: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]));
    } catch {
      // Has already ended.
    }
  }
  const isOurs = (pid: number): boolean =>
    pid === ancestor || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isOurs);
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
  const cpuMs = () => pids.reduce((sum, pid) => sum + cpuOrZero(pid), 0);
  const [from, before] = [performance.now(), cpuMs()];
  await pause(ms);
  const cpu = ((cpuMs() - before) / (performance.now() - from)) * 1_000;
  const memory = pids.map(memoryOrZero);
  return {
    cpu,
    rss: memory.reduce((sum, { rss }) => sum + rss, 0),
    pss: memory.reduce((sum, { pss }) => sum + pss, 0),
  };
}

function cpuOrZero(pid: number): number {
  try {
    return cpuMsOf(pid);
  } catch {
    return 0;
  }
}

function memoryOrZero(pid: number): { rss: number; pss: number } {
  try {
    return memoryOf(pid);
  } catch {
    return { rss: 0, pss: 0 };
  }
}
