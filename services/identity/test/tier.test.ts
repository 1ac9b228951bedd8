import type { EventType } from '@casewatch/contracts/event-type';
import { subscriptionChanged, userDeleted, userSessionsEnded } from '@casewatch/contracts/events';
import type { ResolvedSession, User } from '@casewatch/contracts/identity';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Stale } from '@casewatch/shared-state/invalidation/invalidation';
import { startTestService } from '@casewatch/testing/test-service';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { service } from '../src/service.ts';
import { PASSWORD, sidOf } from './identity-fixture.ts';

const invalidated: Stale[] = [];
let identity: Awaited<ReturnType<typeof startTestService>>;
let pool: pg.Pool;
let user: User;
let sid: string;
let nth = 0;

beforeAll(async () => {
  identity = await startTestService(service, { invalidation: { publish: (what) => invalidated.push(what) } });
  pool = identity.database.openPool('identity', 2);
});
beforeEach(async () => {
  nth += 1;
  const body = { email: `ada${nth}@example.org`, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' };
  const answer = await identity.call('POST', '/api/auth/signup', { body });
  sid = sidOf(answer);
  user = (await answer.json()) as User;
  await identity.forgetPublished();
  invalidated.length = 0;
});
afterAll(async () => {
  await identity.stop();
});

async function hear<Payload>(event: EventType<Payload>, payload: Payload, timeMs = 0): Promise<void> {
  const handler = identity.service.consumers.find((candidate) => candidate.event.name === event.name);
  if (!handler) throw new Error(`no handler for ${event.name}`);
  const meta = { id: 'event', timeMs, traceparent: undefined };
  const json = event.encode(payload);
  await inTransaction(pool, (tx) => handler.handle(json, meta, tx));
  handler.committed?.([{ json, meta }]);
}
const tierNow = async () => {
  const me = (await (await identity.call('GET', '/api/auth/me', { as: { userId: user.id } })).json()) as User;
  const resolved = await identity.call('POST', '/internal/identity/resolve-session', { body: { sid } });
  const { session } = (await resolved.json()) as { session: ResolvedSession };
  return [me.tier, session.tier];
};
const userChanges = async () =>
  (await identity.published()).filter(({ name }) => name === 'user-changed').map(({ payload }) => payload);

test('a subscription makes the account pro and free again, for every reader, and is published once each', async () => {
  expect(await tierNow()).toEqual(['free', 'free']);
  await hear(subscriptionChanged, { userId: user.id, tier: 'pro', status: 'active', version: 1 });
  expect(await tierNow()).toEqual(['pro', 'pro']);
  await hear(subscriptionChanged, { userId: user.id, tier: 'pro', status: 'past_due', version: 3 });
  await hear(subscriptionChanged, { userId: user.id, tier: 'free', status: 'canceled', version: 4 });
  expect(await tierNow()).toEqual(['free', 'free']);
  expect(await userChanges()).toEqual([
    { userId: user.id, name: 'Ada Lovelace', tier: 'pro', emailChanged: false, version: 1 },
    { userId: user.id, name: 'Ada Lovelace', tier: 'free', emailChanged: false, version: 3 },
  ]);
});

test('the account says that a payment failed until it is made, or the subscription is over', async () => {
  const failedAfter = async (status: string, version: number, tier: 'free' | 'pro' = 'pro') => {
    await hear(subscriptionChanged, { userId: user.id, tier, status, version });
    const me = await identity.call('GET', '/api/auth/me', { as: { userId: user.id } });
    return ((await me.json()) as User).paymentFailed;
  };
  expect(await failedAfter('active', 1)).toBeUndefined();
  expect(await failedAfter('past_due', 3)).toBe(true);
  expect(await failedAfter('active', 2), 'an older change, late').toBe(true);
  expect(await failedAfter('past_due', 4, 'free'), 'once Pro has ended by it').toBe(true);
  expect(await failedAfter('active', 5)).toBeUndefined();
  expect(await failedAfter('unpaid', 6, 'free')).toBe(true);
  expect(await failedAfter('canceled', 7, 'free')).toBeUndefined();
});

test('a late change of a subscription does not undo a newer one, whatever the clocks say', async () => {
  const heard = (tier: 'free' | 'pro', version: number, timeMs: number) =>
    hear(subscriptionChanged, { userId: user.id, tier, status: 'active', version }, timeMs);
  await heard('pro', 3, 3_000);
  const before = (await userChanges()).length;
  await heard('free', 2, 86_400_000);
  expect(await tierNow()).toEqual(['pro', 'pro']);
  expect((await userChanges()).length).toBe(before);
  await heard('free', 4, 1_000);
  expect(await tierNow()).toEqual(['free', 'free']);
});

test('each change of a user that is published has a higher version than the one before', async () => {
  const change = (body: unknown) => identity.call('PATCH', '/api/auth/me', { as: { userId: user.id }, body });
  await change({ firstName: 'Augusta' });
  await hear(subscriptionChanged, { userId: user.id, tier: 'pro', status: 'active', version: 1 });
  await change({ role: 'Attorney' });
  await change({ firstName: 'Ada' });
  const versions = (await userChanges()).map((payload) => (payload as { version: number }).version);
  expect(versions).toHaveLength(3);
  expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => one - other));
});

test('a change for a deleted account has no effect', async () => {
  const before = (await userChanges()).length;
  await hear(subscriptionChanged, {
    userId: '11111111-1111-4111-8111-111111111111',
    tier: 'pro',
    status: 'active',
    version: 1,
  });
  expect((await userChanges()).length).toBe(before);
});

test('once the change is committed, the gateways’ cached sessions of the user are invalidated', async () => {
  expect(invalidated).toEqual([]);
  await hear(subscriptionChanged, { userId: user.id, tier: 'pro', status: 'active', version: 1 });
  expect(invalidated).toEqual([{ userId: user.id }]);
  const as = { userId: user.id };
  await identity.call('PATCH', '/api/auth/me', { as, body: { role: 'Attorney' } });
  expect(invalidated).toHaveLength(1);
  await identity.call('PATCH', '/api/auth/me', { as, body: { firstName: 'Augusta' } });
  expect(invalidated).toEqual([{ userId: user.id }, { userId: user.id }]);
});

test('once an account is deleted, by whomever, the gateways’ cached sessions of the user are invalidated', async () => {
  await hear(userDeleted, { userId: user.id });
  expect(invalidated).toEqual([{ userId: user.id }]);
});

test('once sessions have ended, the gateways hear of it also when the process that ended them died', async () => {
  await hear(userSessionsEnded, { userId: user.id, deviceSessionIds: [] });
  expect(invalidated).toEqual([{ userId: user.id }]);
});
