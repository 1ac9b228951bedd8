import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe-token.ts';
import { MAIL_SECRET, type MailFixture, startMailing } from './mail-fixture.ts';

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterAll(() => mailing.stop());

const tokens = createUnsubscribeTokens([MAIL_SECRET]);
const stop = (token: string, init: RequestInit = {}) =>
  fetch(`${mailing.url}/api/notifications/unsubscribe?token=${token}`, { method: 'POST', ...init });
const wants = async (userId: string) =>
  (await mailing.call('GET', '/api/notifications/preferences', { as: { userId } })).json();

test('one POST to the address in the header of an e-mail stops the next one (RFC 8058)', async () => {
  const { userId, email } = mailing.person();
  await mailing.becomes(await mailing.statusChanged(userId), 'sent');
  const header = mailing.server.to(email)[0]?.parsed.headers.find(({ key }) => key === 'list-unsubscribe');
  const { search } = new URL(header?.value.slice(1, -1) ?? '');
  const answer = await fetch(`${mailing.url}/api/notifications/unsubscribe${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  expect(await wants(userId)).toMatchObject({ email: false });
  expect(await mailing.rowOf(await mailing.statusChanged(userId))).toMatchObject({ state: 'skipped' });
});

test('opening the address changes nothing and leads to the page that asks', async () => {
  const { userId, email } = mailing.person();
  const token = tokens.issue({ userId, email }, 'status');
  const path = `${mailing.url}/api/notifications/unsubscribe?token=${token}`;
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(path, { method, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe#${token}`]);
  }
  expect(await wants(userId)).toMatchObject({ email: true });
});

test('twice is no error, and the switch in the profile turns it on again', async () => {
  const { userId, email } = mailing.person();
  const token = tokens.issue({ userId, email }, 'status');
  expect((await stop(token)).status).toBe(200);
  expect((await stop(token)).status).toBe(200);
  await mailing.call('PUT', '/api/notifications/preferences', { as: { userId }, body: { email: true } });
  expect(await wants(userId)).toMatchObject({ email: true });
});

test('a token stops only its own user’s e-mails', async () => {
  const { userId, email } = mailing.person();
  const forged = createUnsubscribeTokens(['a guess of the secret']).issue({ userId, email }, 'status');
  for (const token of [forged, userId, 'x', `${tokens.issue({ userId, email }, 'status')}0`]) {
    const answer = await stop(token);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'INVALID_SIGNATURE' }]);
  }
  expect((await stop('')).status).toBe(400);
  expect(await wants(userId)).toMatchObject({ email: true });
});

test('the link of a deleted user restores nothing', async () => {
  const { userId, email } = mailing.person();
  await mailing.userDeleted(userId);
  expect((await stop(tokens.issue({ userId, email }, 'status'))).status).toBe(200);
  const rows = await mailing.database.query(
    `SELECT deleted_at IS NOT NULL AS deleted, EXISTS (SELECT FROM notifications.preferences WHERE user_id = $1) AS chosen
     FROM notifications.recipients WHERE user_id = $1`,
    [userId],
  );
  expect(rows).toEqual([{ deleted: true, chosen: false }]);
});

test('an e-mail to an address that the account no longer has stops nothing', async () => {
  const { userId, email } = mailing.person();
  const token = tokens.issue({ userId, email }, 'status');
  mailing.directory.emails.set(userId, `moved-${email}`);
  for (const all of ['', '&all=true']) {
    const answer = await stop(`${token}${all}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'INVALID_SIGNATURE' }]);
  }
  expect(await wants(userId)).toMatchObject({ email: true });
  mailing.directory.emails.set(userId, email.toUpperCase());
  expect((await stop(token)).status).toBe(200);
  expect(await wants(userId)).toMatchObject({ email: false });
});
