import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type LimiterFactory, memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { afterEach, describe, expect, test } from 'vitest';
import { type HarnessOptions, KINDS, sameOrigin } from './gateway-harness.ts';
import { openStream, type StreamGateway, startStreamGateway } from './stream-harness.ts';

const headers = { ...sameOrigin, 'content-type': 'application/json' };
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('a gateway that has stopped asks about no session any more, though a stream is still open', async () => {
  const gateway = await startStreamGateway('local');
  closers.push(gateway.stop);
  const { h } = gateway;
  const { answer } = await openStream(h);
  await h.gateway.stop();
  h.resolved.length = 0;
  await h.clock.advance(0);
  await h.clock.jump(15 * 60_000);
  expect([h.resolved, answer.closed]).toEqual([[], false]);
});

describe.each(KINDS)('a stream (%s service)', (kind) => {
  async function start(options: Omit<HarnessOptions, 'kind'> = {}): Promise<StreamGateway> {
    const gateway = await startStreamGateway(kind, options);
    closers.push(gateway.stop);
    return gateway;
  }

  /** A stream of the session, with what resolves when both its ends are over. */
  async function open({ h, opened }: StreamGateway, sid: string) {
    const { answer } = await openStream(h, { sid });
    const out = opened.at(-1)?.out;
    if (!out) throw new Error('no stream at the service');
    const over = Promise.all([once(out, 'close'), once(answer, 'close')]);
    return { answer, out, over };
  }

  async function goesOn({ answer, out }: Awaited<ReturnType<typeof open>>) {
    const next = once(answer, 'data');
    out.write('data: still here\n\n');
    expect(await next).toEqual(['data: still here\n\n']);
  }

  test.each([
    ['sign-out', 'POST', '/api/auth/logout', {}],
    ['sign-out everywhere', 'POST', '/api/auth/logout-everywhere', {}],
    ['the deletion of the account', 'DELETE', '/api/auth/me', { currentPassword: 'demo-demo-demo' }],
  ])('ends within a second of %s', async (_what, method, path, body) => {
    const gateway = await start();
    const { sid } = gateway.h.signIn();
    const stream = await open(gateway, sid);
    stream.answer.resume();
    const answer = await gateway.h.send(method, path, { sid, headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    const endedAt = performance.now();
    await stream.over;
    expect(performance.now() - endedAt).toBeLessThan(1_000);
    expect(stream.answer.complete).toBe(true);
  });

  test.each([
    [
      'a password change',
      '/api/auth/password',
      { currentPassword: 'demo-demo-demo', newPassword: 'demo-demo-new1' },
    ],
    ['sign-out everywhere', '/api/auth/logout-everywhere', {}],
  ])('ends within a second of %s in another browser', async (_what, path, body) => {
    const gateway = await start();
    const { sid, userId } = gateway.h.signIn();
    const otherSession = gateway.h.signIn('free', userId);
    const stream = await open(gateway, sid);
    stream.answer.resume();
    await gateway.h.send('POST', path, { sid: otherSession.sid, headers, body: JSON.stringify(body) });
    const endedAt = performance.now();
    await stream.over;
    expect(performance.now() - endedAt).toBeLessThan(1_000);
  });

  test('stays open when another session of its user ends, and when name or tier change', async () => {
    const gateway = await start();
    const { h } = gateway;
    const { sid, userId } = h.signIn();
    const stream = await open(gateway, sid);
    const otherSession = h.signIn('free', userId);
    await h.send('POST', '/api/auth/logout', { sid: otherSession.sid, headers });
    h.forgetSessionsOf(userId);
    await h.clock.advance(2_000);
    await goesOn(stream);
  });

  test('ends when its session expires, and stays open while the session is used', async () => {
    const gateway = await start();
    const { h } = gateway;
    const expiresIn = (ms: number) => ({
      userId: randomUUID(),
      sessionId: randomUUID(),
      tier: 'free' as const,
      name: 'Ana',
      expiresAt: new Date(h.clock.nowMs() + ms).toISOString(),
    });
    for (const sid of ['left', 'used']) h.sessions.set(sid, expiresIn(5_000));
    const [left, used] = [await open(gateway, 'left'), await open(gateway, 'used')];
    left.answer.resume();
    h.sessions.delete('left');
    h.sessions.set('used', expiresIn(60_000));
    await h.clock.advance(4_000);
    await goesOn(left);
    await h.clock.advance(2_000);
    await left.over;
    await goesOn(used);
  });

  test('stays open while identity is unavailable, and ends when identity reports the end of its session', async () => {
    let down = false;
    const gateway = await start({
      overrides: {
        resolveSession: async (sid) => {
          if (down) throw new AppError('UNAVAILABLE');
          return gateway.h.sessions.get(sid) ?? null;
        },
      },
    });
    const { h } = gateway;
    const { sid, userId } = h.signIn();
    const stream = await open(gateway, sid);
    down = true;
    h.sessions.delete(sid);
    h.forgetSessionsOf(userId);
    await h.clock.advance(3_000);
    await goesOn(stream);
    down = false;
    stream.answer.resume();
    await h.clock.advance(1_000);
    await stream.over;
  });

  test('that was about to begin when its session ended does not begin', async () => {
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let holding = false;
    // Held between the session's resolution and the service.
    const limiters: LimiterFactory = (rule) => {
      const limiter = memoryLimiters(rule);
      if (rule.name !== 'gateway-user') return limiter;
      const take = async (key: string) => {
        if (holding) {
          arrived.resolve();
          await release.promise;
        }
        return limiter.take(key);
      };
      return { ...limiter, take };
    };
    const { h, opened } = await start({ overrides: { limiters } });
    const { sid } = h.signIn();
    holding = true;
    const refused = openStream(h, { sid }).then(
      ({ answer }) => once(answer.resume(), 'close'),
      () => 'refused',
    );
    await arrived.promise;
    holding = false;
    await h.send('POST', '/api/auth/logout', { sid, headers });
    release.resolve();
    await refused;
    await expect.poll(() => opened.every(({ out }) => out.closed)).toBe(true);
  });

  test('whose reader takes nothing is cut off a second after its session', async () => {
    const gateway = await start();
    const { h } = gateway;
    const { sid } = h.signIn();
    const stream = await open(gateway, sid);
    stream.answer.on('error', () => undefined);
    stream.answer.pause();
    const piece = `data: ${'x'.repeat(1_000_000)}\n\n`;
    while (stream.out.write(piece) || stream.out.writableLength < 20_000_000);
    const closed = once(stream.out, 'close');
    await h.send('POST', '/api/auth/logout', { sid, headers });
    await h.clock.advance(1_000);
    await closed;
  });
});
