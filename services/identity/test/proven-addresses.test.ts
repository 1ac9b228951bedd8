import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';
import { overtake } from './overtake.ts';
import { type RecoveryFixture, startRecovery } from './recovery-fixture.ts';

const NEW_PASSWORD = 'another long sentence';
const DAY_MS = 24 * 3_600_000;

const identity = await forThisFile(startRecovery());

type SignedUp = Awaited<ReturnType<RecoveryFixture['signUp']>>;

const me = async ({ user }: SignedUp) => (await identity.send('GET', '/api/auth/me', { as: user })).json();
const move = (who: SignedUp, email: string) => identity.move(who, email);
const moves = async ({ user }: SignedUp) =>
  (await identity.published()).flatMap(({ name, payload }) =>
    name === 'user-changed' && (payload as { userId: string }).userId === user.id ? [payload] : [],
  );
const deleted = async () =>
  (await identity.published()).flatMap(({ name, payload }) =>
    name === 'user-deleted' ? [(payload as { userId: string }).userId] : [],
  );

test('a new account works at once, and its address is proven by the link of one e-mail', async () => {
  const ada = await identity.signUp('ada@example.org');
  expect(ada.user.emailVerified).toBe(false);
  expect(await identity.resolve(ada.sid)).toMatchObject({ userId: ada.user.id });
  const mails = await identity.mailsTo('ada@example.org');
  expect(mails).toMatchObject([{ kind: 'confirm-email', tokenMinutes: 1_440 }]);
  const confirmed = await identity.confirm(mails[0]?.token ?? '', { sid: ada.sid });
  expect([confirmed.status, await confirmed.json()]).toEqual([200, { ok: true, isFirstProof: true }]);
  expect(await me(ada)).toMatchObject({ email: 'ada@example.org', emailVerified: true });
  expect(await identity.resolve(sidOf(confirmed)), 'the session continues').not.toBeNull();
});

test('asking what an e-mail says, as a link scanner opens a page, proves nothing', async () => {
  const ada = await identity.signUp('scanned@example.org');
  await identity.linkTo('scanned@example.org', 'confirm-email');
  expect(await me(ada)).toMatchObject({ emailVerified: false });
});

test('other services learn whether an address is proven', async () => {
  const open = await identity.signUp('open@example.org');
  const proven = await identity.verified('proven@example.org');
  const body = { userIds: [open.user.id, proven.user.id] };
  const answer = await identity.send('POST', '/internal/identity/mail-addresses', { body });
  const { addresses } = (await answer.json()) as { addresses: { email: string; verified: boolean }[] };
  expect(addresses.map(({ email, verified }) => [email, verified]).sort()).toEqual([
    ['open@example.org', false],
    ['proven@example.org', true],
  ]);
});

test('the link can be sent again until the address is proven, a few times an hour', async () => {
  const ada = await identity.signUp('again@example.org');
  const again = () => identity.send('POST', '/api/auth/email/confirmation', { as: ada.user });
  for (let nth = 0; nth < 5; nth++) expect((await again()).status).toBe(202);
  expect(await errorOf(await again())).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  const other = await identity.linkTo('again@example.org', 'confirm-email');
  await identity.confirm(await identity.linkTo('again@example.org', 'confirm-email'));
  expect((await identity.confirm(other)).status, 'every link ends with the first').toBe(400);
  const sent = (await identity.requested()).length;
  expect((await again()).status).toBe(202);
  expect(await identity.requested()).toHaveLength(sent);
});

test('a sign-up with a taken address is refused, and its owner gets an e-mail without a link to use up', async () => {
  await identity.verified('taken@example.org');
  const body = { email: 'TAKEN@example.org', password: NEW_PASSWORD, firstName: 'Eve', lastName: 'Other' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'EMAIL_TAKEN' });
  const mails = await identity.mailsTo('taken@example.org');
  expect(mails.at(-1)).toMatchObject({ kind: 'address-in-use', token: null });
});

test('an account that an outsider made with an address yields to the owner, who resets its password', async () => {
  const outsider = await identity.signUp('owner@example.org');
  const again = await identity.send('POST', '/api/auth/signup', {
    body: { email: 'owner@example.org', password: NEW_PASSWORD, firstName: 'Olga', lastName: 'Owner' },
  });
  expect(again.status).toBe(409);
  await identity.forgot('owner@example.org');
  const token = await identity.linkTo('owner@example.org', 'reset-password');
  expect((await identity.reset(token, NEW_PASSWORD)).status).toBe(200);
  expect(await identity.resolve(outsider.sid)).toBeNull();
  expect((await identity.logIn('owner@example.org', PASSWORD, { device: outsider.device })).status).toBe(401);
  const owner = await identity.logIn('owner@example.org', NEW_PASSWORD);
  expect(await owner.json()).toMatchObject({ emailVerified: true });
});

test('a changed address takes effect when it is proven; until then the old one signs in', async () => {
  const ada = await identity.verified('old@example.org');
  const answer = await move(ada, 'new@example.org');
  expect(await answer.json()).toMatchObject({ email: 'old@example.org' });
  expect(await moves(ada)).toEqual([]);
  expect(await identity.kindsTo('new@example.org')).toEqual(['change-email']);
  expect((await identity.logIn('old@example.org')).status).toBe(200);
  expect((await identity.logIn('new@example.org')).status).toBe(401);
  expect((await identity.confirm(await identity.linkTo('new@example.org', 'change-email'))).status).toBe(200);
  expect(await me(ada)).toMatchObject({ email: 'new@example.org', emailVerified: true });
  expect(await moves(ada)).toEqual([
    { userId: ada.user.id, name: 'Ada Lovelace', tier: 'free', emailChanged: true, version: 2 },
  ]);
  expect((await identity.logIn('old@example.org')).status).toBe(401);
  expect((await identity.logIn('new@example.org')).status).toBe(200);
  expect(await identity.kindsTo('old@example.org')).toContain('email-changed');
});

test('only another case of the same address needs no proof', async () => {
  const ada = await identity.verified('case@example.org');
  expect(await (await move(ada, 'Case@Example.org')).json()).toMatchObject({
    email: 'Case@Example.org',
    emailVerified: true,
  });
});

test('of several requested changes, the link of the last one works', async () => {
  const ada = await identity.verified('first-choice@example.org');
  await move(ada, 'second-choice@example.org');
  const token = await identity.linkTo('second-choice@example.org', 'change-email');
  await move(ada, 'third-choice@example.org');
  expect((await identity.confirm(token)).status).toBe(400);
  expect(await identity.mailsTo('second-choice@example.org')).toEqual([]);
  await identity.confirm(await identity.linkTo('third-choice@example.org', 'change-email'));
  expect(await me(ada)).toMatchObject({ email: 'third-choice@example.org' });
});

test('changing to the address of another account reads the same, and only that address learns of it', async () => {
  const ada = await identity.verified('curious@example.org');
  await identity.verified('private@example.org');
  const read = async (answer: Response) => [answer.status, await answer.text()];
  const taken = await read(await move(ada, 'private@example.org'));
  expect(taken).toEqual(await read(await move(ada, 'free-address@example.org')));
  const mails = await identity.mailsTo('private@example.org');
  expect(mails.at(-1)).toMatchObject({ kind: 'address-in-use', token: null });
});

test('an address that was proven for another account in the meantime stays that account’s', async () => {
  const ada = await identity.verified('slow@example.org');
  await move(ada, 'wanted@example.org');
  const token = await identity.linkTo('wanted@example.org', 'change-email');
  await identity.verified('wanted@example.org');
  expect(await errorOf(await identity.confirm(token))).toMatchObject({ status: 409, code: 'EMAIL_TAKEN' });
  expect(await me(ada)).toMatchObject({ email: 'slow@example.org' });
});

/** Two accounts, and the link with which the one with the greater id takes the address of the other. */
const taking = async (name: string) => {
  const one = await identity.signUp(`${name}-1@example.org`);
  const two = await identity.signUp(`${name}-2@example.org`);
  const [holder, mover] = one.user.id < two.user.id ? [one, two] : [two, one];
  await identity.confirm(await identity.linkTo(mover.user.email, 'confirm-email'));
  const { email } = holder.user;
  await move(mover, email);
  const token = await identity.linkTo(email, 'change-email');
  return { mover, holder, email, token };
};

test('an account that proves its address while another is about to take it stays', async () => {
  const { mover, holder, email, token } = await taking('just-proven');
  const answer = await overtake(
    identity.database,
    'UPDATE users SET email_verified_at = now() WHERE id = $1',
    [holder.user.id],
    () => identity.confirm(token),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'EMAIL_TAKEN' });
  expect(await me(holder)).toMatchObject({ email, emailVerified: true });
  expect(await me(mover)).toMatchObject({ email: mover.user.email });
  expect(await deleted()).not.toContain(holder.user.id);
});

test('an account that is deleted while another is about to take its address leaves it', async () => {
  const { mover, holder, email, token } = await taking('just-deleted');
  const answer = await overtake(identity.database, 'DELETE FROM users WHERE id = $1', [holder.user.id], () =>
    identity.confirm(token),
  );
  expect(answer.status).toBe(200);
  expect(await me(mover)).toMatchObject({ email, emailVerified: true });
});

test('two accounts that take each other’s address are locked in one order, so that neither deadlocks', async () => {
  const { mover, holder, email, token } = await taking('swapped');
  const lock = (which: 'least' | 'greatest') =>
    `SELECT 1 FROM users WHERE id = ${which}($1::uuid, $2::uuid) FOR UPDATE`;
  const answer = await overtake(
    identity.database,
    lock('least'),
    [mover.user.id, holder.user.id],
    () => identity.confirm(token),
    lock('greatest'),
  );
  expect(answer.status).toBe(200);
  expect(await me(mover)).toMatchObject({ email });
});

test('an account that never proved its address yields it to one that does, and is deleted with its data', async () => {
  const ada = await identity.verified('mover@example.org');
  const squatter = await identity.signUp('squatted@example.org');
  await move(ada, 'squatted@example.org');
  const token = await identity.linkTo('squatted@example.org', 'change-email');
  expect((await identity.confirm(token)).status).toBe(200);
  expect(await me(ada)).toMatchObject({ email: 'squatted@example.org' });
  expect(await identity.resolve(squatter.sid)).toBeNull();
  expect(await deleted()).toContain(squatter.user.id);
});

test('an account with Pro keeps an address that it has not proven', async () => {
  const ada = await identity.verified('wants@example.org');
  const payer = await identity.signUp('payer@example.org');
  await move(ada, 'payer@example.org');
  const token = await identity.linkTo('payer@example.org', 'change-email');
  await identity.database.query("UPDATE identity.users SET tier = 'pro' WHERE id = $1", [payer.user.id]);
  expect(await errorOf(await identity.confirm(token))).toMatchObject({ code: 'EMAIL_TAKEN' });
  await move(ada, 'payer@example.org');
  expect(await identity.kindsTo('payer@example.org')).toEqual(['address-in-use', 'confirm-email']);
});

test('an address that was never proven is not notified of its change', async () => {
  const ada = await identity.signUp('mistyped@example.org');
  await move(ada, 'corrected@example.org');
  await identity.confirm(await identity.linkTo('corrected@example.org', 'change-email'));
  expect(await me(ada)).toMatchObject({ email: 'corrected@example.org', emailVerified: true });
  expect(await identity.kindsTo('mistyped@example.org')).not.toContain('email-changed');
});

test('an address gets a few links of changes to it an hour', async () => {
  const ada = await identity.verified('insists@example.org');
  for (let nth = 0; nth < 5; nth++) expect((await move(ada, 'flooded@example.org')).status).toBe(200);
  expect(await errorOf(await move(ada, 'flooded@example.org'))).toMatchObject({
    code: 'RATE_LIMITED',
    error: expect.stringContaining('Too many emails were requested for this address.'),
  });
});

test('a password change ends the link of an address change, so that a thief of the password loses both', async () => {
  const ada = await identity.verified('robbed@example.org');
  await move(ada, 'thief@example.org');
  const token = await identity.linkTo('thief@example.org', 'change-email');
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  await identity.send('POST', '/api/auth/password', { as: ada.user, body });
  expect((await identity.confirm(token)).status).toBe(400);
  expect(await identity.mailsTo('thief@example.org')).toEqual([]);
});

test('of parallel uses of one link one proves the address, the others say that it is used', async () => {
  await identity.signUp('parallel@example.org');
  const token = await identity.linkTo('parallel@example.org', 'confirm-email');
  const answers = await Promise.all([1, 2, 3, 4].map(() => identity.confirm(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
});

test('a link that proves an address ends after a day', async () => {
  const late = await startRecovery();
  await late.signUp('late@example.org');
  const token = await late.linkTo('late@example.org', 'confirm-email');
  await late.clock.advance(DAY_MS);
  expect((await late.confirm(token)).status).toBe(400);
  await late.stop();
});

test('where no e-mails are sent, accounts count as proven and addresses change at once', async () => {
  const off = await startIdentity();
  const { user } = await off.signUp('off@example.org');
  expect(user.emailVerified).toBe(true);
  const body = { email: 'on@example.org', currentPassword: PASSWORD };
  const answer = await off.send('POST', '/api/auth/email', { as: user, body });
  expect(await answer.json()).toMatchObject({ email: 'on@example.org', emailVerified: true });
  const published = (await off.published()).map(({ name, payload }) => [name, payload]);
  expect(published).toContainEqual(['user-changed', expect.objectContaining({ emailChanged: true })]);
  expect(published.map(([name]) => name)).not.toContain('account-mail-requested');
  await off.stop();
});

test('an address that was typed while no e-mails were sent is unproven once they are', async () => {
  const off = await startIdentity();
  const stays = await off.signUp('stays@example.org');
  const moves = await off.signUp('moves@example.org');
  const body = { email: 'moved@example.org', currentPassword: PASSWORD };
  const moved = await off.send('POST', '/api/auth/email', { as: moves.user, body });
  expect(await moved.json()).toMatchObject({ email: 'moved@example.org', emailVerified: true });
  const on = await startRecovery({ database: off.database });
  for (const { user } of [stays, moves]) {
    const shown = await on.send('GET', '/api/auth/me', { as: user });
    expect(await shown.json()).toMatchObject({ emailVerified: false });
    expect((await on.send('POST', '/api/auth/email/confirmation', { as: user })).status).toBe(202);
  }
  expect((await on.confirm(await on.linkTo('stays@example.org', 'confirm-email'))).status).toBe(200);
  const proven = await on.send('GET', '/api/auth/me', { as: stays.user });
  expect(await proven.json()).toMatchObject({ emailVerified: true });
  await on.stop();
  await off.stop();
});

test('a proof outlasts a time without e-mails, unless another address is typed in it', async () => {
  const on = await startRecovery();
  const [kept, changed] = [await on.verified('kept@example.org'), await on.verified('changed@example.org')];
  const off = await startIdentity({ database: on.database });
  const type = (user: SignedUp['user'], email: string) =>
    off.send('POST', '/api/auth/email', { as: user, body: { email, currentPassword: PASSWORD } });
  expect((await type(kept.user, 'Kept@example.org')).status).toBe(200);
  expect((await type(changed.user, 'typed@example.org')).status).toBe(200);
  const seen = [];
  for (const { user } of [kept, changed])
    seen.push(await (await on.send('GET', '/api/auth/me', { as: user })).json());
  expect(seen).toMatchObject([{ emailVerified: true }, { emailVerified: false }]);
  await off.stop();
  await on.stop();
});
