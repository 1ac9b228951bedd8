import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { PASSWORD } from './identity-fixture.ts';
import { inTurn } from './overtake.ts';
import { startRecovery } from './recovery-fixture.ts';

const NEW_PASSWORD = 'another long sentence';

let nth = 0;
const identity = await forThisFile(startRecovery());

/** Asks what the e-mails say, as when they are sent, and keeps the links. */
function sending(mailIds: readonly string[]) {
  const links: string[] = [];
  const send = async () => {
    const answer = await identity.send('POST', '/internal/identity/account-mails', { body: { mailIds } });
    const { mails } = (await answer.clone().json()) as { mails: { token: string | null }[] };
    links.push(...mails.flatMap(({ token }) => token ?? []));
    return answer;
  };
  return { send, links };
}

/** An account with a link to reset its password, a thief who has requested a change of its address, and what ends that. */
async function robbed() {
  const email = `owner-${++nth}@example.org`;
  const owner = await identity.verified(email);
  await identity.forgot(email);
  const resetLink = await identity.linkTo(email, 'reset-password');
  const thief = `thief-${nth}@example.org`;
  await identity.move(owner, thief);
  const stopLink = await identity.linkTo(email, 'stop-email-change');
  const mailIds = await identity.requested();
  const as = owner.user;
  const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  const ends = {
    'resets the password': () => identity.reset(resetLink, NEW_PASSWORD),
    'changes the password': () => identity.send('POST', '/api/auth/password', { as, body: passwords }),
    'signs out everywhere': () => identity.send('POST', '/api/auth/logout-everywhere', { as }),
    'stops the change': () => identity.stopMove(stopLink),
    'deletes the account': () =>
      identity.send('DELETE', '/api/auth/me', { as, body: { currentPassword: PASSWORD } }),
  };
  return { owner, thief, ends, mailIds: mailIds.slice(-2) };
}
const WAYS = [
  'resets the password',
  'changes the password',
  'signs out everywhere',
  'stops the change',
  'deletes the account',
] as const;

test.each(WAYS)('no link to the new address is made while the owner %s', async (way) => {
  const { owner, thief, ends, mailIds } = await robbed();
  const { send, links } = sending(mailIds);
  const [ended] = await inTurn(
    identity.database,
    'SELECT 1 FROM account_tokens WHERE user_id = $1 FOR UPDATE',
    [owner.user.id],
    [ends[way], send],
  );
  expect(ended.status).toBe(200);
  expect(links).toEqual([]);
  expect(await identity.mailsTo(thief)).toEqual([]);
});

test.each(WAYS)('a link to the new address ends when it was made right before the owner %s', async (way) => {
  const { owner, thief, ends, mailIds } = await robbed();
  const { send, links } = sending(mailIds);
  const [, ended] = await inTurn(
    identity.database,
    'LOCK TABLE account_tokens IN SHARE MODE',
    [],
    [send, ends[way]],
  );
  expect(ended.status).toBe(200);
  expect(links.length).toBeGreaterThan(0);
  for (const token of links) {
    expect((await identity.confirm(token)).status).toBe(400);
    expect((await identity.stopMove(token)).status).toBe(400);
  }
  expect(await identity.row(thief)).toBeUndefined();
  if (way !== 'deletes the account') {
    expect(await identity.row(owner.user.email)).toMatchObject({ id: owner.user.id });
  }
});

/** An account that someone made with another person's address, a change of that address, and what first proves it. */
async function squatted() {
  const email = `squatted-${++nth}@example.org`;
  const squatter = await identity.signUp(email);
  const otherEmail = `new-address-${nth}@example.org`;
  await identity.move(squatter, otherEmail);
  const mailIds = (await identity.requested()).slice(-1);
  await identity.send('POST', '/api/auth/email/confirmation', { as: squatter.user });
  await identity.forgot(email);
  const confirmLink = await identity.linkTo(email, 'confirm-email');
  const resetLink = await identity.linkTo(email, 'reset-password');
  const proofs = {
    'a reset': () => identity.reset(resetLink, NEW_PASSWORD),
    'its link': () => identity.confirm(confirmLink),
  };
  return { ...squatter, email, otherEmail, mailIds, proofs, confirmLink, resetLink };
}
const PROOFS = ['a reset', 'its link'] as const;

test.each(PROOFS)('no link of a change is made while %s first proves the address', async (proof) => {
  const { user, otherEmail, mailIds, proofs } = await squatted();
  const { send, links } = sending(mailIds);
  const [proven] = await inTurn(
    identity.database,
    'SELECT 1 FROM account_tokens WHERE user_id = $1 FOR UPDATE',
    [user.id],
    [proofs[proof], send],
  );
  expect(await proven.json()).toEqual({ ok: true, isFirstProof: true });
  expect(links).toEqual([]);
  expect(await identity.mailsTo(otherEmail)).toEqual([]);
});

test.each(PROOFS)(
  'a link of a change ends when it was made right before %s first proves the address',
  async (proof) => {
    const { email, user, otherEmail, mailIds, proofs, confirmLink, resetLink } = await squatted();
    const { send, links } = sending(mailIds);
    const [, proven] = await inTurn(
      identity.database,
      'LOCK TABLE account_tokens IN SHARE MODE',
      [],
      [send, proofs[proof]],
    );
    expect(await proven.json()).toEqual({ ok: true, isFirstProof: true });
    expect(links).toHaveLength(1);
    for (const token of [...links, confirmLink]) {
      for (const currentPassword of [PASSWORD, NEW_PASSWORD]) {
        expect((await identity.confirm(token, { currentPassword })).status).toBe(400);
      }
    }
    expect((await identity.reset(resetLink, NEW_PASSWORD)).status).toBe(400);
    expect(await identity.row(email)).toMatchObject({ id: user.id });
    expect(await identity.row(otherEmail)).toBeUndefined();
  },
);

test.each(WAYS.slice(0, 2))(
  'a link to reset the password that was requested before the owner %s is not sent after it',
  async (way) => {
    const { owner, ends } = await robbed();
    const { email } = owner.user;
    await identity.forgot(email.toUpperCase());
    expect((await ends[way]()).status).toBe(200);
    expect(await identity.kindsTo(email)).not.toContain('reset-password');
    await identity.forgot(email);
    expect(await identity.kindsTo(email), 'a new request gets a link').toContain('reset-password');
  },
);

test('a link that proves the address again is not made once the account has moved', async () => {
  const email = `left-${++nth}@example.org`;
  const moved = `moved-${nth}@example.org`;
  const ada = await identity.signUp(email);
  await identity.send('POST', '/api/auth/email/confirmation', { as: ada.user });
  const [mailId = ''] = (await identity.requested()).slice(-1);
  await identity.database.query('UPDATE identity.users SET email = $1, email_key = $1 WHERE id = $2', [
    moved,
    ada.user.id,
  ]);
  expect(await identity.prepare([mailId])).toEqual([]);
});
