import type { User } from '@casewatch/contracts/identity';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type IdentityFixture, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';

const DEMO_PASSWORD = 'demo-demo-demo';
const ON = { DEMO_ACCOUNTS: 'true' };

let database: TestDatabase;
let started: IdentityFixture[];
beforeEach(async () => {
  database = await createTestDatabase();
  started = [];
});
afterEach(async () => {
  for (const identity of started) await identity.stop();
  await database.drop();
});

/** Starts the service on the same database again and again, as a new process would. */
async function start(env: Record<string, string> = {}) {
  const identity = await startIdentity({ env, database });
  started.push(identity);
  return identity;
}

test('without the setting there are no demo accounts', async () => {
  const identity = await start();
  expect((await identity.logIn('free@demo.test', DEMO_PASSWORD)).status).toBe(401);
  expect(await database.query('SELECT 1 FROM identity.users')).toEqual([]);
});

test('with the setting a free and a pro account can sign in', async () => {
  const identity = await start(ON);
  const free = await identity.logIn('free@demo.test', DEMO_PASSWORD);
  expect(await free.json()).toMatchObject({ firstName: 'Frida', lastName: 'Demo', tier: 'free' });
  const pro = await identity.logIn('pro@demo.test', DEMO_PASSWORD);
  expect(await pro.json()).toMatchObject({ firstName: 'Priya', lastName: 'Demo', tier: 'pro' });
  expect(await identity.resolve(sidOf(pro))).toMatchObject({ tier: 'pro', name: 'Priya' });
});

test('the demo accounts and the pro tier are published once', async () => {
  const first = await start(ON);
  const { id } = (await first.row('pro@demo.test')) ?? {};
  const published = await first.published();
  expect(published.map(({ name }) => name)).toEqual(['user-signed-up', 'user-signed-up', 'user-changed']);
  expect(published.at(-1)?.payload).toEqual({
    userId: id,
    name: 'Priya Demo',
    tier: 'pro',
    emailChanged: false,
    version: 0,
  });
  expect(await (await start(ON)).published()).toEqual(published);
});

test('several replicas that start at once make each account once', async () => {
  const [replica] = await Promise.all([start(ON), start(ON), start(ON)]);
  expect(await database.query('SELECT email FROM identity.users ORDER BY email')).toEqual([
    { email: 'free@demo.test' },
    { email: 'pro@demo.test' },
  ]);
  expect(await replica.published()).toHaveLength(3);
});

test('a start without the setting removes them with their sessions, and publishes it once', async () => {
  const sid = sidOf(await (await start(ON)).logIn('free@demo.test', DEMO_PASSWORD));
  await started[0]?.forgetPublished();
  const without = await Promise.all([start(), start()]);
  expect(await database.query('SELECT 1 FROM identity.users')).toEqual([]);
  expect(await without[0].resolve(sid)).toBeNull();
  expect((await without[0].published()).map(({ name }) => name)).toEqual(['user-deleted', 'user-deleted']);
});

test('a process without the setting lets no demo account in that another process made', async () => {
  const without = await start();
  await start(ON);
  expect((await without.logIn('free@demo.test', DEMO_PASSWORD)).status).toBe(401);
});

test('a start restores the known password, and leaves what else the account has become', async () => {
  const identity = await start(ON);
  const as = (await (await identity.logIn('free@demo.test', DEMO_PASSWORD)).json()) as User;
  await identity.send('PATCH', '/api/auth/me', { as, body: { firstName: 'Frederica' } });
  const body = { currentPassword: DEMO_PASSWORD, newPassword: 'taken over' };
  expect((await identity.send('POST', '/api/auth/password', { as, body })).status).toBe(200);
  const again = await start(ON);
  expect((await again.logIn('free@demo.test', 'taken over')).status).toBe(401);
  const answer = await again.logIn('free@demo.test', DEMO_PASSWORD);
  expect(await answer.json()).toMatchObject({ firstName: 'Frederica' });
});

test('an account that a person made with such an address is neither taken over nor removed', async () => {
  await (await start()).signUp('free@demo.test');
  const identity = await start(ON);
  expect((await identity.logIn('free@demo.test', DEMO_PASSWORD)).status).toBe(401);
  const without = await start();
  expect((await without.logIn('free@demo.test', PASSWORD)).status).toBe(200);
});
