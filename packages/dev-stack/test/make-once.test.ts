import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isIntact, makeOnce, publishChecked } from '../src/tools/make-once.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-make-once-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const made = () => readFileSync(path.join(folder, 'makings'), 'utf8').trim().split('\n');
const makeOnceModule = fileURLToPath(new URL('../src/tools/make-once.ts', import.meta.url));

/** Another process that asks four times at the same time. */
async function askFromAnotherProcess(): Promise<void> {
  const program = `
    const { makeOnce } = await import(${JSON.stringify(makeOnceModule)});
    const { appendFileSync, mkdirSync } = await import('node:fs');
    const ask = () => makeOnce(${JSON.stringify(path.join(folder, 'place'))}, async (made) => {
      appendFileSync(${JSON.stringify(path.join(folder, 'makings'))}, process.pid + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 300));
      mkdirSync(made);
    });
    await Promise.all([ask(), ask(), ask(), ask()]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code, output).toBe(0);
}

test('eight requests in two processes make a thing once, and leave nothing but it', async () => {
  await Promise.all([askFromAnotherProcess(), askFromAnotherProcess()]);
  expect(made()).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual(['makings', 'place']);
});

test('the lock of a process that has exited is taken over', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeFileSync(path.join(folder, 'place.lock'), String(child.pid));
  await makeOnce(path.join(folder, 'place'), async (place) => writeFileSync(place, 'made'));
  expect(readFileSync(path.join(folder, 'place'), 'utf8')).toBe('made');
});

test('a request that waits for another process names the process and the tool', async () => {
  const lock = path.join(folder, 'place.lock');
  writeFileSync(lock, String(process.pid));
  const say = vi.spyOn(console, 'error').mockImplementationOnce(() => rmSync(lock));
  await makeOnce(path.join(folder, 'place'), async (place) => writeFileSync(place, 'made'));
  const name = `${path.basename(folder)}/place`;
  expect(say.mock.calls[0]).toEqual([`tools: process ${process.pid} makes ${name}, waiting for it`]);
  say.mockRestore();
});

test('a making that fails leaves nothing, says why, and the next request makes it', async () => {
  const place = path.join(folder, 'place');
  const failing = makeOnce(place, async (half) => {
    mkdirSync(half);
    throw new Error('the network is down');
  });
  await expect(failing).rejects.toThrow('the network is down');
  expect(readdirSync(folder)).toEqual([]);
  await makeOnce(place, async (whole) => mkdirSync(whole));
  expect(readdirSync(folder)).toEqual(['place']);
});

test('a file that is not what was published is not intact', async () => {
  const place = path.join(folder, 'program');
  writeFileSync(`${place}.made`, 'built');
  await publishChecked(`${place}.made`, place);
  appendFileSync(place, ' and damaged');
  expect(await isIntact(place)).toBe(false);
  writeFileSync(place, 'built');
  expect(await isIntact(place)).toBe(true);
});
