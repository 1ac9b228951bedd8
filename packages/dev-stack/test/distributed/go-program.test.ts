import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const goProgramModule = fileURLToPath(new URL('../../src/tools/go-program.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-go-program-'));
  const source = path.join(folder, 'small');
  mkdirSync(source);
  writeFileSync(path.join(source, 'go.mod'), 'module example.test/small\n\ngo 1.24\n');
  writeFileSync(path.join(source, 'go.sum'), '');
  writeFileSync(path.join(source, 'main.go'), 'package main\n\nfunc main() { println("it runs") }\n');
  // In front of the real one, to count what it builds.
  const go = execFileSync('sh', ['-c', 'command -v go'], { encoding: 'utf8' }).trim();
  mkdirSync(path.join(folder, 'bin'));
  const counting = path.join(folder, 'bin', 'go');
  writeFileSync(
    counting,
    `#!/bin/sh\n[ "$1" = build ] && echo "$1" >> '${folder}/builds'\nexec '${go}' "$@"\n`,
  );
  chmodSync(counting, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Asks four times at the same time in a process of its own; resolves with the program's path. */
async function askFourTimes(): Promise<string> {
  const program = `
    const { goProgram } = await import(${JSON.stringify(goProgramModule)});
    const small = { moduleFolder: ${JSON.stringify(path.join(folder, 'small'))}, name: 'small', package: '.' };
    const paths = await Promise.all([goProgram(small), goProgram(small), goProgram(small), goProgram(small)]);
    process.stdout.write([...new Set(paths)].join());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    },
  });
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect(code, complaint).toBe(0);
  return output;
}

const builds = () => readFileSync(path.join(folder, 'builds'), 'utf8').trim().split('\n').length;
const outputOf = (program: string) => execFileSync('sh', ['-c', '"$0" 2>&1', program], { encoding: 'utf8' });

test('eight requests in two processes build a program once, and a damaged one is built again', async () => {
  const [binary = '', same] = await Promise.all([askFourTimes(), askFourTimes()]);
  expect(same).toBe(binary);
  expect(builds()).toBe(1);
  expect(outputOf(binary)).toBe('it runs\n');

  appendFileSync(binary, 'damaged');
  await askFourTimes();
  expect(builds()).toBe(2);
  await askFourTimes();
  expect(builds()).toBe(2);
}, 300_000);
