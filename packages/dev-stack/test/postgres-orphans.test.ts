import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopOrphans } from '../src/postgres/postgres-orphans.ts';

let folder: string;
let other: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'casewatch-orphans-')));
  other = realpathSync(mkdtempSync(path.join(tmpdir(), 'casewatch-orphans-')));
});
afterAll(() => {
  for (const one of [folder, other]) rmSync(one, { recursive: true });
});

/** A process that waits, and says when it does. */
async function start(argv0: string, cwd: string) {
  const child = spawn(process.execPath, ['-e', "console.log('waits'); setInterval(() => {}, 1_000)"], {
    argv0,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

// Only Linux says in which folder a process works: elsewhere they end by themselves.
test.runIf(process.platform === 'linux')(
  'children of a server that was killed end, and no other process does',
  async () => {
    const [child, elsewhere, editor] = await Promise.all([
      start('postgres: checkpointer', folder),
      start('postgres: checkpointer', other),
      start('editor', folder),
    ]);
    const ended = once(child, 'exit');
    await stopOrphans(folder);
    expect((await ended)[1]).toBe('SIGQUIT');
    for (const one of [elsewhere, editor]) {
      expect([one.exitCode, one.signalCode]).toEqual([null, null]);
      const gone = once(one, 'exit');
      one.kill('SIGKILL');
      await gone;
    }
  },
);
