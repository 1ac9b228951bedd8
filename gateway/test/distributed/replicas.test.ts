import { randomUUID } from 'node:crypto';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { openRedisState } from '@casewatch/shared-state/redis-state';
import type { SharedState } from '@casewatch/shared-state/shared-state';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Harness, sameOrigin, startGateway } from '../gateway-harness.ts';

const logger = pino({ level: 'silent' });
let states: SharedState[];
let one: Harness;
let other: Harness;

const server = await forThisFile(startOwnTestRedis());
beforeEach(async () => {
  const prefix = `casewatch-test-${randomUUID()}:`;
  states = await Promise.all([1, 2].map(() => openRedisState({ url: server.url, prefix, logger })));
  for (const { invalidation } of states) await expect.poll(() => invalidation.isSubscribed()).toBe(true);
  [one, other] = (await Promise.all(
    states.map(({ limiters, invalidation }) => startGateway({ overrides: { limiters, invalidation } })),
  )) as [Harness, Harness];
});
afterEach(async () => {
  for (const gateway of [one, other]) await gateway.stop();
  for (const state of states) await state.stop();
});

/** Signed in, and remembered by both gateways. */
async function signedInAtBoth() {
  const { sid, userId } = one.signIn();
  const session = one.sessions.get(sid);
  if (!session) throw new Error('no session');
  other.sessions.set(sid, session);
  for (const gateway of [one, other]) await gateway.send('GET', '/api/saved-cases', { sid });
  // A gateway that misses the message would keep the session in its cache.
  other.sessions.delete(sid);
  expect((await other.send('GET', '/api/saved-cases', { sid })).status).toBe(200);
  return { sid, userId, session };
}

test.each([
  ['signing out', 'POST', '/api/auth/logout', undefined],
  ['signing out everywhere', 'POST', '/api/auth/logout-everywhere', undefined],
  [
    'a new password',
    'POST',
    '/api/auth/password',
    { currentPassword: 'demo-demo-demo', newPassword: 'demo-demo-new1' },
  ],
  ['deleting the account', 'DELETE', '/api/auth/me', { currentPassword: 'demo-demo-demo' }],
])('%s at one gateway ends the session at every other', async (_what, method, path, body) => {
  const { sid } = await signedInAtBoth();
  const headers = { ...sameOrigin, 'content-type': 'application/json' };
  const answer = await one.send(method, path, {
    sid,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(answer.status).toBeLessThan(300);
  await expect.poll(async () => (await other.send('GET', '/api/saved-cases', { sid })).status).toBe(401);
});

test('a new tier published by one gateway shows at every other', async () => {
  const { sid, userId, session } = await signedInAtBoth();
  other.sessions.set(sid, { ...session, tier: 'pro' });
  one.forgetSessionsOf(userId);
  await expect.poll(async () => (await other.send('GET', '/api/auth/me', { sid })).json().tier).toBe('pro');
});

test('no session is cached while invalidation messages cannot arrive', async () => {
  const { sid, session } = await signedInAtBoth();
  await server.kill();
  try {
    await expect.poll(async () => (await other.send('GET', '/api/saved-cases', { sid })).status).toBe(401);
    other.sessions.set(sid, session);
    expect((await other.send('GET', '/api/saved-cases', { sid })).status).toBe(200);
    other.sessions.delete(sid);
    expect((await other.send('GET', '/api/saved-cases', { sid })).status).toBe(401);
  } finally {
    await server.restart();
  }
});
