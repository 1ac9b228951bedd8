import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorOf, type IdentityFixture, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let identity: IdentityFixture;
beforeEach(async () => {
  identity = await startIdentity({ env: { SESSION_IDLE_HOURS: '48', SESSION_MAX_DAYS: '5' } });
});
afterEach(() => identity.stop());

const lastSeen = async () => {
  const rows = await identity.database.query<{ last_seen_at: Date }>(
    'SELECT last_seen_at FROM identity.sessions',
  );
  return rows[0]?.last_seen_at.getTime();
};

test('a session has its user and its end if nothing else happens', async () => {
  const { user, sid } = await identity.signUp('ada@example.org');
  expect(await identity.resolve(sid)).toEqual({
    userId: user.id,
    sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    tier: 'free',
    name: 'Ada',
    expiresAt: new Date(identity.clock.nowMs() + 48 * HOUR_MS).toISOString(),
  });
});

test('a session that is not used for the idle time ends', async () => {
  const { sid } = await identity.signUp('idle@example.org');
  await identity.clock.advance(48 * HOUR_MS - 1);
  expect(await identity.resolve(sid)).not.toBeNull();
  await identity.clock.advance(48 * HOUR_MS);
  expect(await identity.resolve(sid)).toBeNull();
});

test('a session in use continues past the idle time, and ends at its absolute end all the same', async () => {
  const { sid } = await identity.signUp('busy@example.org');
  const endsAt = identity.clock.nowMs() + 5 * DAY_MS;
  for (let day = 1; day < 5; day++) {
    await identity.clock.advance(DAY_MS);
    expect(await identity.resolve(sid)).not.toBeNull();
  }
  expect((await identity.resolve(sid))?.expiresAt).toBe(new Date(endsAt).toISOString());
  await identity.clock.advance(DAY_MS);
  expect(await identity.resolve(sid)).toBeNull();
});

test('use is written down at most once a minute', async () => {
  const { sid } = await identity.signUp('write@example.org');
  const signedUpAt = identity.clock.nowMs();
  await identity.clock.advance(59_999);
  await identity.resolve(sid);
  expect(await lastSeen()).toBe(signedUpAt);
  await identity.clock.advance(1);
  await identity.resolve(sid);
  expect(await lastSeen()).toBe(signedUpAt + 60_000);
});

test('only the hash of a session id is stored', async () => {
  const { sid } = await identity.signUp('hash@example.org');
  const rows = await identity.database.query('SELECT * FROM identity.sessions');
  expect(rows[0]).toMatchObject({ sid_hash: createHash('sha256').update(sid).digest('hex') });
  expect(JSON.stringify(rows)).not.toContain(sid);
});

test('the stored form of a session does not work as a cookie', async () => {
  const { sid } = await identity.signUp('leak@example.org');
  expect(await identity.resolve(createHash('sha256').update(sid).digest('hex'))).toBeNull();
});

test('session ids have 256 random bits', async () => {
  const ids = new Set<string>();
  for (let nth = 0; nth < 5; nth++) ids.add((await identity.signUp(`n${nth}@example.org`)).sid);
  expect(ids.size).toBe(5);
  for (const sid of ids) expect(Buffer.from(sid, 'base64url')).toHaveLength(32);
});

test.each([
  ['empty', ''],
  ['random', 'A'.repeat(43)],
  ['SQL', "' OR '1'='1"],
  ['NUL', 'abc\u0000def'],
  ['not ASCII', 'сессия-🔑'],
])('a forged session id (%s) belongs to no user', async (_kind, sid) => {
  await identity.signUp('somebody@example.org');
  expect(await identity.resolve(sid)).toBeNull();
});

test('a session id with one changed character is unknown', async () => {
  const { sid } = await identity.signUp('near@example.org');
  const changed = (sid.startsWith('A') ? 'B' : 'A') + sid.slice(1);
  expect(await identity.resolve(changed)).toBeNull();
});

test('an overlong session id is refused', async () => {
  const answer = await identity.send('POST', '/internal/identity/resolve-session', {
    body: { sid: 'x'.repeat(201) },
  });
  expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION' });
});

test('sessions are resolved for other processes of the product only', async () => {
  const { sid, user } = await identity.signUp('internal@example.org');
  const answer = await identity.send('POST', '/internal/identity/resolve-session', {
    as: user,
    body: { sid },
    headers: { 'x-casewatch-internal': 'a guess' },
  });
  expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('signing out ends the session of this browser and removes the cookie', async () => {
  const { sid } = await identity.signUp('out@example.org');
  const otherSession = sidOf(await identity.logIn('out@example.org'));
  const answer = await identity.send('POST', '/api/auth/logout', { sid });
  expect(await answer.json()).toEqual({ ok: true });
  expect(answer.headers.getSetCookie()[0]).toMatch(/^sid=; Max-Age=0; Path=\/;.*HttpOnly/);
  expect(await identity.resolve(sid)).toBeNull();
  expect(await identity.resolve(otherSession)).not.toBeNull();
});

test('two tabs signing out, one after the other or together, both succeed', async () => {
  const { sid } = await identity.signUp('tabs@example.org');
  const together = await Promise.all([1, 2].map(() => identity.send('POST', '/api/auth/logout', { sid })));
  const later = await identity.send('POST', '/api/auth/logout', { sid });
  expect([...together, later].map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('signing out without a session is no error', async () => {
  expect((await identity.send('POST', '/api/auth/logout')).status).toBe(200);
});

test('signing out everywhere ends every session of the account and of no other', async () => {
  const mine = await identity.signUp('every@example.org');
  const phone = sidOf(await identity.logIn('every@example.org'));
  const other = await identity.signUp('other@example.org');
  const answer = await identity.send('POST', '/api/auth/logout-everywhere', { as: mine.user, sid: mine.sid });
  expect(await answer.json()).toEqual({ ok: true });
  expect(answer.headers.getSetCookie()[0]).toMatch(/^sid=; Max-Age=0/);
  expect(await identity.resolve(mine.sid)).toBeNull();
  expect(await identity.resolve(phone)).toBeNull();
  expect(await identity.resolve(other.sid)).not.toBeNull();
});

test('the background job removes expired sessions only, and stops at once', async () => {
  await identity.signUp('over@example.org');
  await identity.clock.advance(47 * HOUR_MS);
  const { sid } = await identity.signUp('going@example.org');
  const [job] = identity.service.jobs;
  job?.start();
  await identity.clock.advance(HOUR_MS);
  const left = () => identity.database.query('SELECT 1 FROM identity.sessions');
  await expect
    .poll(async () => {
      await identity.clock.advance(10 * 60_000);
      return (await left()).length;
    })
    .toBe(1);
  expect(await identity.resolve(sid)).not.toBeNull();
  await job?.stop();
});

test('an expired session does not come back by signing out or being used', async () => {
  const { sid } = await identity.signUp('dead@example.org');
  await identity.clock.advance(49 * HOUR_MS);
  await identity.send('POST', '/api/auth/logout', { sid });
  expect(await identity.resolve(sid)).toBeNull();
  expect((await identity.logIn('dead@example.org', PASSWORD, { sid })).status).toBe(200);
});
