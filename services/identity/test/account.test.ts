import { randomUUID } from 'node:crypto';
import type { User } from '@casewatch/contracts/identity';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { errorOf, type IdentityFixture, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';

let identity: IdentityFixture;
let me: { user: User; sid: string };
let nth = 0;
beforeAll(async () => {
  identity = await startIdentity({ env: { SIGN_UPS_PER_ADDRESS: '1000' } });
});
beforeEach(async () => {
  nth += 1;
  me = await identity.signUp(`person${nth}@example.org`);
});
afterAll(() => identity.stop());

const published = async (event: string) =>
  (await identity.published())
    .filter(({ name }) => name === event)
    .map(({ payload }) => payload as { userId: string });
const publishedOfMe = async (event: string) =>
  (await published(event)).filter(({ userId }) => userId === me.user.id);
const change = (method: string, path: string, body: unknown) =>
  identity.send(method, path, { as: me.user, sid: me.sid, body });

const deletedUser: User = {
  id: randomUUID(),
  firstName: 'No',
  lastName: 'One',
  email: 'deleted@example.org',
  role: null,
  tier: 'free',
  emailVerified: true,
  language: null,
};

test('the current user is who the identity token says', async () => {
  const other = await identity.signUp(`other${nth}@example.org`);
  const answer = await identity.send('GET', '/api/auth/me', { as: me.user, sid: other.sid });
  expect(await answer.json()).toEqual(me.user);
});

const SIGNED_IN_ROUTES = [
  ['GET', '/api/auth/me', undefined],
  ['PATCH', '/api/auth/me', { firstName: 'X' }],
  ['POST', '/api/auth/email', { email: 'x@example.org', currentPassword: PASSWORD }],
  ['POST', '/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' }],
  ['DELETE', '/api/auth/me', { currentPassword: PASSWORD }],
] as const;

test.each([...SIGNED_IN_ROUTES, ['POST', '/api/auth/logout-everywhere', undefined] as const])(
  '%s %s needs a signed-in user, and a cookie alone is none',
  async (method, path, body) => {
    const answer = await identity.send(method, path, { sid: me.sid, body });
    expect(await errorOf(answer)).toMatchObject({
      status: 401,
      code: 'SIGNED_OUT',
      error: 'Please sign in to continue.',
    });
  },
);

test.each(SIGNED_IN_ROUTES)('%s %s of a deleted account is signed out', async (method, path, body) => {
  const answer = await identity.send(method, path, { as: deletedUser, body });
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
});

test('name and role can be changed, each alone', async () => {
  expect(await (await change('PATCH', '/api/auth/me', { lastName: ' Byron ' })).json()).toEqual({
    ...me.user,
    lastName: 'Byron',
  });
  await change('PATCH', '/api/auth/me', { firstName: 'Ada Augusta' });
  const answer = await change('PATCH', '/api/auth/me', { role: 'Applicant' });
  expect(await answer.json()).toEqual({
    ...me.user,
    firstName: 'Ada Augusta',
    lastName: 'Byron',
    role: 'Applicant',
  });
  expect((await identity.resolve(me.sid))?.name).toBe('Ada Augusta');
});

test.each([null, '', '  '])('the role %j removes the role', async (role) => {
  await change('PATCH', '/api/auth/me', { role: 'Attorney' });
  expect(await (await change('PATCH', '/api/auth/me', { role })).json()).toMatchObject({ role: null });
});

test('a new name is published, a new role or the same name is not', async () => {
  await change('PATCH', '/api/auth/me', { role: 'Attorney' });
  await change('PATCH', '/api/auth/me', { firstName: 'Ada' });
  await change('PATCH', '/api/auth/me', {});
  expect(await publishedOfMe('user-changed')).toEqual([]);
  await change('PATCH', '/api/auth/me', { firstName: 'Augusta' });
  expect(await publishedOfMe('user-changed')).toEqual([
    {
      userId: me.user.id,
      name: 'Augusta Lovelace',
      tier: 'free',
      emailChanged: false,
      version: expect.any(Number),
    },
  ]);
});

test('of concurrent name changes the last published one is the stored one', async () => {
  await Promise.all(['B', 'C', 'D', 'E'].map((firstName) => change('PATCH', '/api/auth/me', { firstName })));
  const row = await identity.row(me.user.email);
  expect(await publishedOfMe('user-changed')).toHaveLength(4);
  expect((await publishedOfMe('user-changed')).at(-1)).toMatchObject({ name: `${row?.first_name} Lovelace` });
});

test.each([
  [{ firstName: '' }, 'firstName', 'First name is required'],
  [{ lastName: ' ' }, 'lastName', 'Last name is required'],
  [{ role: 'a\nb' }, 'role', 'Role must be a single line of text'],
])('the profile change %j is refused', async (body, path, message) => {
  const answer = await errorOf(await change('PATCH', '/api/auth/me', body));
  expect(answer).toMatchObject({ status: 400, code: 'VALIDATION' });
  expect(answer.details).toContainEqual({ path, message, messageKey: expect.any(String) });
});

test.each([{ tier: 'pro' }, { email: 'x@example.org' }, { id: randomUUID() }, { loginCount: 99 }])(
  'the profile can not be used to change %j',
  async (body) => {
    const answer = await change('PATCH', '/api/auth/me', body);
    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION' });
    expect(await (await identity.send('GET', '/api/auth/me', { as: me.user })).json()).toEqual(me.user);
  },
);

test('the email address can be changed with the password; the old one no longer signs in', async () => {
  const email = `New${nth}@Example.org`;
  const answer = await change('POST', '/api/auth/email', { email, currentPassword: PASSWORD });
  expect(await answer.json()).toEqual({ ...me.user, email });
  expect((await identity.logIn(email.toLowerCase())).status).toBe(200);
  expect((await identity.logIn(me.user.email)).status).toBe(401);
});

test('the e-mail address of another account is taken, one’s own in another case is not', async () => {
  const other = await identity.signUp(`taken${nth}@example.org`);
  const taken = { email: other.user.email.toUpperCase(), currentPassword: PASSWORD };
  expect(await errorOf(await change('POST', '/api/auth/email', taken))).toMatchObject({
    status: 409,
    code: 'EMAIL_TAKEN',
  });
  const same = { email: me.user.email, currentPassword: PASSWORD };
  expect((await change('POST', '/api/auth/email', same)).status).toBe(200);
  expect(await publishedOfMe('user-changed')).toEqual([]);
  const own = { email: me.user.email.toUpperCase(), currentPassword: PASSWORD };
  expect((await change('POST', '/api/auth/email', own)).status).toBe(200);
});

test('a wrong password changes no email address, and reveals nothing about the new one', async () => {
  const other = await identity.signUp(`secret${nth}@example.org`);
  const body = { email: other.user.email, currentPassword: 'wrong password' };
  expect(await errorOf(await change('POST', '/api/auth/email', body))).toMatchObject({
    status: 403,
    code: 'WRONG_PASSWORD',
  });
  expect(await identity.row(me.user.email)).toBeDefined();
});

test('a new password ends every other session; this browser continues under a new session id', async () => {
  const phone = sidOf(await identity.logIn(me.user.email));
  const body = { currentPassword: PASSWORD, newPassword: 'another password' };
  const answer = await change('POST', '/api/auth/password', body);
  expect(await answer.json()).toEqual(me.user);
  expect(await identity.resolve(me.sid)).toBeNull();
  expect(await identity.resolve(phone)).toBeNull();
  expect(await identity.resolve(sidOf(answer))).toMatchObject({ userId: me.user.id });
  expect((await identity.logIn(me.user.email, PASSWORD)).status).toBe(401);
  expect((await identity.logIn(me.user.email, 'another password')).status).toBe(200);
});

test('of parallel password changes one stands, and no session opened before it is left', async () => {
  const answers = await Promise.all(
    ['first new one', 'second new one', 'third new one'].map((newPassword) =>
      change('POST', '/api/auth/password', { currentPassword: PASSWORD, newPassword }),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  const sessions = await identity.database.query('SELECT 1 FROM identity.sessions WHERE user_id = $1', [
    me.user.id,
  ]);
  expect(sessions).toHaveLength(1);
});

test('a sign-in with the old password during a password change leaves no session behind', async () => {
  const [changed, signedIn] = await Promise.all([
    change('POST', '/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' }),
    identity.logIn(me.user.email, PASSWORD),
  ]);
  expect(changed.status).toBe(200);
  if (signedIn.status === 200) expect(await identity.resolve(sidOf(signedIn))).toBeNull();
  const sessions = await identity.database.query('SELECT 1 FROM identity.sessions WHERE user_id = $1', [
    me.user.id,
  ]);
  expect(sessions).toHaveLength(1);
});

test('a wrong password or a short new one changes no password and ends no session', async () => {
  const wrong = { currentPassword: 'wrong password', newPassword: 'another password' };
  expect(await errorOf(await change('POST', '/api/auth/password', wrong))).toMatchObject({
    status: 403,
    code: 'WRONG_PASSWORD',
  });
  const short = { currentPassword: PASSWORD, newPassword: '1234567' };
  expect(await errorOf(await change('POST', '/api/auth/password', short))).toMatchObject({
    status: 400,
    error: 'Password must be at least 8 characters',
  });
  expect(await identity.resolve(me.sid)).not.toBeNull();
  expect((await identity.logIn(me.user.email, PASSWORD)).status).toBe(200);
});

test('deleting the account removes it with all its sessions and publishes the deletion', async () => {
  const phone = sidOf(await identity.logIn(me.user.email));
  const answer = await change('DELETE', '/api/auth/me', { currentPassword: PASSWORD });
  expect(await answer.json()).toEqual({ ok: true });
  expect(answer.headers.getSetCookie()[0]).toMatch(/^sid=; Max-Age=0/);
  expect(await identity.row(me.user.email)).toBeUndefined();
  expect(await identity.resolve(me.sid)).toBeNull();
  expect(await identity.resolve(phone)).toBeNull();
  expect(await publishedOfMe('user-deleted')).toEqual([{ userId: me.user.id }]);
  expect((await identity.logIn(me.user.email)).status).toBe(401);
});

test('the address of a deleted account can sign up again, as another user', async () => {
  await change('DELETE', '/api/auth/me', { currentPassword: PASSWORD });
  expect((await identity.signUp(me.user.email)).user.id).not.toBe(me.user.id);
});

test('two tabs deleting the account publish it once', async () => {
  const answers = await Promise.all(
    [1, 2].map(() => change('DELETE', '/api/auth/me', { currentPassword: PASSWORD })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect(await publishedOfMe('user-deleted')).toHaveLength(1);
});

test('a wrong password deletes nothing', async () => {
  const answer = await change('DELETE', '/api/auth/me', { currentPassword: 'wrong password' });
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'WRONG_PASSWORD' });
  expect(await identity.resolve(me.sid)).not.toBeNull();
  expect(await publishedOfMe('user-deleted')).toEqual([]);
});

test('a changed password or a deletion affects no other account', async () => {
  const other = await identity.signUp(`bystander${nth}@example.org`);
  await change('POST', '/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' });
  await change('DELETE', '/api/auth/me', { currentPassword: 'another password' });
  expect(await identity.resolve(other.sid)).not.toBeNull();
  expect((await identity.logIn(other.user.email)).status).toBe(200);
});
