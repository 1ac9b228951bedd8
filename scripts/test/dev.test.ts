import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const WITHIN_MS = 120_000;

let folder: string;
let dev: ChildProcess;
let output: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-dev-'));
  output = '';
  dev = spawn(process.execPath, [`${root}scripts/dev/dev.ts`], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: path.join(folder, 'data'),
      PORT: '0',
      WEB_PORT: '0',
    },
    // The channel ends it with this process, however that ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [dev.stdout, dev.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
});
afterEach(async () => {
  if (dev.exitCode === null && dev.signalCode === null) {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await check())) {
    if (dev.exitCode !== null || performance.now() > deadline) throw new Error(`not ${what}:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const postgresId = () =>
  Number(readFileSync(path.join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
const starts = () => output.split('Casewatch is ready at').length - 1;

test('npm run dev serves the web app before a back end that starts again when a file changes, and stops both', async () => {
  await until('open', () => /Open http:\S+/.test(output) && starts() === 1);
  const url = /Open (http:[^;\s]+)/.exec(output)?.[1] ?? '';
  expect(await (await fetch(url)).text()).toContain('/@vite/client');
  const signIn = () =>
    fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: 'pro@demo.test', password: 'demo-demo-demo' }),
    });
  expect((await signIn()).status).toBe(200);

  const now = new Date();
  utimesSync(`${root}host/src/registry.ts`, now, now);
  await until('started again', () => starts() === 2);
  expect((await signIn()).status).toBe(200);

  const postgres = postgresId();
  dev.kill('SIGINT');
  expect((await once(dev, 'exit'))[0]).toBe(0);
  expect(existsSync(path.join(folder, 'data', 'lock'))).toBe(false);
  expect(() => process.kill(postgres, 0)).toThrow();
}, 400_000);

test('kill -9 of npm run dev stops the back end in order, and leaves no PostgreSQL behind', async () => {
  await until('open', () => /Open http:\S+/.test(output) && starts() === 1);
  const postgres = postgresId();
  dev.kill('SIGKILL');
  await once(dev, 'exit');
  await vi.waitFor(() => expect(existsSync(path.join(folder, 'data', 'lock'))).toBe(false), WITHIN_MS);
  expect(() => process.kill(postgres, 0)).toThrow();
}, 400_000);
