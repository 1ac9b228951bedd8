import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListeningServer, listen } from '../src/http/http-server.ts';
import { createTokenVerifier } from '../src/http/identity-token.ts';
import { route } from '../src/http/route.ts';
import { createServiceApp } from '../src/http/service-app.ts';
import { createServiceClient } from '../src/http/service-client.ts';
import { createServiceRouter } from '../src/http/service-router.ts';
import { systemClock } from '../src/runtime/clock.ts';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** What the processes have one after the other while the secret is replaced; each step is rolled before the next. */
const STEPS = [['the older'], ['the older', 'the newer'], ['the newer', 'the older'], ['the newer']];
const servers: ListeningServer[] = [];

beforeAll(async () => {
  for (const internalSecrets of STEPS) {
    const router = createServiceRouter({
      routes: [route(listMailAddresses, async () => ({ body: { addresses: [] } }))],
      verifyToken: createTokenVerifier([publicKey], 'identity', systemClock),
      internalSecrets,
    });
    const logger = pino({ level: 'silent' });
    const app = createServiceApp({ routers: [router], ready: async () => undefined, logger });
    servers.push(await listen(app, { host: '127.0.0.1', port: 0 }));
  }
});
afterAll(() => Promise.all(servers.map((server) => server.drain())));

/** Whether a process of one step gets an answer of an internal route from one of another. */
async function isAnswered(caller: number, callee: number): Promise<boolean> {
  const client = createServiceClient({
    locate: () => ({ kind: 'remote', url: servers[callee]?.url ?? '' }),
    internalSecret: STEPS[caller]?.[0] ?? '',
  });
  try {
    await client.call(listMailAddresses, { body: { userIds: [randomUUID()] } });
    return true;
  } catch {
    return false;
  } finally {
    await client.stop();
  }
}

test.each([0, 1, 2])(
  'while the secret is replaced, processes before and after step %i answer each other',
  async (step) => {
    const pairs = [
      [step, step],
      [step, step + 1],
      [step + 1, step],
      [step + 1, step + 1],
    ] as const;
    const answered = await Promise.all(pairs.map(([caller, callee]) => isAnswered(caller, callee)));
    expect(answered).toEqual([true, true, true, true]);
  },
);

test('processes that share no secret refuse each other', async () => {
  expect(await isAnswered(0, 3)).toBe(false);
  expect(await isAnswered(3, 0)).toBe(false);
  expect(await isAnswered(2, 0)).toBe(false);
});
