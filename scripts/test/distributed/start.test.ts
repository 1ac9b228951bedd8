import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { registry } from '@casewatch/host/registry';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

const program = fileURLToPath(new URL('../../distributed/start.ts', import.meta.url));
const HEADERS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const START_WITHIN_MS = 90_000;
const GONE_WITHIN_MS = 20_000;
const account = { email: 'kept@example.test', password: 'kept for later' };

let folder: string;
const runs: Run[] = [];
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-distributed-'));
});
afterEach(async () => {
  for (const { child, exited } of runs.splice(0)) {
    child.kill('SIGTERM');
    await exited;
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  child: ChildProcess;
  exited: Promise<number | null>;
  output(): string;
}

function start(env: Record<string, string> = {}): Run {
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: folder,
    // The channel ends it with this process, however that ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder, PORT: '0', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const run = { child, exited, output: () => output };
  runs.push(run);
  return run;
}

async function says(run: Run, words: RegExp): Promise<RegExpExecArray> {
  const deadline = performance.now() + START_WITHIN_MS;
  for (;;) {
    const found = words.exec(run.output());
    if (found) return found;
    if (run.child.exitCode !== null || performance.now() > deadline) throw new Error(run.output());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const urlOf = async (run: Run) => (await says(run, /ready at (http:\S+)/))[1] ?? '';
const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });

/** Everything that runs below a process: id and command line. */
function descendants(pid: number): Map<number, string> {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, id, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return id ? [{ id: Number(id), parent: Number(parent), command }] : [];
    });
  const found = new Map<number, string>();
  for (const parents = [pid]; parents.length > 0; ) {
    const parent = parents.pop();
    for (const { id, command } of all.filter((each) => each.parent === parent)) {
      if (command.startsWith('ps ')) continue;
      found.set(id, command);
      parents.push(id);
    }
  }
  return found;
}

/** Of everything that runs: PostgreSQL and Kafka are given the folder of their data. */
function commandsWith(words: string): string[] {
  const all = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((command) => command.includes(words));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function allExited(processes: ReadonlyMap<number, string>): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = [...processes].filter(([pid]) => isAlive(pid));
    if (left.length === 0) return;
    if (performance.now() > deadline) throw new Error(`left behind: ${JSON.stringify(left)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('every service runs as a process of its own; kill -9 leaves nothing behind, and what was kept is there again', async () => {
  const first = start();
  const url = await urlOf(first);
  expect((await post(`${url}/api/auth/signup`, { ...account, firstName: 'K', lastName: 'Ept' })).status).toBe(
    201,
  );
  const ours = descendants(first.child.pid ?? 0);
  const services = [...ours.values()].filter((command) => /^\S*node \S*host\/src\/main\.ts$/.test(command));
  expect(services).toHaveLength(registry.length + 1);
  expect([...ours.values()].some((command) => command.includes('kafka.Kafka'))).toBe(true);
  first.child.kill('SIGKILL');
  await first.exited;
  await allExited(ours);

  const second = start();
  const again = await urlOf(second);
  expect((await post(`${again}/api/auth/login`, account)).status).toBe(200);
  const logs = readdirSync(path.join(folder, '.casewatch', 'distributed', 'logs')).sort();
  expect(logs).toEqual(['gateway.log', ...registry.map(({ name }) => `${name}.log`)].sort());

  const theirs = descendants(second.child.pid ?? 0);
  const [victim] = [...theirs].find(([, command]) => /^\S*node \S*host\/src\/main\.ts$/.test(command)) ?? [];
  process.kill(victim ?? 0, 'SIGKILL');
  const [, name] = await says(second, /([\w-]+) has ended \(SIGKILL\); starting it again in 0\.5 s/);
  await says(second, new RegExp(`${name} runs again`));
  expect((await post(`${again}/api/auth/login`, account)).status).toBe(200);

  const last = descendants(second.child.pid ?? 0);
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);
  await allExited(last);
}, 240_000);

test('asked to stop in the middle of its start, it ends in order and leaves nothing behind', async () => {
  const data = { DATA_DIR: path.join(folder, 'interrupted') };
  // The second time the database is there, and is starting itself.
  for (const step of ['starting 7 services', 'starting Redis']) {
    const asked = start(data);
    await says(asked, new RegExp(step));
    asked.child.kill('SIGTERM');
    expect(await asked.exited, asked.output()).toBe(0);
    expect(asked.output()).not.toContain('could not start');
    await vi.waitFor(() => expect(commandsWith(data.DATA_DIR)).toEqual([]), { timeout: GONE_WITHIN_MS });
  }
}, 120_000);

test('a terminal that closes ends it in order, however often it asks, and nothing is left behind', async () => {
  const run = start({ DATA_DIR: path.join(folder, 'closed') });
  await says(run, /starting 7 services/);
  const ours = descendants(run.child.pid ?? 0);
  // What is written fails from now on.
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  for (const signal of ['SIGHUP', 'SIGTERM', 'SIGTERM'] as const) run.child.kill(signal);
  expect(await run.exited).toBe(0);
  await allExited(ours);
  await vi.waitFor(() => expect(commandsWith(path.join(folder, 'closed'))).toEqual([]), {
    timeout: GONE_WITHIN_MS,
  });
  expect(existsSync(path.join(folder, 'closed', 'distributed', 'lock'))).toBe(false);
}, 120_000);

test('a taken port and wrong settings are reported with what to do, and nothing is started', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const taken = start({ PORT: String(port), DATA_DIR: path.join(folder, 'none') });
  expect(await taken.exited).toBe(1);
  other.close();
  // A process has ended before the last of its output has arrived.
  await expect.poll(() => taken.output()).toContain(`Port ${port} is taken`);
  const wrong = start({ LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x', DATA_DIR: path.join(folder, 'none') });
  expect(await wrong.exited).toBe(1);
  for (const words of ['LOG_LEVEL: ', 'DATABASE_URL: '])
    await expect.poll(() => wrong.output()).toContain(words);
  expect(readdirSync(folder)).not.toContain('none');
});
