import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import type { OwnTestRedis } from '@casewatch/dev-stack/redis/redis-server';
import { startTcpProxy, type TcpProxy } from '@casewatch/testing/tcp-proxy';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRedisState } from '../../src/redis-state.ts';
import type { SharedState } from '../../src/shared-state.ts';

const lines: string[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
/** A second without an answer is the limit; a machine that is busy may add some. */
const ANSWERED_WITHIN_MS = 2_500;

let server: OwnTestRedis;
let proxy: TcpProxy;
let state: SharedState;

beforeEach(async () => {
  lines.length = 0;
  server = await startOwnTestRedis();
  const { hostname, port } = new URL(server.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  state = await openRedisState({ url: `redis://127.0.0.1:${proxy.port}`, logger });
});
afterEach(async () => {
  await state.stop();
  await proxy.stop();
  await server.stop();
});

async function soon<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    return await work();
  } finally {
    expect(performance.now() - startedMs).toBeLessThan(ANSWERED_WITHIN_MS);
  }
}

describe.each(['refuse', 'hang', 'reset'] as const)('while Redis would %s', (mode) => {
  test('what guards a secret is refused with 503, and works again when it is back', async () => {
    const limiter = state.limiters({ name: 'sign-in', points: 1, perSeconds: 60 });
    expect(await limiter.take('a')).toBeUndefined();
    await proxy.set(mode);
    const refused = { code: 'UNAVAILABLE', status: 503, retryAfterSeconds: 2 };
    await expect(soon(() => limiter.take('b'))).rejects.toMatchObject(refused);
    await expect(soon(() => limiter.peek('b'))).rejects.toMatchObject(refused);
    await expect(soon(() => limiter.reserve('b'))).rejects.toMatchObject(refused);
    await proxy.set('pass');
    await vi.waitFor(() => limiter.peek('b'), { timeout: 10_000 });
    expect(await limiter.take('a')).toBeGreaterThan(0);
  });

  test('what guards against overload is counted by each process alone, and the log says so', async () => {
    const limiter = state.limiters({
      name: 'general',
      points: 2,
      perSeconds: 60,
      whenUnavailable: 'count-locally',
    });
    await proxy.set(mode);
    expect(await soon(() => limiter.take('a'))).toBeUndefined();
    expect(await soon(() => limiter.take('a'))).toBeUndefined();
    expect(await soon(() => limiter.take('a'))).toBeGreaterThan(0);
    expect(lines.join('')).toContain('rate limit: Redis unavailable, counting in this process');
  });

  test('nothing succeeds or fails by what can not be taken back', async () => {
    const limiter = state.limiters({ name: 'sign-in', points: 1, perSeconds: 60 });
    await proxy.set(mode);
    await soon(() => limiter.giveBack('a'));
    await limiter.confirm('a');
    await limiter.release('a');
    await limiter.reset('a');
  });

  test('session invalidation reports that it is not subscribed', async () => {
    await expect.poll(() => state.invalidation.isSubscribed()).toBe(true);
    let gaps = 0;
    state.invalidation.subscribe({
      onStale: () => undefined,
      onGap: () => {
        gaps += 1;
      },
    });
    await proxy.set(mode);
    await vi.waitFor(() => expect(state.invalidation.isSubscribed()).toBe(false), { timeout: 8_000 });
    expect(gaps).toBeGreaterThan(0);
    state.invalidation.publish({ userId: 'a' });
    await proxy.set('pass');
    await vi.waitFor(() => expect(state.invalidation.isSubscribed()).toBe(true), { timeout: 10_000 });
  });
});

test('a process starts while Redis is unavailable, and uses it once it is available', async () => {
  await server.kill();
  const early = await openRedisState({ url: server.url, logger });
  const limiter = early.limiters({ name: 'sign-in', points: 1, perSeconds: 60 });
  await expect(limiter.peek('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await server.restart();
  await vi.waitFor(() => limiter.peek('a'), { timeout: 10_000 });
  await early.stop();
});

test('two seconds of latency count as unavailable: no caller is kept waiting', async () => {
  await proxy.set({ latencyMs: 2_000 });
  const limiter = state.limiters({ name: 'sign-in', points: 1, perSeconds: 60 });
  await expect(soon(() => limiter.peek('a'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
