import type { RoleProcess } from '@casewatch/dev-stack/processes/product-processes';
import { expect, test } from 'vitest';
import { keepAlive } from './keep-alive.ts';

function process(restart: () => Promise<void>): RoleProcess {
  return {
    name: 'cases',
    role: 'cases',
    url: '',
    pid: () => undefined,
    logs: () => 'out of memory\n',
    kill: async () => undefined,
    stop: async () => undefined,
    restart,
  };
}

test('a process that keeps ending is started again after pauses that double up to half a minute', async () => {
  const slept: number[] = [];
  const output: string[] = [];
  let starts = 0;
  const startAgain = keepAlive({
    say: (line) => output.push(line),
    stopping: () => false,
    sleep: async (ms) => void slept.push(ms),
  });
  const failing = process(async () => {
    if (++starts < 9) throw new Error('not ready');
  });
  await startAgain(failing, 'SIGKILL');
  expect(slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(output[0]).toBe('  cases has ended (SIGKILL); starting it again in 0.5 s.');
  expect(output[1]).toContain('out of memory');
  expect(output.at(-1)).toBe('  cases runs again.');
});

test('nothing is started again while everything stops', async () => {
  let stopping = false;
  const startAgain = keepAlive({
    say: () => undefined,
    stopping: () => stopping,
    sleep: async () => {
      stopping = true;
    },
  });
  const never = process(async () => {
    throw new Error('must not be started');
  });
  await expect(startAgain(never, 'exit code 1')).resolves.toBeUndefined();
});
