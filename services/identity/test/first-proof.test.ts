import { checkDeviceSession, grantDeviceSession } from '@casewatch/contracts/device-sessions';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { deviceOf, errorOf, PASSWORD, sidOf } from './identity-fixture.ts';
import { inTurn, overtake } from './overtake.ts';
import { ORIGIN, startPasskeys } from './passkey-fixture.ts';
import { createAuthenticator } from './software-authenticator.ts';

/** An account belongs to who proves its address: what anyone set up in it before that ends (pre-hijacking). */

const NEW_PASSWORD = 'another long sentence';

const identity = await forThisFile(startPasskeys());

const isGranted = async (path: string, session: { userId: string; sessionId: string }) =>
  ((await (await identity.send('POST', path, { body: session })).json()) as { granted: boolean }).granted;

/** Someone who has signed up with the address of another person, and leaves behind whatever they can. */
async function squat(name: string) {
  const email = `${name}@example.org`;
  const { user, sid, device } = await identity.signUp(email);
  const { authenticator } = await identity.addPasskey(user);
  const otherEmail = `new-address-${email}`;
  expect((await identity.move({ user }, otherEmail)).status).toBe(200);
  const change = await identity.linkTo(otherEmail, 'change-email');
  const other = sidOf(await identity.logIn(email, PASSWORD, { device }));
  const session = { userId: user.id, sessionId: (await identity.resolve(other))?.sessionId ?? '' };
  expect(await isGranted(grantDeviceSession.path, session)).toBe(true);
  const registration = createAuthenticator(ORIGIN).create(await identity.creation(user));
  return { email, user, sid, other, device, authenticator, change, session, registration };
}
type Squatter = Awaited<ReturnType<typeof squat>>;

/** A link to the address; the change that the squatter asked for has ended the first one. */
async function linkFor({ email, user }: Pick<Squatter, 'email' | 'user'>): Promise<string> {
  await identity.send('POST', '/api/auth/email/confirmation', { as: user });
  return identity.linkTo(email, 'confirm-email');
}

async function resetBy(email: string): Promise<Response> {
  await identity.forgot(email);
  return identity.reset(await identity.linkTo(email, 'reset-password'), NEW_PASSWORD);
}

async function expectNothingLeft({ user, authenticator, other, change, session, registration }: Squatter) {
  expect((await identity.signIn(authenticator)).status, 'the passkey').toBe(401);
  expect(await identity.list(user)).toEqual([]);
  expect(await identity.resolve(other), 'another session').toBeNull();
  expect(await isGranted(checkDeviceSession.path, session), 'its push messages').toBe(false);
  for (const currentPassword of [PASSWORD, NEW_PASSWORD]) {
    expect((await identity.confirm(change, { currentPassword })).status, 'the change of address').toBe(400);
  }
  expect((await identity.finishRegistration(user, registration)).status, 'a passkey in progress').toBe(403);
}

test('an owner who clicks the link of an account that someone else made confirms nothing, and then resets: nothing of the first one is left', async () => {
  const squatter = await squat('clicked');
  const token = await linkFor(squatter);
  const clicked = await identity.confirm(token, { currentPassword: 'a guess of the owner' });
  expect(await errorOf(clicked)).toMatchObject({ status: 403, code: 'WRONG_PASSWORD' });
  // In the browser in which the first one is still signed in.
  const shared = { sid: squatter.sid, currentPassword: 'a guess of the owner' };
  expect((await identity.confirm(token, shared)).status).toBe(403);
  expect((await identity.row(squatter.email))?.email_verified_at).toBeNull();

  const reset = await resetBy(squatter.email);
  expect(await reset.json()).toEqual({ ok: true, isFirstProof: true });
  await expectNothingLeft(squatter);
  expect(await identity.resolve(squatter.sid)).toBeNull();
  expect((await identity.logIn(squatter.email)).status).toBe(401);
  expect((await identity.confirm(token, { currentPassword: NEW_PASSWORD })).status).toBe(400);
  expect((await identity.logIn(squatter.email, NEW_PASSWORD)).status).toBe(200);
});

test('the first proof ends every passkey and session but that of the browser that proves it, which gets a new secret', async () => {
  const squatter = await squat('proves');
  const before = await identity.resolve(squatter.sid);
  const { sid, device } = squatter;
  const answer = await identity.confirm(await linkFor(squatter), { sid, device });
  expect(await answer.json()).toEqual({ ok: true, isFirstProof: true });
  await expectNothingLeft(squatter);
  expect(await identity.resolve(sid), 'a copy of the cookie opens nothing').toBeNull();
  expect(await identity.resolve(sidOf(answer))).toMatchObject({ sessionId: before?.sessionId });
  // Browsers from before are not recognized any more; this one is.
  await identity.logIn(squatter.email, PASSWORD, { device: deviceOf(answer) });
  expect(await identity.kindsTo(squatter.email)).not.toContain('new-device');
  await identity.logIn(squatter.email, PASSWORD, { device });
  expect(await identity.kindsTo(squatter.email)).toContain('new-device');
});

test('a browser that is not signed in to the account proves its address with the password, and no session is left', async () => {
  const squatter = await squat('new-address');
  const outsider = await identity.signUp('outsider@example.org');
  const answer = await identity.confirm(await linkFor(squatter), { sid: outsider.sid });
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie()).toEqual([]);
  await expectNothingLeft(squatter);
  expect(await identity.resolve(squatter.sid)).toBeNull();
  expect(await identity.resolve(outsider.sid), 'one of another account stays').not.toBeNull();
});

test('a changed address that is the first proven one ends what was before, too', async () => {
  const squatter = await squat('moves-first');
  const { user, sid } = squatter;
  const answer = await identity.confirm(squatter.change, { sid });
  expect(await answer.json()).toEqual({ ok: true, isFirstProof: true });
  expect(await identity.row(`new-address-${squatter.email}`)).toMatchObject({ id: user.id });
  await expectNothingLeft(squatter);
  expect(await identity.resolve(sid)).toBeNull();
  expect(await identity.resolve(sidOf(answer))).not.toBeNull();
  expect(await identity.kindsTo(squatter.email), 'the address was never proven').toEqual([]);
});

test('a change that is requested while the address is first proven sends nothing', async () => {
  const { user } = await identity.signUp('requested-late@example.org');
  const token = await identity.linkTo('requested-late@example.org', 'confirm-email');
  const [proven, moved] = await inTurn(
    identity.database,
    'SELECT 1 FROM account_tokens WHERE user_id = $1 FOR UPDATE',
    [user.id],
    [() => identity.confirm(token), () => identity.move({ user }, 'late-change@example.org')],
  );
  expect(proven.status).toBe(200);
  expect(await errorOf(moved)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect(await identity.mailsTo('late-change@example.org')).toEqual([]);
  expect(await identity.kindsTo('requested-late@example.org')).toEqual([]);
});

test('a sign-out everywhere while the address is first proven leaves no session', async () => {
  const { user, sid } = await identity.signUp('leaves@example.org');
  const token = await identity.linkTo('leaves@example.org', 'confirm-email');
  const [left, proven] = await inTurn(
    identity.database,
    'SELECT 1 FROM sessions WHERE user_id = $1 FOR UPDATE',
    [user.id],
    [
      () => identity.send('POST', '/api/auth/logout-everywhere', { as: user }),
      () => identity.confirm(token, { sid }),
    ],
  );
  expect([left.status, proven.status]).toEqual([200, 200]);
  expect(proven.headers.getSetCookie()).toEqual([]);
  const sessions = 'SELECT 1 FROM identity.sessions WHERE user_id = $1';
  expect(await identity.database.query(sessions, [user.id])).toEqual([]);
});

test('the e-mail says that the first proof ends what was before, and one that comes later does not', async () => {
  const { email, user } = await squat('notified');
  await identity.forgot(email);
  const first = await identity.mailsTo(email);
  expect(first.map(({ kind, isFirstProof }) => [kind, isFirstProof])).toContainEqual([
    'reset-password',
    true,
  ]);
  await identity.confirm(await linkFor({ email, user }));
  await identity.forgot(email);
  const later = (await identity.mailsTo(email)).filter(({ kind }) => kind === 'reset-password');
  expect(later.filter(({ isFirstProof }) => isFirstProof)).toEqual([]);
});

test('a changed address is proven with the password, too; sessions and passkeys of a proven account stay', async () => {
  const ada = await identity.withPasskey('settled@example.org');
  await identity.move(ada, 'moved@example.org');
  const token = await identity.linkTo('moved@example.org', 'change-email');
  expect((await identity.confirm(token, { currentPassword: 'of the other owner' })).status).toBe(403);
  const answer = await identity.confirm(token);
  expect(await answer.json()).toEqual({ ok: true, isFirstProof: false });
  expect(await identity.resolve(ada.sid)).not.toBeNull();
  expect(await identity.list(ada.user)).toHaveLength(1);
  expect((await identity.signIn(ada.authenticator)).status).toBe(200);
});

test('wrong passwords with a link leave it valid, and are limited', async () => {
  const { user } = await identity.signUp('guessed@example.org');
  const token = await linkFor({ email: 'guessed@example.org', user });
  const guess = async (nth: number) =>
    (await identity.confirm(token, { currentPassword: `guess ${nth}` })).status;
  for (let nth = 0; nth < 9; nth++) expect(await guess(nth)).toBe(403);
  expect((await identity.confirm(token)).status).toBe(200);
  const again = await identity.signUp('guessed-again@example.org');
  const other = await linkFor({ email: 'guessed-again@example.org', user: again.user });
  const answers: number[] = [];
  for (let nth = 0; nth < 12; nth++)
    answers.push((await identity.confirm(other, { currentPassword: 'x' })).status);
  expect(answers.slice(10)).toEqual([429, 429]);
  expect((await identity.confirm(other)).status, 'the right one, too').toBe(429);
});

test('a link whose password is changed while it is checked proves nothing', async () => {
  const { user } = await identity.signUp('overtaken@example.org');
  const token = await linkFor({ email: 'overtaken@example.org', user });
  const sql = "UPDATE users SET password_hash = 'other' WHERE id = $1";
  const answer = await overtake(identity.database, sql, [user.id], () => identity.confirm(token));
  expect(answer.status).toBe(400);
});

test.each([
  [
    'removed',
    'WITH deleted AS (DELETE FROM passkeys WHERE user_id = $1) UPDATE users SET login_count = 9 WHERE id = $1',
  ],
])('a passkey that is %s by the time its answer is checked opens no session', async (what, sql) => {
  const ada = await identity.withPasskey(`passkey-${what}@example.org`);
  const sessions = async () =>
    identity.database.query('SELECT sid_hash FROM identity.sessions WHERE user_id = $1', [ada.user.id]);
  const before = await sessions();
  const answer = await overtake(identity.database, sql, [ada.user.id], () =>
    identity.signIn(ada.authenticator),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  expect(await sessions()).toEqual(before);
});

test('a session that was ended adds no passkey, also when its registration was in progress', async () => {
  const ada = await identity.verified('ended@example.org');
  const phone = await identity.resolve(sidOf(await identity.logIn('ended@example.org')));
  const attestation = createAuthenticator(ORIGIN).create(await identity.creation(ada.user));
  await identity.send('DELETE', `/api/auth/sessions/${phone?.sessionId}`, { as: ada.user });
  const answer = await identity.send('POST', '/api/auth/passkeys', {
    as: ada.user,
    sessionId: phone?.sessionId,
    body: { attestation },
  });
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect(await identity.list(ada.user)).toEqual([]);
});
