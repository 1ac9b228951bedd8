import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopOrphans } from '../src/postgres/postgres-orphans.ts';

let folder: string;
let other: string;
const started: ChildProcess[] = [];
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'casewatch-orphans-')));
  other = realpathSync(mkdtempSync(path.join(tmpdir(), 'casewatch-orphans-')));
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  for (const one of [folder, other]) rmSync(one, { recursive: true });
});

/** A process that waits, and says when it does. */
async function start(argv0: string, cwd: string) {
  const child = spawn(process.execPath, ['-e', "console.log('waits'); setInterval(() => {}, 1_000)"], {
    argv0,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
}

// Only Linux says in which folder a process works: on other systems they end by themselves.
test.runIf(process.platform === 'linux')(
  'children of a server that was killed end, and no other process does',
  async () => {
    const [child, otherFolder, editor] = await Promise.all([
      start('postgres: checkpointer', folder),
      start('postgres: checkpointer', other),
      start('editor', folder),
    ]);
    await stopOrphans(folder);
    await expect.poll(() => child.signalCode).toBe('SIGQUIT');
    expect([otherFolder.signalCode, editor.signalCode]).toEqual([null, null]);
  },
);
