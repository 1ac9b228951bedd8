import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf, PASSWORD } from './identity-fixture.ts';
import { overtake } from './overtake.ts';
import { ORIGIN, type PasskeyFixture, startPasskeys } from './passkey-fixture.ts';
import { createAuthenticator } from './software-authenticator.ts';

let identity: PasskeyFixture;
beforeAll(async () => {
  identity = await startPasskeys();
});
afterAll(() => identity.stop());

const NEW_PASSWORD = "password_hash = 'new', device_key = 'new'";
/** As a reset of the password locks and changes an account. */
const changing = (columns: string) =>
  `WITH mine AS (SELECT id FROM users WHERE id = $1 FOR UPDATE) UPDATE users SET ${columns} FROM mine WHERE users.id = mine.id`;

test.each([
  ['changed', changing(NEW_PASSWORD)],
  ['gone with its account', 'DELETE FROM users WHERE id = $1'],
])('a password that is %s by the time it is checked sends no link to another address', async (what, sql) => {
  const { user } = await identity.verified(`mine-${what.length}@example.org`);
  const elsewhere = `elsewhere-${what.length}@example.org`;
  const answer = await overtake(identity.database, sql, [user.id], () =>
    identity.send('POST', '/api/auth/email', {
      as: user,
      body: { email: elsewhere, currentPassword: PASSWORD },
    }),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect(await identity.mailsTo(elsewhere)).toEqual([]);
});

test.each([
  ['a new password', NEW_PASSWORD],
  ['a sign-out everywhere', "device_key = 'new'"],
])('a passkey whose registration is overtaken by %s is not added', async (what, columns) => {
  const { user } = await identity.verified(`adds-${what.length}@example.org`);
  const attestation = createAuthenticator(ORIGIN).create(await identity.creation(user));
  const answer = await overtake(identity.database, changing(columns), [user.id], () =>
    identity.finishRegistration(user, attestation),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'PASSKEY_REFUSED' });
  expect(await identity.list(user)).toEqual([]);
});
