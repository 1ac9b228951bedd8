import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { KEYS, sdk } from './start-payments.ts';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;

it('runs alone with settings from the environment, says where it is, and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PAYMENTS_SIMULATOR_PORT: '0',
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url } = JSON.parse(line);
    expect((await sdk(url).prices.list()).data).toHaveLength(2);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exit).toEqual([0, null]);
});

it('names every wrong setting and ends', async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PAYMENTS_SIMULATOR_PORT: 'high', STRIPE_SECRET_KEY: KEYS.secretKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toContain('PAYMENTS_SIMULATOR_PORT');
  expect(said).toContain('STRIPE_PUBLISHABLE_KEY');
});
