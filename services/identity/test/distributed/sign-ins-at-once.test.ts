import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { openRedisState } from '@casewatch/shared-state/redis-state';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityFixture, PASSWORD, startIdentity } from '../identity-fixture.ts';

const env = {
  PASSWORD_HASHES_AT_ONCE: '4',
  PASSWORD_HASHES_WAITING: '1000',
  SIGN_IN_TRIES_PER_ACCOUNT: '5',
};

const stops: (() => Promise<void>)[] = [];
let replicas: IdentityFixture[];
beforeAll(async () => {
  const redis = await startTestRedis();
  stops.push(() => redis.stop());
  const first = await startReplica(redis.url);
  replicas = [first, await startReplica(redis.url, first)];
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function startReplica(url: string, other?: IdentityFixture) {
  const state = await openRedisState({ url, logger: pino({ level: 'silent' }) });
  stops.push(() => state.stop());
  const database = other && { database: other.database };
  const identity = await startIdentity({ env, limiters: state.limiters, ...database });
  stops.push(() => identity.stop());
  return identity;
}

const replica = (nth: number): IdentityFixture => {
  const identity = replicas[nth % replicas.length];
  if (!identity) throw new Error('no replica was started');
  return identity;
};
const times = (count: number, send: (nth: number) => Promise<Response>) =>
  Promise.all(Array.from({ length: count }, async (_, nth) => (await send(nth)).status));
const countOf = (statuses: number[], status: number) => statuses.filter((given) => given === status).length;

test('of 60 right sign-ins sent to two replicas at once from one network each succeeds', async () => {
  await replica(0).signUp('ada@example.org');
  const statuses = await times(60, (nth) => replica(nth).logIn('ada@example.org', PASSWORD));
  expect(countOf(statuses, 200)).toBe(60);
});

test('of 200 wrong passwords for one account sent to two replicas at once no more are checked than it has tries', async () => {
  await replica(0).signUp('bob@example.org');
  const statuses = await times(200, (nth) =>
    replica(nth).logIn('bob@example.org', 'not the password', { address: `203.0.113.${nth}` }),
  );
  expect(countOf(statuses, 401)).toBe(5);
  expect(countOf(statuses, 429)).toBe(195);
});
