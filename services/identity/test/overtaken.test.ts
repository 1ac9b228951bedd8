import type { PasskeyCreation } from '@casewatch/contracts/passkeys';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD, sidOf } from './identity-fixture.ts';
import { overtake } from './overtake.ts';
import { ORIGIN, startPasskeys } from './passkey-fixture.ts';
import { createAuthenticator } from './software-authenticator.ts';

const identity = await forThisFile(startPasskeys());

const NEW_PASSWORD = "password_hash = 'new', device_key = 'new'";
/** As a reset of the password locks and changes an account. */
const changing = (columns: string) =>
  `WITH mine AS (SELECT id FROM users WHERE id = $1 FOR UPDATE) UPDATE users SET ${columns} FROM mine WHERE users.id = mine.id`;

test.each([
  ['changed', changing(NEW_PASSWORD)],
  ['deleted with its account', 'DELETE FROM users WHERE id = $1'],
])('a password that is %s by the time it is checked sends no link to another address', async (what, sql) => {
  const { user } = await identity.verified(`mine-${what.length}@example.org`);
  const otherEmail = `new-address-${what.length}@example.org`;
  const answer = await overtake(identity.database, sql, [user.id], () =>
    identity.send('POST', '/api/auth/email', {
      as: user,
      body: { email: otherEmail, currentPassword: PASSWORD },
    }),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect(await identity.mailsTo(otherEmail)).toEqual([]);
});

const ENDS: [string, string][] = [
  ['a new password', NEW_PASSWORD],
  ['a sign-out everywhere', "device_key = 'new'"],
];

test.each(ENDS)('a passkey whose registration is overtaken by %s is not added', async (what, columns) => {
  const { user } = await identity.verified(`adds-${what.length}@example.org`);
  const attestation = createAuthenticator(ORIGIN).create(await identity.creation(user));
  const answer = await overtake(identity.database, changing(columns), [user.id], () =>
    identity.finishRegistration(user, attestation),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'PASSKEY_REFUSED' });
  expect(await identity.list(user)).toEqual([]);
});

test.each(ENDS)('a deletion that is overtaken by %s deletes nothing', async (what, columns) => {
  const { user } = await identity.verified(`deletes-${what.length}@example.org`);
  const answer = await overtake(identity.database, changing(columns), [user.id], () =>
    identity.send('DELETE', '/api/auth/me', { as: user, body: { currentPassword: PASSWORD } }),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect(await identity.row(user.email)).toMatchObject({ id: user.id });
});

test.each(ENDS)(
  'a change to another spelling that is overtaken by %s changes nothing',
  async (what, columns) => {
    const { user } = await identity.verified(`spells-${what.length}@example.org`);
    const body = { email: user.email.toUpperCase(), currentPassword: PASSWORD };
    const answer = await overtake(identity.database, changing(columns), [user.id], () =>
      identity.send('POST', '/api/auth/email', { as: user, body }),
    );
    expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
    expect(await identity.row(user.email)).toMatchObject({ email: user.email });
  },
);

test.each(ENDS)('the removal of a passkey that is overtaken by %s removes nothing', async (what, columns) => {
  const { user, passkey } = await identity.withPasskey(`removes-${what.length}@example.org`);
  const answer = await overtake(identity.database, changing(columns), [user.id], () =>
    identity.remove(user, passkey.id),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect(await identity.list(user)).toEqual([passkey]);
});

test('a passkey that was removed ends the registration that it allowed', async () => {
  const { user, passkey, authenticator } = await identity.withPasskey('lost@example.org');
  const proof = { passkey: authenticator.get(await identity.startProof(user)) };
  const creation = (await (await identity.startRegistration(user, proof)).json()) as PasskeyCreation;
  expect((await identity.remove(user, passkey.id)).status).toBe(200);
  const answer = await identity.finishRegistration(user, createAuthenticator(ORIGIN).create(creation));
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'PASSKEY_REFUSED' });
  expect(await identity.list(user)).toEqual([]);
});

test('a passkey that is removed while its proof is checked begins no registration', async () => {
  const { user, authenticator } = await identity.withPasskey('lost-in-between@example.org');
  const proof = { passkey: authenticator.get(await identity.startProof(user)) };
  const answer = await overtake(
    identity.database,
    'SELECT 1 FROM users WHERE id = $1 FOR UPDATE',
    [user.id],
    () => identity.startRegistration(user, proof),
    'DELETE FROM passkeys WHERE user_id = $1',
  );
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'PASSKEY_REFUSED' });
});

test('a session that is ended in the list while its password is changed is not continued, and nothing changes', async () => {
  const email = 'ended@example.org';
  const { user } = await identity.verified(email);
  const { sessionId } = (await identity.resolve(sidOf(await identity.logIn(email)))) ?? {};
  const body = { currentPassword: PASSWORD, newPassword: 'another long sentence' };
  const answer = await overtake(
    identity.database,
    'WITH mine AS (SELECT id FROM users WHERE id = $1 FOR UPDATE) DELETE FROM sessions USING mine WHERE user_id = mine.id',
    [user.id],
    () => identity.send('POST', '/api/auth/password', { as: user, sessionId, body }),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect((await identity.logIn(email)).status).toBe(200);
});
