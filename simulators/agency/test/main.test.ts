import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { requestToken } from './start-agency.ts';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;
const ENV = { PATH: process.env.PATH, AGENCY_CLIENT_ID: 'test-client', AGENCY_CLIENT_SECRET: 'test-secret' };

it('runs alone with settings from the environment, says where it is, and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...ENV,
      AGENCY_SIMULATOR_PORT: '0',
      AGENCY_SIMULATOR_CONTROL: 'true',
      AGENCY_SIMULATOR_CALLS_PER_SECOND: '7',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url } = JSON.parse(line);
    expect((await requestToken(url)).status).toBe(200);
    expect(await (await fetch(`${url}/__control`)).json()).toMatchObject({ limits: { callsPerSecond: 7 } });
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exit).toEqual([0, null]);
});

it('names every wrong setting and ends', async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: ENV.PATH, AGENCY_SIMULATOR_PORT: 'high', AGENCY_CLIENT_ID: 'test-client' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output).toContain('AGENCY_SIMULATOR_PORT');
  expect(output).toContain('AGENCY_CLIENT_SECRET');
});
