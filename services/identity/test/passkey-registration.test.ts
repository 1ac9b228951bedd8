import { randomUUID } from 'node:crypto';
import type { User } from '@casewatch/contracts/identity';
import { PASSKEYS_MAX } from '@casewatch/contracts/limits';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD } from './identity-fixture.ts';
import { overtake } from './overtake.ts';
import { ORIGIN, startPasskeys } from './passkey-fixture.ts';
import { createAuthenticator, type Deviation } from './software-authenticator.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
const REFUSED = { status: 403, code: 'PASSKEY_REFUSED' };

const identity = await forThisFile(startPasskeys());

test('a registration asks for a passkey of this site that verifies its user and needs no typed address', async () => {
  const { user } = await identity.signUp('asks@example.org');
  const handle = Buffer.from(user.id.replaceAll('-', ''), 'hex').toString('base64url');
  expect(await identity.creation(user)).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    rp: { id: 'localhost', name: 'Casewatch' },
    user: { id: handle, name: 'asks@example.org', displayName: 'Ada Lovelace' },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: [],
  });
});

test('a proof is asked of the passkeys of the account, which verify their user', async () => {
  const { user, authenticator } = await identity.withPasskey('asked@example.org');
  expect(await identity.startProof(user)).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    rpId: 'localhost',
    userVerification: 'required',
    allowCredentials: [{ id: authenticator.id, type: 'public-key', transports: expect.any(Array) }],
  });
});

test('the site of a passkey is that of PUBLIC_URL, whatever Host a request names', async () => {
  const { user } = await identity.signUp('host@example.org');
  const answer = await identity.send('POST', '/api/auth/passkeys/registration', {
    as: user,
    body: { proof: { currentPassword: PASSWORD } },
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' },
  });
  expect(await answer.json()).toMatchObject({ rp: { id: 'localhost' } });
});

test.each([
  { format: 'none', backedUp: true, isSynced: true },
  { format: 'packed', backedUp: false, isSynced: false },
] as const)('a passkey with the attestation $format is added and listed', async ({ isSynced, ...how }) => {
  const { user } = await identity.signUp(`${how.format}@example.org`);
  const { passkey, authenticator } = await identity.addPasskey(user, how);
  expect(passkey).toMatchObject({ isSynced, lastUsedAt: null });
  expect(await identity.list(user)).toEqual([passkey]);
  expect((await identity.creation(user)).excludeCredentials).toMatchObject([{ id: authenticator.id }]);
});

test('a passkey is named after the browser until its owner renames it', async () => {
  const { user } = await identity.signUp('rename@example.org');
  const answer = await identity.send('POST', '/api/auth/passkeys', {
    as: user,
    headers: { 'user-agent': FIREFOX },
    body: { attestation: createAuthenticator(ORIGIN).create(await identity.creation(user)) },
  });
  const { id, name } = (await answer.json()) as { id: string; name: string };
  expect(name).toBe('Firefox on Windows');
  const rename = (newName: string) =>
    identity.send('PATCH', `/api/auth/passkeys/${id}`, { as: user, body: { name: newName } });
  expect((await rename(' Work laptop ')).status).toBe(200);
  expect(await identity.list(user)).toMatchObject([{ id, name: 'Work laptop' }]);
  expect((await rename(' ')).status).toBe(400);
});

test('the owner gets an e-mail when a passkey is added, and when one is removed', async () => {
  const { user, passkey } = await identity.withPasskey('mails@example.org');
  expect(await identity.kindsTo('mails@example.org')).toEqual(['passkey-added']);
  expect((await identity.remove(user, passkey.id)).status).toBe(200);
  expect(await identity.kindsTo('mails@example.org')).toEqual(['passkey-added', 'passkey-removed']);
});

test('adding and removing a passkey needs the password or a passkey', async () => {
  const { user, passkey, authenticator } = await identity.withPasskey('proof@example.org');
  const wrong = { currentPassword: 'not the password' };
  expect(await errorOf(await identity.startRegistration(user, wrong))).toMatchObject({
    code: 'WRONG_PASSWORD',
  });
  expect(await errorOf(await identity.remove(user, passkey.id, wrong))).toMatchObject({
    code: 'WRONG_PASSWORD',
  });
  expect((await identity.startRegistration(user, {})).status).toBe(400);
  const byPasskey = async () => ({ passkey: authenticator.get(await identity.startProof(user)) });
  expect((await identity.startRegistration(user, await byPasskey())).status).toBe(200);
  expect((await identity.remove(user, passkey.id, await byPasskey())).status).toBe(200);
  expect(await identity.list(user)).toEqual([]);
});

test('a proof is given by a passkey of the same account, and by an answer to a challenge for a proof', async () => {
  const ada = await identity.withPasskey('own-proof@example.org');
  const eve = await identity.withPasskey('eve-proof@example.org');
  const foreign = eve.authenticator.get(await identity.startProof(ada.user));
  expect(await errorOf(await identity.startRegistration(ada.user, { passkey: foreign }))).toMatchObject(
    REFUSED,
  );
  const ofSignIn = ada.authenticator.get(await identity.startSignIn());
  expect(await errorOf(await identity.startRegistration(ada.user, { passkey: ofSignIn }))).toMatchObject(
    REFUSED,
  );
  const ofEve = ada.authenticator.get(await identity.startProof(eve.user));
  expect(await errorOf(await identity.startRegistration(ada.user, { passkey: ofEve }))).toMatchObject(
    REFUSED,
  );
});

const BAD: [string, Deviation][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['the hash of another site', { rpId: 'evil.example' }],
  ['no user verification', { userVerified: false }],
  ['the type of a sign-in', { type: 'webauthn.get' }],
  ['a challenge that was never issued', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['CBOR that is cut off', { truncatedBy: 40 }],
  ['an attestation that was not asked for', { format: 'apple' }],
];
test.each(BAD)('an answer with %s adds nothing', async (_what, how) => {
  const { user } = await identity.signUp(`${randomUUID()}@example.org`);
  const attestation = createAuthenticator(ORIGIN).create(await identity.creation(user), how);
  expect(await errorOf(await identity.finishRegistration(user, attestation))).toMatchObject(REFUSED);
  expect(await identity.list(user)).toEqual([]);
});

test('a challenge is taken by its first answer, also a wrong one', async () => {
  const { user } = await identity.signUp('replay@example.org');
  const creation = await identity.creation(user);
  const authenticator = createAuthenticator(ORIGIN);
  const wrong = authenticator.create(creation, { userVerified: false });
  expect((await identity.finishRegistration(user, wrong)).status).toBe(403);
  const right = authenticator.create(creation);
  expect(await errorOf(await identity.finishRegistration(user, right))).toMatchObject(REFUSED);
});

test('a challenge lasts five minutes', async () => {
  const { user } = await identity.signUp('expired@example.org');
  const attestation = createAuthenticator(ORIGIN).create(await identity.creation(user));
  await identity.clock.advance(5 * 60_000);
  expect(await errorOf(await identity.finishRegistration(user, attestation))).toMatchObject(REFUSED);
});

test('a challenge is for the account that asked for it, and ends with a change of the password', async () => {
  const ada = await identity.signUp('for-ada@example.org');
  const eve = await identity.signUp('for-eve@example.org');
  const attestation = createAuthenticator(ORIGIN).create(await identity.creation(ada.user));
  expect(await errorOf(await identity.finishRegistration(eve.user, attestation))).toMatchObject(REFUSED);
  const body = { currentPassword: PASSWORD, newPassword: 'another long sentence' };
  expect((await identity.send('POST', '/api/auth/password', { as: ada.user, body })).status).toBe(200);
  expect(await errorOf(await identity.finishRegistration(ada.user, attestation))).toMatchObject(REFUSED);
});

test('a challenge ends with a sign-out everywhere, and with a reset of the password', async () => {
  const ends: [string, (user: User) => Promise<Response>][] = [
    ['out@example.org', (as) => identity.send('POST', '/api/auth/logout-everywhere', { as })],
    [
      'forgot@example.org',
      async ({ email }) => {
        await identity.forgot(email);
        return identity.reset(await identity.linkTo(email, 'reset-password'), 'another long sentence');
      },
    ],
  ];
  for (const [email, end] of ends) {
    const { user } = await identity.signUp(email);
    const attestation = createAuthenticator(ORIGIN).create(await identity.creation(user));
    expect((await end(user)).status).toBe(200);
    expect(await errorOf(await identity.finishRegistration(user, attestation))).toMatchObject(REFUSED);
  }
});

test.each([
  ['a sign-out everywhere', "device_key = 'new'"],
  ['a new password', "password_hash = 'new', device_key = 'new'"],
])('a registration that %s overtakes does not begin', async (what, columns) => {
  const { user } = await identity.signUp(`${what.replaceAll(' ', '-')}@example.org`);
  const answer = await overtake(
    identity.database,
    `UPDATE users SET ${columns} WHERE id = $1`,
    [user.id],
    () => identity.startRegistration(user),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
});

test('a passkey belongs to one account', async () => {
  const { authenticator } = await identity.withPasskey('first@example.org');
  const other = await identity.signUp('second@example.org');
  const again = authenticator.create(await identity.creation(other.user));
  expect(await errorOf(await identity.finishRegistration(other.user, again))).toMatchObject(REFUSED);
});

test('no one renames or removes a passkey of another account', async () => {
  const ada = await identity.withPasskey('hers@example.org');
  const eve = await identity.signUp('not-hers@example.org');
  expect((await identity.remove(eve.user, ada.passkey.id)).status).toBe(404);
  const rename = { as: eve.user, body: { name: 'Mine' } };
  expect((await identity.send('PATCH', `/api/auth/passkeys/${ada.passkey.id}`, rename)).status).toBe(404);
  expect(await identity.list(ada.user)).toEqual([ada.passkey]);
});

test('an account has a limited number of passkeys', async () => {
  const { user } = await identity.signUp('many@example.org');
  const late = createAuthenticator(ORIGIN).create(await identity.creation(user));
  await identity.database.query(
    `INSERT INTO identity.passkeys (id, credential_id, user_id, public_key, counter, transports, synced, name, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, '', 0, '{}', false, 'x', now() FROM generate_series(1, $2::int)`,
    [user.id, PASSKEYS_MAX],
  );
  expect(await errorOf(await identity.startRegistration(user))).toMatchObject({
    status: 409,
    code: 'PASSKEY_LIMIT',
  });
  expect(await errorOf(await identity.finishRegistration(user, late))).toMatchObject({
    code: 'PASSKEY_LIMIT',
  });
});

test('passkeys and challenges go with the account', async () => {
  const { user } = await identity.withPasskey('deleted@example.org');
  await identity.creation(user);
  const body = { currentPassword: PASSWORD };
  expect((await identity.send('DELETE', '/api/auth/me', { as: user, body })).status).toBe(200);
  const left = await identity.database.query(
    `SELECT user_id FROM identity.passkeys WHERE user_id = $1
     UNION ALL SELECT user_id FROM identity.passkey_challenges WHERE user_id = $1`,
    [user.id],
  );
  expect(left).toEqual([]);
  expect((await identity.send('POST', '/api/auth/passkeys/proof', { as: user })).status).toBe(401);
});
