import { checkDeviceSession, grantDeviceSession } from '@casewatch/contracts/device-sessions';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD, sidOf } from './identity-fixture.ts';
import { overtake } from './overtake.ts';
import { startRecovery } from './recovery-fixture.ts';

/** The sessions to whose devices push messages may go. */

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = 'another long sentence';

const identity = await forThisFile(startRecovery({ env: { SESSION_IDLE_HOURS: '2' } }));

interface Session {
  userId: string;
  sessionId: string;
}

const granted = async (answer: Response) => ((await answer.json()) as { granted: boolean }).granted;
const ask = (session: Session) => identity.send('POST', grantDeviceSession.path, { body: session });
const grant = async (session: Session) => granted(await ask(session));
const check = async (session: Session) =>
  granted(await identity.send('POST', checkDeviceSession.path, { body: session }));

async function sessionOf(sid: string): Promise<Session> {
  const { userId, sessionId } = (await identity.resolve(sid)) ?? {};
  if (!userId || !sessionId) throw new Error('there is no such session');
  return { userId, sessionId };
}

/** A user who gets push messages in the browser that signed up and in another. */
async function person(name: string) {
  const email = `${name}@example.org`;
  const { user, sid } = await identity.signUp(email);
  const phoneSid = sidOf(await identity.logIn(email));
  const [laptop, phone] = [await sessionOf(sid), await sessionOf(phoneSid)];
  expect(await grant(laptop)).toBe(true);
  expect(await grant(phone)).toBe(true);
  return { email, user, sid, phoneSid, laptop, phone };
}
type Person = Awaited<ReturnType<typeof person>>;

const ends = async ({ user }: Person) =>
  (await identity.published()).flatMap(({ name, payload }) => {
    const { userId, deviceSessionIds } = payload as { userId: string; deviceSessionIds: string[] };
    return name === 'user-sessions-ended' && userId === user.id ? [deviceSessionIds.toSorted()] : [];
  });
const both = ({ laptop, phone }: Person) => [laptop.sessionId, phone.sessionId].toSorted();

const everywhere = ({ user, sid }: Person) =>
  identity.send('POST', '/api/auth/logout-everywhere', { as: user, sid });
const fromList = ({ user, phone }: Person) =>
  identity.send('DELETE', `/api/auth/sessions/${phone.sessionId}`, { as: user });
const newPassword = ({ user, laptop }: Person) =>
  identity.send('POST', '/api/auth/password', {
    as: user,
    sessionId: laptop.sessionId,
    body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
  });
async function byMail({ email }: Person) {
  await identity.forgot(email);
  return identity.reset(await identity.linkTo(email, 'reset-password'), NEW_PASSWORD);
}

test.each<[string, (one: Person) => Promise<Response>, (one: Person) => string[], boolean]>([
  ['a sign-out everywhere', everywhere, both, false],
  ['a new password by e-mail', byMail, both, false],
  ['a new password', newPassword, ({ phone }) => [phone.sessionId], true],
  ['its end in the list of sessions', fromList, ({ phone }) => [phone.sessionId], true],
  [
    'a sign-out of its browser',
    ({ phoneSid: sid }) => identity.send('POST', '/api/auth/logout', { sid }),
    ({ phone }) => [phone.sessionId],
    true,
  ],
  [
    'a sign-up with another account in its browser',
    async ({ email, phoneSid: sid }) => {
      await identity.signUp(`other-${email}`, { sid });
      return new Response();
    },
    ({ phone }) => [phone.sessionId],
    true,
  ],
])(
  '%s ends the push messages to the devices of the sessions that it ends',
  async (what, end, ended, stays) => {
    const one = await person(`ends-${what.replaceAll(/\W/g, '-').toLowerCase()}`);
    expect((await end(one)).ok).toBe(true);
    expect(await check(one.phone)).toBe(false);
    expect(await check(one.laptop)).toBe(stays);
    expect(await ends(one)).toEqual([ended(one)]);
    expect(await grant(one.phone), 'it is not granted again').toBe(false);
  },
);

test('a device gets its messages also when its session has expired, until something ends all sessions', async () => {
  const one = await person('expires');
  await identity.clock.advance(3 * HOUR_MS);
  await identity.database.query('DELETE FROM identity.sessions WHERE user_id = $1', [one.user.id]);
  expect(await check(one.phone)).toBe(true);
  expect(await grant(one.phone), 'an expired session adds no device').toBe(false);
  await everywhere(one);
  expect(await check(one.phone)).toBe(false);
  expect(await ends(one)).toEqual([both(one)]);
});

test('a browser that signs in to the same account again keeps its push messages, and their end', async () => {
  const one = await person('again');
  const again = await identity.logIn(one.email, PASSWORD, { sid: one.phoneSid });
  expect(await sessionOf(sidOf(again))).toEqual(one.phone);
  expect(await identity.resolve(one.phoneSid)).toBeNull();
  expect(await check(one.phone)).toBe(true);
  expect(await ends(one)).toEqual([]);
  await fromList(one);
  expect(await check(one.phone)).toBe(false);
});

test('nothing is granted to a session of another user, and its user’s end ends nothing of others', async () => {
  const [one, two] = [await person('one'), await person('two')];
  expect(await grant({ ...one.phone, userId: two.user.id })).toBe(false);
  expect(await check({ ...one.phone, userId: two.user.id })).toBe(false);
  await everywhere(two);
  expect(await check(one.phone)).toBe(true);
});

test('of very many sessions with devices the latest keep them', async () => {
  const one = await person('many');
  await identity.database.query(
    `INSERT INTO identity.device_sessions (session_id, user_id, granted_at)
     SELECT gen_random_uuid(), $1, now() - interval '10 years' FROM generate_series(1, 200)`,
    [one.user.id],
  );
  expect(await grant(one.phone)).toBe(true);
  const count = 'SELECT count(*)::int AS n FROM identity.device_sessions WHERE user_id = $1';
  expect(await identity.database.query(count, [one.user.id])).toEqual([{ n: 100 }]);
  expect(await check(one.laptop)).toBe(true);
});

test.each([
  [
    'a sign-out everywhere',
    `WITH mine AS (UPDATE users SET device_key = 'other' WHERE id = $1 RETURNING id) DELETE FROM sessions USING mine WHERE user_id = mine.id`,
    false,
  ],
  ['its end in the list of sessions', 'DELETE FROM sessions WHERE user_id = $1', false],
  ['the deletion of its account', 'DELETE FROM users WHERE id = $1', false],
  [
    'a password change that continues it',
    `WITH mine AS (UPDATE users SET device_key = 'other' WHERE id = $1 RETURNING id)
     UPDATE sessions SET sid_hash = 'other ' || sid_hash FROM mine WHERE user_id = mine.id`,
    true,
  ],
])('a device that is saved while its session is ended by %s: granted %s', async (what, sql, expected) => {
  const { sid, user } = await identity.signUp(`races-${what.replaceAll(/\W/g, '-')}@example.org`);
  const session = await sessionOf(sid);
  const answer = await overtake(identity.database, sql, [user.id], () => ask(session));
  expect(await granted(answer)).toBe(expected);
  expect(await check(session)).toBe(expected);
});

test('the end of a session that waits for a device to be saved ends the device, too', async () => {
  const one = await person('waits');
  // As saving a device does, and not committed yet.
  const saving = `
    WITH mine AS (SELECT id FROM sessions WHERE id = $1 FOR SHARE)
    UPDATE device_sessions SET granted_at = now() FROM mine WHERE session_id = mine.id`;
  const answer = await overtake(identity.database, saving, [one.phone.sessionId], () => fromList(one));
  expect(answer.status).toBe(200);
  expect(await check(one.phone)).toBe(false);
});

test('a session that is continued while it is ended from the list ends under its new secret, too', async () => {
  const one = await person('continued');
  const continuing = `WITH mine AS (UPDATE users SET login_count = 9 WHERE id = $1 RETURNING id),
      moved AS (DELETE FROM sessions USING mine WHERE user_id = mine.id RETURNING sessions.*)
    INSERT INTO sessions SELECT 'new ' || sid_hash, user_id, created_at, last_seen_at, expires_at, ends_at, id, device, network FROM moved`;
  const answer = await overtake(identity.database, continuing, [one.user.id], () => fromList(one));
  expect(answer.status).toBe(200);
  const left = await identity.database.query<{ id: string }>(
    'SELECT id FROM identity.sessions WHERE user_id = $1',
    [one.user.id],
  );
  expect(left).toEqual([{ id: one.laptop.sessionId }]);
  expect(await check(one.phone)).toBe(false);
});

test('a deleted account takes its grants along', async () => {
  const one = await person('deleted');
  const body = { currentPassword: PASSWORD };
  await identity.send('DELETE', '/api/auth/me', { as: one.user, body });
  expect(await check(one.phone)).toBe(false);
});

test('a device is asked for by a user and a session', async () => {
  const answer = await identity.send('POST', checkDeviceSession.path, {
    body: { userId: 'x', sessionId: 'y' },
  });
  expect(await errorOf(answer)).toMatchObject({ status: 400 });
});
