import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD } from './identity-fixture.ts';
import { inTurn, overtake } from './overtake.ts';
import { type RecoveryFixture, startRecovery } from './recovery-fixture.ts';

const NEW_PASSWORD = 'another long sentence';
const DAY_MS = 24 * 3_600_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';

let nth = 0;
const identity = await forThisFile(startRecovery());

const addresses = () => [`old-${++nth}@example.org`, `new-${nth}@example.org`] as const;
const signOutEverywhere = ({ user }: Awaited<ReturnType<RecoveryFixture['signUp']>>) =>
  identity.send('POST', '/api/auth/logout-everywhere', { as: user });
/** An account whose change to another address is pending, and both of its links. */
async function pending() {
  const [before, after] = addresses();
  const owner = await identity.verified(before);
  await identity.move(owner, after);
  return {
    owner,
    before,
    after,
    link: await identity.linkTo(after, 'change-email'),
    stopLink: await identity.linkTo(before, 'stop-email-change'),
  };
}

test('the current address is notified when a change is requested, with a link that stops it', async () => {
  const [before, after] = addresses();
  const owner = await identity.verified(before);
  await identity.send('POST', '/api/auth/email', {
    as: owner.user,
    body: { email: after, currentPassword: PASSWORD },
    address: '198.51.100.20',
    headers: { 'user-agent': FIREFOX },
  });
  expect(await identity.mailsTo(before)).toMatchObject([
    {
      kind: 'stop-email-change',
      token: expect.stringMatching(/^[\w-]{43}$/),
      tokenMinutes: 1_440,
      device: 'Firefox on Windows',
      network: '198.51.100.0/24',
    },
  ]);
});

test('the link stops the change without a sign-in, once', async () => {
  const { before, after, link, stopLink, owner } = await pending();
  expect((await identity.stopMove(stopLink)).status).toBe(200);
  expect((await identity.confirm(link)).status).toBe(400);
  expect(await identity.mailsTo(after)).toEqual([]);
  expect(await identity.row(before)).toMatchObject({ id: owner.user.id });
  expect(await errorOf(await identity.stopMove(stopLink))).toMatchObject({
    status: 400,
    code: 'LINK_INVALID',
  });
  expect(await identity.resolve(owner.sid), 'no session ends').not.toBeNull();
});

test('opening the link, as programs that scan e-mails do, stops nothing', async () => {
  const { after, link, stopLink } = await pending();
  for (const path of ['/api/auth/email/stop', `/api/auth/email/stop?token=${stopLink}`]) {
    expect((await identity.send('GET', path)).status).toBe(404);
  }
  expect((await identity.confirm(link)).status).toBe(200);
  expect(await identity.row(after)).toBeDefined();
});

test('an earlier link stops a later change as well, so that asking again does not get past the owner', async () => {
  const { owner, before, stopLink } = await pending();
  const third = `third-${nth}@example.org`;
  await identity.move(owner, third);
  const link = await identity.linkTo(third, 'change-email');
  expect((await identity.stopMove(stopLink)).status).toBe(200);
  expect((await identity.confirm(link)).status).toBe(400);
  expect(await identity.row(before)).toBeDefined();
});

test('the link that stops a change ends with the change, and neither does what the other does', async () => {
  const { link, stopLink, after } = await pending();
  expect((await identity.stopMove(link)).status).toBe(400);
  expect((await identity.confirm(stopLink)).status).toBe(400);
  expect((await identity.reset(stopLink, NEW_PASSWORD)).status).toBe(400);
  expect((await identity.confirm(link)).status).toBe(200);
  expect((await identity.stopMove(stopLink)).status).toBe(400);
  expect(await identity.row(after)).toBeDefined();
});

test('a wrong password leaves the links of a change valid; the one that stops it needs none', async () => {
  const { before, after, link, stopLink } = await pending();
  expect(await errorOf(await identity.confirm(link, { currentPassword: 'a guess' }))).toMatchObject({
    status: 403,
    code: 'WRONG_PASSWORD',
  });
  expect((await identity.stopMove(stopLink)).status).toBe(200);
  expect((await identity.confirm(link)).status).toBe(400);
  expect(await identity.row(before)).toBeDefined();
  expect(await identity.row(after)).toBeUndefined();
});

test.each(['', 'short', '../../etc/passwd', 'A'.repeat(43)])('the link %j stops nothing', async (token) => {
  expect(await errorOf(await identity.stopMove(token))).toMatchObject({ status: 400, code: 'LINK_INVALID' });
});

test('a sign-out everywhere cancels a pending change of address and keeps the other links', async () => {
  const { owner, before, after, link, stopLink } = await pending();
  await identity.forgot(before);
  const reset = await identity.linkTo(before, 'reset-password');
  expect((await signOutEverywhere(owner)).status).toBe(200);
  expect((await identity.confirm(link)).status).toBe(400);
  expect((await identity.stopMove(stopLink)).status).toBe(400);
  expect(await identity.mailsTo(after)).toEqual([]);
  expect((await identity.reset(reset, NEW_PASSWORD)).status).toBe(200);
});

test('a sign-out everywhere keeps the link that proves the address of a new account', async () => {
  const [email] = addresses();
  const owner = await identity.signUp(email);
  const link = await identity.linkTo(email, 'confirm-email');
  await signOutEverywhere(owner);
  expect((await identity.confirm(link)).status).toBe(200);
});

test.each([
  ['a sign-out everywhere', "device_key = 'new'"],
  ['a new password', "password_hash = 'new', device_key = 'new'"],
])('a change that is requested while %s happens sends nothing', async (_what, columns) => {
  const [before, after] = addresses();
  const owner = await identity.verified(before);
  const answer = await overtake(
    identity.database,
    `UPDATE users SET ${columns} WHERE id = $1`,
    [owner.user.id],
    () => identity.move(owner, after),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect(await identity.mailsTo(after)).toEqual([]);
  expect(await identity.kindsTo(before)).toEqual([]);
});

test('a password change that a sign-out everywhere overtakes changes nothing and opens no session', async () => {
  const [email] = addresses();
  const owner = await identity.verified(email);
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  const answer = await overtake(
    identity.database,
    "UPDATE users SET device_key = 'new' WHERE id = $1",
    [owner.user.id],
    () => identity.send('POST', '/api/auth/password', { as: owner.user, body }),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect((await identity.logIn(email)).status).toBe(200);
});

test('of a stop and a use of the link at the same time exactly one succeeds, whichever is first', async () => {
  for (const isStopFirst of [true, false]) {
    const { owner, before, after, link, stopLink } = await pending();
    const stop = () => identity.stopMove(stopLink);
    const use = () => identity.confirm(link);
    const [first, second] = await inTurn(
      identity.database,
      'SELECT 1 FROM account_tokens WHERE user_id = $1 FOR UPDATE',
      [owner.user.id],
      isStopFirst ? [stop, use] : [use, stop],
    );
    expect([first.status, second.status]).toEqual([200, 400]);
    expect(await identity.row(isStopFirst ? before : after)).toMatchObject({ id: owner.user.id });
  }
});

test('the link that stops a change expires with the change, after a day', async () => {
  const late = await startRecovery();
  const owner = await late.verified('late@example.org');
  await late.move(owner, 'later@example.org');
  const stopLink = await late.linkTo('late@example.org', 'stop-email-change');
  await late.clock.advance(DAY_MS);
  expect((await late.stopMove(stopLink)).status).toBe(400);
  await late.stop();
});

test('an address that was never proven gets no link that stops a change', async () => {
  const [before, after] = addresses();
  const owner = await identity.signUp(before);
  await identity.move(owner, after);
  expect(await identity.kindsTo(before)).toEqual([]);
  expect(await identity.kindsTo(after)).toEqual(['change-email']);
});

test('the current address gets the same notice when the new one belongs to another account', async () => {
  const [before, taken] = addresses();
  const owner = await identity.verified(before);
  await identity.verified(taken);
  await identity.move(owner, taken);
  expect(await identity.kindsTo(before)).toEqual(['stop-email-change']);
  expect(await identity.kindsTo(taken)).toEqual(['address-in-use']);
});
