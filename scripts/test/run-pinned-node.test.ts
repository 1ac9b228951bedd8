import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from './run-command.ts';

const runner = pathToFileURL(fileURLToPath(new URL('../run-pinned-node.mjs', import.meta.url))).href;
/** Longer than it takes to find out that the parent has ended, twice. */
const STOP_MS = 1_500;
/** Says how often it was asked to stop by the time that it has stopped, as the product does in order. */
const PROGRAM = `
  let asked = 0;
  process.on('SIGTERM', () => {
    asked += 1;
    console.log('asked');
    if (asked === 1) setTimeout(() => { console.log('stopped, asked ' + asked + ' times'); process.exit(0); }, ${STOP_MS});
  });
  process.on('SIGINT', () => process.emit('SIGTERM'));
  setInterval(() => {}, 1_000);
  console.log('runs ' + process.pid + ' of ' + process.ppid);
`;

let folder: string;
let shell: ChildProcess;
let output: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-run-'));
  output = '';
  const [program, main] = ['program.mjs', 'main.mjs'].map((name) => path.join(folder, name));
  writeFileSync(program ?? '', PROGRAM);
  writeFileSync(
    main ?? '',
    `import { runPinned } from ${JSON.stringify(runner)}; runPinned(${JSON.stringify(program)});`,
  );
  // As npm starts a script: with a shell between, which stays because something follows.
  const words = ['-c', `"${process.execPath}" "${main}"; true`];
  const npm = `const shell = require('node:child_process').spawn('sh', ${JSON.stringify(words)}, { stdio: 'inherit' });
    shell.on('exit', () => process.exit()); console.log('shell ' + shell.pid);`;
  shell = spawn(process.execPath, ['-e', npm], {
    env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  shell.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until(() => /runs \d+/.exec(output)?.[0]);
});
afterEach(async () => {
  try {
    process.kill(-(shell.pid ?? 0), 'SIGKILL');
  } catch {
    // The group has ended.
  }
  rmSync(folder, { recursive: true, force: true });
});

test('the program is asked to stop once, and left to stop in order, when its parent ends', async () => {
  process.kill(Number(/shell (\d+)/.exec(output)?.[1]), 'SIGKILL');
  expect(await until(() => /stopped.*/.exec(output)?.[0])).toBe('stopped, asked 1 times');
});

// Only Linux shows the parent of a parent.
test.runIf(process.platform === 'linux')(
  'the program is asked to stop once, and left to stop in order, when npm is killed and leaves its shell behind',
  async () => {
    const exited = once(shell, 'exit');
    shell.kill('SIGKILL');
    await exited;
    expect(await until(() => /stopped.*/.exec(output)?.[0])).toBe('stopped, asked 1 times');
  },
);

test('Ctrl-C, which reaches the whole group, asks the program once', async () => {
  process.kill(-(shell.pid ?? 0), 'SIGINT');
  expect(await until(() => /stopped.*/.exec(output)?.[0])).toBe('stopped, asked 1 times');
});

test('a signal that is sent to the runner is passed on each time', async () => {
  const [, , parent] = /runs (\d+) of (\d+)/.exec(output) ?? [];
  process.kill(Number(parent), 'SIGTERM');
  await until(() => /asked/.exec(output)?.[0]);
  process.kill(Number(parent), 'SIGTERM');
  expect(await until(() => /stopped.*/.exec(output)?.[0])).toBe('stopped, asked 2 times');
});
