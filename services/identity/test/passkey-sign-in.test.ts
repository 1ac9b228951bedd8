import { randomUUID } from 'node:crypto';
import type { User } from '@casewatch/contracts/identity';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deviceOf, errorOf, PASSWORD, sidOf } from './identity-fixture.ts';
import { ORIGIN, startPasskeys } from './passkey-fixture.ts';
import { createAuthenticator, type Deviation } from './software-authenticator.ts';

const REFUSED = {
  status: 401,
  code: 'INVALID_CREDENTIALS',
  error: 'This passkey does not work here. Try another one, or sign in with your password.',
};
const COUNTER_WENT_BACK = 'passkeys: signature counter went back, refusing what may be a copy';
const MINUTE_MS = 60_000;

const identity = await forThisFile(startPasskeys());

test('a passkey signs in without an address, under a new session', async () => {
  const ada = await identity.withPasskey('ada@example.org');
  expect(await identity.startSignIn()).not.toHaveProperty('allowCredentials');
  const answer = await identity.signIn(ada.authenticator, {}, { sid: ada.sid });
  expect(answer.status).toBe(200);
  expect((await answer.json()) as User).toMatchObject({ id: ada.user.id, email: 'ada@example.org' });
  expect(await identity.resolve(sidOf(answer))).toMatchObject({ userId: ada.user.id });
  expect(await identity.resolve(ada.sid)).toBeNull();
});

test('a sign-in with a passkey counts as one on a known device', async () => {
  const ada = await identity.withPasskey('known@example.org');
  const answer = await identity.signIn(ada.authenticator);
  expect(await identity.kindsTo('known@example.org')).toEqual(['passkey-added']);
  await identity.logIn('known@example.org', PASSWORD, { device: deviceOf(answer) });
  expect(await identity.kindsTo('known@example.org')).toEqual(['passkey-added']);
  const events = await identity.published();
  const signIns = events.filter(
    ({ name, payload }) =>
      name === 'user-logged-in' && (payload as { userId: string }).userId === ada.user.id,
  );
  expect(signIns.map(({ payload }) => payload)).toEqual([
    { userId: ada.user.id, loginCount: 1 },
    { userId: ada.user.id, loginCount: 2 },
  ]);
});

test('the list says when a passkey was last used, and whether it is synced by now', async () => {
  const { user, authenticator } = await identity.withPasskey('used@example.org');
  await identity.clock.advance(MINUTE_MS);
  await identity.signIn(authenticator, { backedUp: true });
  const lastUsedAt = new Date(identity.clock.nowMs()).toISOString();
  expect(await identity.list(user)).toMatchObject([{ lastUsedAt, isSynced: true }]);
});

test('on localhost the port does not matter, on other hosts the origin is that of PUBLIC_URL', async () => {
  const local = await identity.withPasskey('port@example.org');
  expect((await identity.signIn(local.authenticator, { origin: 'http://localhost:9123' })).status).toBe(200);
  const lookAlike = { origin: 'http://localhost:9123.evil.example' };
  expect((await identity.signIn(local.authenticator, lookAlike)).status).toBe(401);
  const site = await startPasskeys({ env: { PUBLIC_URL: 'https://casewatch.example.com' } });
  onTestFinished(() => site.stop());
  const { authenticator } = await site.withPasskey('port@example.org', 'https://casewatch.example.com');
  expect((await site.signIn(authenticator)).status).toBe(200);
  for (const origin of ['https://casewatch.example.com:8443', 'http://casewatch.example.com', ORIGIN]) {
    expect((await site.signIn(authenticator, { origin })).status).toBe(401);
  }
});

const BAD: [string, Deviation][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['the hash of another site', { rpId: 'evil.example' }],
  ['no user verification', { userVerified: false }],
  ['the type of a registration', { type: 'webauthn.create' }],
  ['a challenge that was never issued', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['a forged signature', { forged: true }],
  ['authenticator data that is cut off', { truncatedBy: 5 }],
  ['no account', { userHandle: null }],
  ['another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
];
test.each(BAD)('an answer with %s opens nothing and reads like an unknown passkey', async (_what, how) => {
  const { authenticator } = await identity.withPasskey(`${randomUUID()}@example.org`);
  expect(await errorOf(await identity.signIn(authenticator, how))).toEqual({
    ...REFUSED,
    details: undefined,
  });
});

test('an unknown passkey gets the same answer', async () => {
  const outsider = createAuthenticator(ORIGIN);
  const { user } = await identity.signUp('never-added@example.org');
  outsider.create(await identity.creation(user));
  expect(await errorOf(await identity.signIn(outsider))).toEqual({ ...REFUSED, details: undefined });
});

test('a passkey opens the account that it was added to, whose id another answers with', async () => {
  const ada = await identity.withPasskey('of-ada@example.org');
  const eve = await identity.withPasskey('of-eve@example.org');
  const answer = eve.authenticator.get(await identity.startSignIn());
  const { id } = ada.authenticator;
  expect((await identity.finishSignIn({ ...answer, id, rawId: id })).status).toBe(401);
});

test('an answer works once, and side by side for one of its senders', async () => {
  const { authenticator } = await identity.withPasskey('once@example.org');
  const answer = authenticator.get(await identity.startSignIn());
  const statuses = await Promise.all([1, 2, 3].map(async () => (await identity.finishSignIn(answer)).status));
  expect(statuses.toSorted()).toEqual([200, 401, 401]);
  expect((await identity.finishSignIn(answer)).status).toBe(401);
});

test('a challenge lasts five minutes', async () => {
  const { authenticator } = await identity.withPasskey('late@example.org');
  const answer = authenticator.get(await identity.startSignIn());
  await identity.clock.advance(5 * MINUTE_MS);
  expect(await errorOf(await identity.finishSignIn(answer))).toMatchObject(REFUSED);
});

test('a challenge for a proof opens no session', async () => {
  const { user, authenticator } = await identity.withPasskey('purpose@example.org');
  const answer = authenticator.get(await identity.startProof(user));
  expect((await identity.finishSignIn(answer)).status).toBe(401);
});

test('a signature counter that goes back is refused and logged', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const watched = await startPasskeys({ logger });
  onTestFinished(() => watched.stop());
  const { authenticator, passkey } = await watched.withPasskey('counter@example.org');
  expect((await watched.signIn(authenticator, { counter: 7 })).status).toBe(200);
  expect((await watched.signIn(authenticator, { counter: 7 })).status).toBe(401);
  expect((await watched.signIn(authenticator, { counter: 6 })).status).toBe(401);
  // What is not signed right says nothing about the counter.
  expect((await watched.signIn(authenticator, { counter: 5, forged: true })).status).toBe(401);
  expect((await watched.signIn(authenticator, { counter: 8 })).status).toBe(200);
  const counters = await watched.database.query('SELECT counter FROM identity.passkeys WHERE id = $1', [
    passkey.id,
  ]);
  expect(counters).toEqual([{ counter: '8' }]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: COUNTER_WENT_BACK, passkeyId: passkey.id, stored: 7, received: 7 },
    { msg: COUNTER_WENT_BACK, passkeyId: passkey.id, stored: 7, received: 6 },
  ]);
});

test('a signature counter may be as great as its four bytes allow', async () => {
  const { authenticator } = await identity.withPasskey('great@example.org');
  for (const counter of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) {
    expect((await identity.signIn(authenticator, { counter })).status).toBe(200);
  }
  expect((await identity.signIn(authenticator, { counter: 2 ** 32 - 1 })).status).toBe(401);
});

test('an authenticator that does not count signs in again and again', async () => {
  const { authenticator } = await identity.withPasskey('zero@example.org');
  for (let times = 0; times < 3; times++) {
    expect((await identity.signIn(authenticator, { counter: 0 })).status).toBe(200);
  }
});

test('a removed passkey opens nothing', async () => {
  const { user, passkey, authenticator } = await identity.withPasskey('removed@example.org');
  await identity.remove(user, passkey.id);
  expect((await identity.signIn(authenticator)).status).toBe(401);
});

test('signing out everywhere ends the sessions of passkeys, which open new ones', async () => {
  const { user, authenticator } = await identity.withPasskey('everywhere@example.org');
  const sid = sidOf(await identity.signIn(authenticator));
  expect((await identity.send('POST', '/api/auth/logout-everywhere', { as: user })).status).toBe(200);
  expect(await identity.resolve(sid)).toBeNull();
  expect((await identity.signIn(authenticator)).status).toBe(200);
});

test('passkeys outlive a reset of the password, and its notice says how many there are', async () => {
  const { user, authenticator } = await identity.withPasskey('reset@example.org');
  await identity.addPasskey(user);
  const sid = sidOf(await identity.signIn(authenticator));
  await identity.forgot('reset@example.org');
  const token = await identity.linkTo('reset@example.org', 'reset-password');
  expect((await identity.reset(token, 'another long sentence')).status).toBe(200);
  expect(await identity.resolve(sid)).toBeNull();
  expect((await identity.signIn(authenticator)).status).toBe(200);
  const notice = (await identity.mailsTo('reset@example.org')).find(
    ({ kind }) => kind === 'password-changed',
  );
  expect(notice).toMatchObject({ passkeys: 2 });
});

test('the passkey of an outsider who made the account ends when the owner of the address resets its password', async () => {
  const { user } = await identity.signUp('pre-made@example.org');
  const { authenticator } = await identity.addPasskey(user);
  expect((await identity.signIn(authenticator)).status).toBe(200);
  await identity.forgot('pre-made@example.org');
  const token = await identity.linkTo('pre-made@example.org', 'reset-password');
  expect((await identity.reset(token, 'another long sentence')).status).toBe(200);
  expect(await errorOf(await identity.signIn(authenticator))).toMatchObject(REFUSED);
  expect(await identity.list(user)).toEqual([]);
  const notice = (await identity.mailsTo('pre-made@example.org')).find(
    ({ kind }) => kind === 'password-changed',
  );
  expect(notice).toMatchObject({ passkeys: 0 });
});

test('failures of a passkey are limited, and keep neither the password nor a known browser out', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { authenticator, device } = await identity.withPasskey('limited@example.org');
  const forge = (nth: number) =>
    identity.signIn(authenticator, { forged: true }, { address: `203.0.113.${nth}` });
  for (let nth = 1; nth <= 10; nth++) expect((await forge(nth)).status).toBe(401);
  const from = { address: '203.0.113.200' };
  expect(await errorOf(await identity.signIn(authenticator, {}, from))).toMatchObject({
    status: 429,
    error: 'Too many failed sign-ins with this passkey. Please try again in 15 minutes.',
  });
  expect((await identity.logIn('limited@example.org', PASSWORD, from)).status).toBe(200);
  expect((await identity.signIn(authenticator, {}, { ...from, device })).status).toBe(200);
});

test('failed sign-ins with passkeys and with passwords use up the same tries of a network', async () => {
  const strict = await startPasskeys({ env: { SIGN_IN_TRIES_PER_ADDRESS: '2' } });
  onTestFinished(() => strict.stop());
  const from = { address: '198.51.100.9' };
  expect((await strict.logIn('no-one@example.org', 'wrong password', from)).status).toBe(401);
  expect((await strict.signIn(createAuthenticator(ORIGIN), {}, from)).status).toBe(401);
  expect((await strict.signIn(createAuthenticator(ORIGIN), {}, from)).status).toBe(429);
});

test('challenges are limited per network, and those that are over are removed', async () => {
  const strict = await startPasskeys({ env: { SIGN_IN_TRIES_PER_ADDRESS: '1' } });
  onTestFinished(() => strict.stop());
  const start = () => strict.send('POST', '/api/auth/passkey-login/options', { address: '198.51.100.9' });
  for (let times = 0; times < 20; times++) expect((await start()).status).toBe(200);
  expect((await start()).status).toBe(429);
  const count = async () => (await strict.database.query('SELECT 1 FROM identity.passkey_challenges')).length;
  expect(await count()).toBe(20);
  await strict.clock.advance(5 * MINUTE_MS);
  for (const job of strict.service.jobs) job.start();
  await expect.poll(count).toBe(0);
});
