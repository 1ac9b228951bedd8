import { PASSKEYS_MAX } from '@casewatch/contracts/limits';
import type { Passkey, PasskeyCreation, PasskeyRequest } from '@casewatch/contracts/passkeys';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { cookiesOf, OWNER_SESSION, PASSWORD, startAdministrators } from './administrators-fixture.ts';
import { errorOf } from './identity-fixture.ts';
import { overtake } from './overtake.ts';
import { ORIGIN } from './passkey-fixture.ts';
import { type Authenticator, createAuthenticator, type Deviation } from './software-authenticator.ts';

const admins = await forThisFile(startAdministrators());

const REFUSED = { status: 401, code: 'INVALID_CREDENTIALS' };

const asSelf = (method: string, path: string, administratorId: string, body?: unknown) =>
  admins.call(method, `/api/admin/passkeys${path}`, {
    adminSession: OWNER_SESSION,
    administratorId,
    ...(body === undefined ? {} : { body }),
  });
const start = (id: string, key: string, password = PASSWORD) =>
  asSelf('POST', '/registration', id, { password, code: admins.codeOf(key) });

async function addPasskey({ id, key }: { id: string; key: string }) {
  const authenticator = createAuthenticator(ORIGIN);
  const creation = (await (await start(id, key)).json()) as PasskeyCreation;
  const answer = await asSelf('POST', '', id, { attestation: authenticator.create(creation) });
  expect(answer.status).toBe(201);
  await admins.clock.advance(30_000);
  return { authenticator, passkey: (await answer.json()) as Passkey };
}

async function signIn(
  authenticator: Authenticator,
  how: Deviation = {},
  from: { address?: string; cookie?: string } = {},
) {
  const request = (await (await admins.post('passkey-login/options', undefined)).json()) as PasskeyRequest;
  return admins.post('passkey-login', { assertion: authenticator.get(request, how) }, from);
}

const actionsOf = async (administratorId: string) =>
  (await admins.audit())
    .map((entry) => entry as { action: string; actorId?: string; subject: string; details: object })
    .filter(({ actorId, subject }) => [actorId, subject.split(':')[1]].includes(administratorId));

test('a passkey that was added after password and code opens the area, and the audit trail says how', async () => {
  const grace = await admins.join('grace@example.org', 'auditor');
  const { authenticator, passkey } = await addPasskey(grace);
  const answer = await signIn(authenticator);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ admin: { name: 'Grace Hopper', role: 'auditor' } });
  expect(await admins.resolveAdmin(cookiesOf(answer).sid)).toMatchObject({ administratorId: grace.id });
  await admins.signIn('grace@example.org', admins.codeOf(grace.key));
  const entries = await actionsOf(grace.id);
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'administrator.passkey-added', details: { name: passkey.name } }),
  );
  expect(entries.filter(({ action }) => action === 'session.opened').map(({ details }) => details)).toEqual([
    {},
    { method: 'passkey' },
    { method: 'password and code' },
  ]);
});

test('a passkey is added with the right password and code only, each code once', async () => {
  const ada = await admins.join('ada@example.org');
  expect(await errorOf(await start(ada.id, ada.key, 'not the password'))).toMatchObject({
    code: 'WRONG_PASSWORD',
  });
  const started = await start(ada.id, ada.key);
  expect(await started.json()).toMatchObject({
    user: { name: 'ada@example.org (admin area)', displayName: 'Grace Hopper' },
  });
  expect(await errorOf(await start(ada.id, ada.key))).toMatchObject({ code: 'WRONG_PASSWORD' });
});

test('the passcode, which belongs to no one, has no passkeys', async () => {
  const call = (method: string, path: string, body?: unknown) =>
    admins.call(method, `/api/admin/passkeys${path}`, {
      adminSession: OWNER_SESSION,
      ...(body ? { body } : {}),
    });
  expect(await (await call('GET', '')).json()).toEqual([]);
  const refused = await call('POST', '/registration', { password: PASSWORD, code: '123456' });
  expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
});

const BAD: [string, Deviation][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['no user verification', { userVerified: false }],
  ['a forged signature', { forged: true }],
  ['a counter that goes back', { counter: 0 }],
];
test('wrong answers open nothing, read alike and go to the audit trail', async () => {
  const eve = await admins.join('eve@example.org');
  const { authenticator } = await addPasskey(eve);
  expect((await signIn(authenticator, { counter: 5 })).status).toBe(200);
  for (const [what, how] of BAD) {
    expect(await errorOf(await signIn(authenticator, how)), what).toMatchObject(REFUSED);
  }
  expect(await errorOf(await signIn(createAuthenticator(ORIGIN), { userHandle: 'AAAA' }))).toMatchObject(
    REFUSED,
  );
  const refusals = (await actionsOf(eve.id)).filter(({ action }) => action === 'session.refused');
  expect(refusals.map(({ details }) => details)).toEqual(
    BAD.map(() => ({ reason: 'wrong or unknown passkey' })),
  );
});

test('failures of a passkey are limited and audited, and keep no known browser out', async () => {
  const ruth = await admins.join('ruth@example.org');
  const { authenticator } = await addPasskey(ruth);
  for (let nth = 1; nth <= 10; nth++) {
    const from = { address: `203.0.113.${nth}` };
    expect((await signIn(authenticator, { forged: true }, from)).status).toBe(401);
  }
  const from = { address: '203.0.113.200' };
  expect(await errorOf(await signIn(authenticator, {}, from))).toMatchObject({ code: 'RATE_LIMITED' });
  expect((await actionsOf(ruth.id)).at(-1)).toMatchObject({ details: { reason: 'too many tries' } });
  const known = await signIn(authenticator, {}, { ...from, cookie: ruth.device });
  expect(known.status).toBe(200);
  const { device } = cookiesOf(known);
  expect((await signIn(authenticator, {}, { ...from, cookie: device })).status).toBe(200);
});

test('an administrator has a limited number of passkeys', async () => {
  const { id, attestation, key } = await begin('many@example.org');
  await admins.database.query(
    `INSERT INTO identity.passkeys (id, credential_id, administrator_id, public_key, counter, transports, synced, name, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, '', 0, '{}', false, 'x', now() FROM generate_series(1, $2::int)`,
    [id, PASSKEYS_MAX],
  );
  const limited = { status: 409, code: 'PASSKEY_LIMIT' };
  expect(await errorOf(await start(id, key))).toMatchObject(limited);
  expect(await errorOf(await asSelf('POST', '', id, { attestation }))).toMatchObject(limited);
});

test('a challenge for users opens no admin area, and a passkey of an administrator no account', async () => {
  const kay = await admins.join('kay@example.org');
  const { authenticator } = await addPasskey(kay);
  const users = await admins.send('POST', '/api/auth/passkey-login/options');
  const assertion = authenticator.get((await users.json()) as PasskeyRequest);
  expect((await admins.post('passkey-login', { assertion })).status).toBe(401);
  const again = await admins.send('POST', '/api/auth/passkey-login/options');
  const body = { assertion: authenticator.get((await again.json()) as PasskeyRequest) };
  expect((await admins.send('POST', '/api/auth/passkey-login', { body })).status).toBe(401);
});

test('a removed passkey opens nothing, and no one removes that of another administrator', async () => {
  const joan = await admins.join('joan@example.org');
  const other = await admins.join('other@example.org');
  const { authenticator, passkey } = await addPasskey(joan);
  expect((await asSelf('DELETE', `/${passkey.id}`, other.id)).status).toBe(404);
  expect((await asSelf('DELETE', `/${passkey.id}`, joan.id)).status).toBe(200);
  expect((await signIn(authenticator)).status).toBe(401);
  expect((await actionsOf(joan.id)).map(({ action }) => action)).toContain('administrator.passkey-removed');
});

test('a new invitation that is accepted ends the passkeys of before, and so does removing the administrator', async () => {
  const lin = await admins.join('lin@example.org', 'auditor');
  const { authenticator } = await addPasskey(lin);
  const renewed = await admins.asOwner('POST', `/${lin.id}/invitation`);
  const { link } = (await renewed.json()) as { link: string };
  const token = new URL(link).hash.slice(1);
  expect((await signIn(authenticator)).status).toBe(200);
  const { secret } = await admins.open(token);
  expect((await admins.accept(token, secret)).status).toBe(200);
  expect((await signIn(authenticator)).status).toBe(401);
  await admins.clock.advance(30_000);
  const next = await addPasskey({ id: lin.id, key: secret });
  expect((await admins.asOwner('DELETE', `/${lin.id}`)).status).toBe(200);
  expect((await signIn(next.authenticator)).status).toBe(401);
});

async function begin(email: string) {
  const { id, key } = await admins.join(email);
  const creation = (await (await start(id, key)).json()) as PasskeyCreation;
  await admins.clock.advance(30_000);
  return { id, key, attestation: createAuthenticator(ORIGIN).create(creation) };
}

async function expectNonAdded(id: string, answer: Response) {
  expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'PASSKEY_REFUSED' });
  expect(await (await asSelf('GET', '', id)).json()).toEqual([]);
}

test('a new invitation that is accepted ends the registrations of before', async () => {
  const { id, attestation } = await begin('mary@example.org');
  const renewed = await admins.asOwner('POST', `/${id}/invitation`);
  const { link } = (await renewed.json()) as { link: string };
  const token = new URL(link).hash.slice(1);
  const { secret } = await admins.open(token);
  expect((await admins.accept(token, secret)).status).toBe(200);
  await expectNonAdded(id, await asSelf('POST', '', id, { attestation }));
});

test('a passkey whose registration is overtaken by new credentials is not added', async () => {
  const { id, attestation } = await begin('katherine@example.org');
  const answer = await overtake(
    admins.database,
    'SELECT 1 FROM passkey_challenges WHERE administrator_id = $1 FOR UPDATE',
    [id],
    () => asSelf('POST', '', id, { attestation }),
    "UPDATE administrators SET password_hash = 'new', device_key = 'new' WHERE id = $1",
  );
  await expectNonAdded(id, answer);
});

/** Runs a statement whenever a row of this administrator is written, as if another transaction had been in between. */
async function during(id: string, event: string, statement: string) {
  await admins.database.query(`
    CREATE OR REPLACE FUNCTION identity.in_between() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${statement}; RETURN NEW; END $$`);
  await admins.database.query(`
    CREATE TRIGGER in_between ${event}
      FOR EACH ROW WHEN (NEW.administrator_id = '${id}') EXECUTE FUNCTION identity.in_between()`);
}

test('a passkey that is removed right after it was checked opens nothing', async () => {
  const radia = await admins.join('radia@example.org');
  const { authenticator } = await addPasskey(radia);
  const remove = 'DELETE FROM identity.passkeys WHERE id = NEW.id';
  await during(radia.id, 'AFTER UPDATE ON identity.passkeys', remove);
  expect(await errorOf(await signIn(authenticator))).toMatchObject(REFUSED);
  expect((await actionsOf(radia.id)).filter(({ action }) => action === 'session.opened')).toHaveLength(1);
});

test('a registration that begins while new credentials are set is refused', async () => {
  const { id, key } = await admins.join('barbara@example.org');
  const renew = "UPDATE identity.administrators SET device_key = 'new' WHERE id = NEW.administrator_id";
  await during(id, 'BEFORE INSERT ON identity.passkey_challenges', renew);
  expect(await errorOf(await start(id, key))).toMatchObject({ code: 'WRONG_PASSWORD' });
});
