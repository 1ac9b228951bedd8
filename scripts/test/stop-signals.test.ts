import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from './run-command.ts';

const runner = pathToFileURL(fileURLToPath(new URL('../run-pinned-node.mjs', import.meta.url))).href;
const product = fileURLToPath(new URL('../../host/src/main.ts', import.meta.url));

/** What a first start leaves: a start that continues with it is quicker. */
let firstStart: string;
let folder: string;
let shell: ChildProcess | undefined;
let output: string;
beforeAll(async () => {
  firstStart = makeMemoryFolder('signals');
  folder = firstStart;
  start();
  await until(() => /ready at/.exec(output)?.[0]);
  process.kill(-group(), 'SIGTERM');
  await stopped();
});
beforeEach(() => {
  folder = makeMemoryFolder('signals');
});
afterEach(async () => {
  const left = postgresIds();
  try {
    process.kill(-group(), 'SIGKILL');
  } catch {
    // The group has ended.
  }
  for (const pid of left) process.kill(pid, 'SIGQUIT');
  await until(() => (postgresIds().length === 0 ? true : undefined));
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => rmSync(firstStart, { recursive: true, force: true }));

const inData = (name: string) => path.join(folder, 'data', name);
function group(): number {
  if (!shell?.pid) throw new Error('nothing was started');
  return shell.pid;
}

/** As npm starts a script: with a shell between, which stays because something follows; all in a process group of their own. */
function start(env: Record<string, string> = {}): void {
  const main = path.join(folder, 'main.mjs');
  const call = `runPinned(${JSON.stringify(product)}, { words: [] })`;
  writeFileSync(main, `import { runPinned } from ${JSON.stringify(runner)}; ${call};`);
  output = '';
  shell = spawn('sh', ['-c', `"${process.execPath}" "${main}"; true`], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: inData(''),
      PORT: '0',
      npm_lifecycle_event: 'start',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
}

async function startAgain(env?: Record<string, string>): Promise<void> {
  execFileSync('cp', ['-a', path.join(firstStart, 'data'), folder]);
  start(env);
  await until(() => /ready at/.exec(output)?.[0]);
}

const readiness = async () => (await fetch(`${/ready at (http:\S+)/.exec(output)?.[1]}/readyz`)).status;

/** Every PostgreSQL process on the data of this test. */
function postgresIds(): number[] {
  return processes()
    .filter(({ command }) => command.includes('postgres') && command.includes(`-D ${inData('postgres')}`))
    .map(({ pid }) => pid);
}

function processes() {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, inGroup, command = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid ? [{ pid: Number(pid), parent: Number(parent), inGroup: Number(inGroup), command }] : [];
    });
}

/** Of this test’s group: the process of the product, and the one that runs it. */
function ours(): { host: number; runner: number } {
  const host = processes().find(({ command, inGroup }) => command.includes(product) && inGroup === group());
  if (!host) throw new Error('the product does not run');
  return { host: host.pid, runner: host.parent };
}

/** Resolves when nothing of the product runs. @throws after a minute */
async function stopped(): Promise<void> {
  await until(() => (postgresIds().length > 0 ? undefined : true));
}

const lockHolder = () => JSON.parse(readFileSync(inData('lock'), 'utf8')).pid as number;
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s to the whole process group, which the product gets twice, stops everything in order and leaves no PostgreSQL behind',
  async (signal) => {
    await startAgain({ LEAVE_SECONDS: '1' });
    const { host, runner } = ours();
    // Held back, so that what it passes on is a second signal and not one with the first.
    process.kill(runner, 'SIGSTOP');
    process.kill(-group(), signal);
    await until(async () => ((await readiness()) === 503 ? true : undefined));
    process.kill(runner, 'SIGCONT');
    if (signal === 'SIGINT') process.kill(host, 'SIGTERM');
    await stopped();
    // Given back last, by a stop in order alone.
    await until(() => (existsSync(inData('lock')) ? undefined : true));
  },
);

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s to the runner alone stops everything in order',
  async (signal) => {
    await startAgain();
    process.kill(ours().runner, signal);
    await stopped();
    await until(() => (existsSync(inData('lock')) ? undefined : true));
  },
);

test.each(['host', 'runner'] as const)('kill -9 of the %s leaves no PostgreSQL behind', async (which) => {
  await startAgain();
  const { [which]: pid } = ours();
  const host = lockHolder();
  process.kill(pid, 'SIGKILL');
  await stopped();
  await until(() => (isAlive(host) ? undefined : true));
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  '%s to the whole process group while PostgreSQL is not ready yet leaves nothing running',
  async (signal) => {
    execFileSync('cp', ['-a', path.join(firstStart, 'data'), folder]);
    start();
    await until(() => (postgresIds().length > 0 ? true : undefined));
    expect(output).not.toContain('starting the services');
    process.kill(-group(), signal);
    await stopped();
    expect(output).not.toContain('could not start');
  },
);

test('a stop of the whole process group while the database is being created is no failed start', async () => {
  start();
  await until(() => (existsSync(inData('postgres.new')) ? true : undefined));
  process.kill(-group(), 'SIGTERM');
  await until(() => (existsSync(inData('lock')) ? undefined : true));
  await stopped();
  expect(output).not.toContain('could not');
  for (const left of ['postgres.new', 'postgres.password'])
    expect(existsSync(inData(left)), left).toBe(false);
});
