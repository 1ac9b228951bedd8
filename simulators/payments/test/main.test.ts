import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { startPaymentsSimulator } from '../src/payments-simulator.ts';
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

it('in a network of its own it is controlled from other machines too, and its pages have the address of browsers', async () => {
  await using simulator = await startPaymentsSimulatorForOthers();
  const control = (host: string) => statusOf(`${simulator.url}/__control`, host);
  expect(await control('payments-simulator:8080')).toBe(200);
  const customer = await sdk(simulator.url).customers.create({ email: 'someone@example.test' });
  const portal = await sdk(simulator.url).billingPortal.sessions.create({ customer: customer.id });
  expect(portal.url).toMatch(/^https:\/\/pay\.example\.test\/pages\/portal\//);
  expect(simulator.scriptUrl).toBe('https://pay.example.test/v3/');
});

it('names every wrong setting and ends', async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PAYMENTS_SIMULATOR_PORT: 'high', STRIPE_SECRET_KEY: KEYS.secretKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output).toContain('PAYMENTS_SIMULATOR_PORT');
  expect(output).toContain('STRIPE_PUBLISHABLE_KEY');
});

async function startPaymentsSimulatorForOthers() {
  const simulator = await startPaymentsSimulator({
    ...KEYS,
    control: 'anywhere',
    publicUrl: 'https://pay.example.test/',
  });
  return { ...simulator, [Symbol.asyncDispose]: simulator.stop };
}

/** With another Host, as from another machine of the network. */
async function statusOf(url: string, host: string): Promise<number | undefined> {
  const call = request(url, { headers: { host } });
  const answered = once(call, 'response');
  call.end();
  const [answer] = await answered;
  answer.resume();
  return answer.statusCode;
}
