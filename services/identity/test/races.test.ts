import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorOf, type IdentityFixture, PASSWORD, startIdentity } from './identity-fixture.ts';
import { overtake } from './overtake.ts';

let identity: IdentityFixture;
beforeEach(async () => {
  identity = await startIdentity();
});
afterEach(() => identity.stop());

const overtaking = (sql: string, parameters: unknown[], request: () => Promise<Response>) =>
  overtake(identity.database, sql, parameters, request);

test('a name change is published even when it only undoes a concurrent one', async () => {
  const { user } = await identity.signUp('name@example.org');
  await overtaking("UPDATE users SET first_name = 'Overtaken' WHERE id = $1", [user.id], () =>
    identity.send('PATCH', '/api/auth/me', { as: user, body: { firstName: 'Ada' } }),
  );
  expect((await identity.published()).at(-1)).toMatchObject({
    name: 'user-changed',
    payload: { name: 'Ada Lovelace' },
  });
});

test('a password changed during its check does not sign in', async () => {
  const { user } = await identity.signUp('login@example.org');
  const answer = await overtaking("UPDATE users SET password_hash = 'new' WHERE id = $1", [user.id], () =>
    identity.logIn('login@example.org'),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  expect((await identity.published()).filter(({ name }) => name === 'user-logged-in')).toEqual([]);
});

test.each([
  ['POST', '/api/auth/email', { email: 'other@example.org', currentPassword: PASSWORD }],
  ['POST', '/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' }],
  ['DELETE', '/api/auth/me', { currentPassword: PASSWORD }],
])(
  '%s %s with a password that is changed while it is being checked changes nothing',
  async (method, path, body) => {
    const { user } = await identity.signUp('mine@example.org');
    const answer = await overtaking("UPDATE users SET password_hash = 'new' WHERE id = $1", [user.id], () =>
      identity.send(method, path, { as: user, body }),
    );
    expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
    expect(await identity.row('mine@example.org')).toMatchObject({ password_hash: 'new' });
    expect(await identity.row('other@example.org')).toBeUndefined();
  },
);

test('an account deleted during a sign-in does not sign in', async () => {
  const { user } = await identity.signUp('deleted@example.org');
  const answer = await overtaking('DELETE FROM users WHERE id = $1', [user.id], () =>
    identity.logIn('deleted@example.org'),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
});
