import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { openRedisState } from '@casewatch/shared-state/redis-state';
import type { SharedState } from '@casewatch/shared-state/shared-state';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KINDS, sameOrigin } from '../gateway-harness.ts';
import { openStream, type StreamGateway, startStreamGateway } from '../stream-harness.ts';

const headers = { ...sameOrigin, 'content-type': 'application/json' };
const server = await forThisFile(startOwnTestRedis());

describe.each(KINDS)('a stream at one gateway (%s service)', (kind) => {
  let states: SharedState[];
  let carrier: StreamGateway;
  let other: StreamGateway;

  beforeEach(async () => {
    const logger = pino({ level: 'silent' });
    const open = () => openRedisState({ url: server.url, prefix, logger });
    const prefix = `casewatch-test-${randomUUID()}:`;
    const [first, second] = await Promise.all([open(), open()]);
    states = [first, second];
    for (const { invalidation } of states) {
      await expect.poll(() => invalidation.isSubscribed(), { timeout: 10_000 }).toBe(true);
    }
    const start = ({ limiters, invalidation }: SharedState) =>
      startStreamGateway(kind, { overrides: { limiters, invalidation } });
    [carrier, other] = await Promise.all([start(first), start(second)]);
  });
  afterEach(async () => {
    for (const gateway of [carrier, other]) await gateway.stop();
    for (const state of states) await state.stop();
  });

  /** The same session at both gateways, as they ask one identity service; its stream is at the carrier. */
  async function openAtCarrier() {
    const { sid, userId } = carrier.h.signIn();
    const session = carrier.h.sessions.get(sid);
    if (!session) throw new Error('no session');
    other.h.sessions.set(sid, session);
    const { answer } = await openStream(carrier.h, { sid });
    const out = carrier.opened.at(-1)?.out;
    if (!out) throw new Error('no stream at the service');
    answer.resume();
    return { sid, userId, answer, out, over: Promise.all([once(out, 'close'), once(answer, 'close')]) };
  }

  test.each([
    ['sign-out', 'POST', '/api/auth/logout', {}],
    ['sign-out everywhere', 'POST', '/api/auth/logout-everywhere', {}],
    [
      'a password change',
      'POST',
      '/api/auth/password',
      { currentPassword: 'demo-demo-demo', newPassword: 'demo-demo-new1' },
    ],
    ['the deletion of the account', 'DELETE', '/api/auth/me', { currentPassword: 'demo-demo-demo' }],
  ])('ends within a second of %s at another', async (_what, method, path, body) => {
    const { sid, over } = await openAtCarrier();
    carrier.h.sessions.delete(sid);
    const answer = await other.h.send(method, path, { sid, headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    const endedAt = performance.now();
    await over;
    expect(performance.now() - endedAt).toBeLessThan(1_000);
  });

  test('stays open when another session of its user ends at another', async () => {
    const { userId, answer, out } = await openAtCarrier();
    const ending = await openAtCarrier();
    const otherSession = other.h.signIn('free', userId);
    await other.h.send('POST', '/api/auth/logout', { sid: otherSession.sid, headers });
    // Messages keep their order: once the second session's stream is over, the first message has been handled.
    carrier.h.sessions.delete(ending.sid);
    await other.h.send('POST', '/api/auth/logout', { sid: ending.sid, headers });
    await ending.over;
    const next = once(answer, 'data');
    out.write('data: still here\n\n');
    expect(await next).toEqual(['data: still here\n\n']);
  });

  test('ends when its session was over while Redis was down, once Redis is back', async () => {
    const { sid, over, out } = await openAtCarrier();
    await server.kill();
    try {
      await expect.poll(() => states.some(({ invalidation }) => invalidation.isSubscribed())).toBe(false);
      carrier.h.sessions.delete(sid);
      await other.h.send('POST', '/api/auth/logout', { sid, headers });
      expect(out.closed).toBe(false);
    } finally {
      await server.restart();
    }
    await over;
  });
});
