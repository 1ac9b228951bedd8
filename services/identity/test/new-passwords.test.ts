import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { createPasswordHasher } from '../src/domain/password/password-hasher.ts';
import { errorOf, PASSWORD, startIdentity } from './identity-fixture.ts';

const COMMON = 'This password is too common. Choose a longer or less predictable one.';
const PERSONAL = 'This password contains your name or email address. Choose one that is harder to guess.';

const identity = await forThisFile(startIdentity({ env: { SIGN_UPS_PER_ADDRESS: '5' } }));

const signUp = (password: string, email = 'grace.hopper@example.org') =>
  identity.send('POST', '/api/auth/signup', {
    body: { email, password, firstName: 'Grace', lastName: 'Hopper' },
    address: '198.51.100.1',
  });

test.each([
  ['password', COMMON],
  ['12345678', COMMON],
  ['QwertyUiop', COMMON],
  ['grace.hopper@example.org', PERSONAL],
  ['Hopper Grace', PERSONAL],
  ['short', 'Password must be at least 8 characters'],
])('the password %j is refused at sign-up', async (password, message) => {
  expect(await errorOf(await signUp(password))).toMatchObject({
    status: 400,
    code: 'VALIDATION',
    error: message,
    details: [{ path: 'password', message }],
  });
  expect(await identity.row('grace.hopper@example.org')).toBeUndefined();
});

test.each([64, 256])('a password of %d characters is taken whole', async (length) => {
  const email = `long${length}@example.org`;
  const password = 'a sentence '.repeat(24).slice(0, length - 1);
  const body = { email, password: `${password}!`, firstName: 'A', lastName: 'B' };
  const answer = await identity.send('POST', '/api/auth/signup', { body, address: '198.51.100.4' });
  expect(answer.status).toBe(201);
  expect((await identity.logIn(email, `${password}?`)).status).toBe(401);
  expect((await identity.logIn(email, password)).status).toBe(401);
  expect((await identity.logIn(email, `${password}!`)).status).toBe(200);
});

test('refused passwords use up no sign-ups', async () => {
  for (let nth = 0; nth < 6; nth++) await signUp('password');
  expect((await signUp(PASSWORD, 'hopper@example.org')).status).toBe(201);
});

test.each([
  ['password1', COMMON],
  ['ada.lovelace', PERSONAL],
])('a change to the password %j is refused', async (newPassword, message) => {
  const email = `ada.${newPassword}@example.org`;
  const { user: as, sid } = await identity.signUp(email, { address: '198.51.100.2' });
  const body = { currentPassword: PASSWORD, newPassword };
  expect(await errorOf(await identity.send('POST', '/api/auth/password', { as, body }))).toMatchObject({
    status: 400,
    error: message,
    details: [{ path: 'newPassword', message }],
  });
  expect(await identity.resolve(sid)).not.toBeNull();
  expect((await identity.logIn(email)).status).toBe(200);
});

test('an account that has a common password already can sign in with it', async () => {
  const { user } = await identity.signUp('old@example.org', { address: '198.51.100.3' });

  const hasher = await createPasswordHasher({ atOnce: 1, waiting: 0 });
  await identity.database.query('UPDATE identity.users SET password_hash = $1 WHERE id = $2', [
    await hasher.hash('password'),
    user.id,
  ]);
  expect((await identity.logIn('old@example.org', 'password')).status).toBe(200);
});
