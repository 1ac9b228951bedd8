import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountMail } from '@casewatch/contracts/account-mails';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailFixture, PUBLIC_URL, startMailing } from './mail-fixture.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterEach(() => mailing.calm());
afterAll(() => mailing.stop());

/** What identity answers when it is asked what the e-mail says. */
function known(mail: Partial<AccountMail> = {}): AccountMail {
  const mailId = randomUUID();
  const whole: AccountMail = {
    mailId,
    kind: 'reset-password',
    to: `${mailId}@people.example`,
    requestedAt: new Date(mailing.clock.nowMs()).toISOString(),
    token: randomBytes(32).toString('base64url'),
    tokenMinutes: 30,
    isFirstProof: false,
    passkeys: 0,
    device: null,
    network: null,
    language: 'en',
    ...mail,
  };
  mailing.directory.accountMails.set(mailId, whole);
  return whole;
}

const rowOf = async (id: string) =>
  (
    await mailing.database.query<{ state: string; attempts: number; last_error: string | null }>(
      'SELECT * FROM notifications.deliveries WHERE id = $1',
      [id],
    )
  )[0];
const becomes = (id: string, state: string, { passing = 0 } = {}) =>
  expect
    .poll(async () => {
      if (passing > 0) await mailing.clock.advance(passing);
      return (await rowOf(id))?.state;
    }, PATIENCE)
    .toBe(state);

test('a requested e-mail is sent at once, with a link that begins with the public URL, and can not be unsubscribed from', async () => {
  const { mailId, to, token } = known();
  await mailing.accountMailRequested(mailId);
  await becomes(mailId, 'sent');
  const [mail] = mailing.server.to(to);
  expect(mail?.parsed).toMatchObject({
    subject: 'Reset your Casewatch password',
    messageId: expect.stringContaining(`<${mailId}.account.`),
  });
  for (const part of [mail?.parsed.text, mail?.parsed.html]) {
    expect(part).toContain(`${PUBLIC_URL}/reset-password#${token}`);
    expect(part).toContain('30 minutes');
  }
  const headers = mail?.parsed.headers.map(({ key }) => key);
  expect(headers).toContain('auto-submitted');
  expect(headers).not.toContain('list-unsubscribe');
});

test('neither the link nor the recipient is kept here', async () => {
  const { mailId, to, token } = known();
  await mailing.accountMailRequested(mailId);
  await becomes(mailId, 'sent');
  const rows = await mailing.database.query<{ text: string }>(
    `SELECT query_to_xml('SELECT * FROM notifications.' || tablename, true, false, '')::text AS text
     FROM pg_tables WHERE schemaname = 'notifications'`,
  );
  expect(rows.length).toBeGreaterThan(3);
  const everything = rows.map(({ text }) => text).join('\n');
  expect(everything).toContain(mailId);
  expect(everything).not.toContain(token);
  expect(everything).not.toContain(to);
});

test('a request that comes twice is one e-mail', async () => {
  const { mailId, to } = known();
  await mailing.accountMailRequested(mailId);
  await mailing.accountMailRequested(mailId);
  await becomes(mailId, 'sent');
  await mailing.database.query('DELETE FROM notifications.inbox');
  await mailing.accountMailRequested(mailId);
  const later = known();
  await mailing.accountMailRequested(later.mailId);
  await becomes(later.mailId, 'sent');
  expect(mailing.server.to(to)).toHaveLength(1);
});

test('what was settled more than 30 days ago is removed with the next requests, ten at a time; what waits stays', async () => {
  const DAY_MS = 86_400_000;
  const insert = async (count: number, ageMs: number, state: string) => {
    const at = new Date(mailing.clock.nowMs() - ageMs);
    await mailing.database.query(
      `INSERT INTO notifications.deliveries (channel, kind, state, queued_at, next_attempt_at)
       SELECT 'email', 'account', $2, $3, CASE WHEN $2 = 'queued' THEN '2100-01-01'::timestamptz END
       FROM generate_series(1, $1)`,
      [count, state, at],
    );
  };
  const left = async () => {
    const rows = await mailing.database.query<{ days: number; count: number }>(
      `SELECT round(extract(epoch FROM $1::timestamptz - queued_at) / 86400)::int AS days, count(*)::int AS count
       FROM notifications.deliveries WHERE queued_at < $1::timestamptz - interval '1 day' GROUP BY 1 ORDER BY 1`,
      [new Date(mailing.clock.nowMs())],
    );
    return rows.map(({ days, count }) => [days, count]);
  };
  await insert(1, 30 * DAY_MS, 'skipped');
  await insert(5, 31 * DAY_MS, 'skipped');
  await insert(9, 32 * DAY_MS, 'failed');
  await insert(1, 40 * DAY_MS, 'queued');
  await mailing.accountMailRequested(randomUUID());
  expect(await left()).toEqual([
    [30, 1],
    [31, 4],
    [40, 1],
  ]);
  await mailing.accountMailRequested(randomUUID());
  expect(await left()).toEqual([
    [30, 1],
    [40, 1],
  ]);
  await mailing.database.query("DELETE FROM notifications.deliveries WHERE next_attempt_at > '2099-01-01'");
});

test('what identity leaves out is not sent: an address without an account, or a link whose time is over', async () => {
  const mailId = randomUUID();
  await mailing.accountMailRequested(mailId);
  await becomes(mailId, 'skipped');
  expect(await rowOf(mailId)).toMatchObject({ last_error: 'not-needed' });
});

test('while identity is unavailable an e-mail waits without an attempt being counted', async () => {
  const { mailId, to } = known();
  mailing.directory.unavailable.identity = true;
  await mailing.accountMailRequested(mailId);
  await mailing.clock.advance(60_000);
  expect(await rowOf(mailId)).toMatchObject({ state: 'queued' });
  mailing.directory.unavailable.identity = false;
  await becomes(mailId, 'sent', { passing: 3_000 });
  expect(mailing.server.to(to)).toHaveLength(1);
  expect(await rowOf(mailId)).toMatchObject({ attempts: 1 });
});

test('a burst of status changes does not hold back a link', async () => {
  const { userId, email } = mailing.person();
  const speak = mailing.server.keepSilent();
  const ids = await Promise.all(Array.from({ length: 20 }, () => mailing.statusChanged(userId)));
  await expect.poll(() => mailing.server.to(email).length, PATIENCE).toBeGreaterThan(0);
  const { mailId, to } = known();
  await mailing.accountMailRequested(mailId);
  await expect.poll(() => mailing.server.to(to).length, PATIENCE).toBe(1);
  expect(mailing.server.to(email).length).toBeLessThan(ids.length);
  speak();
  for (const id of ids) await mailing.becomes(id, 'sent');
});

test('a status change is not sent to an address that is not proven, and is once it is', async () => {
  const { userId, email } = mailing.person();
  mailing.directory.unverified.add(userId);
  const id = await mailing.statusChanged(userId);
  await mailing.becomes(id, 'skipped');
  expect(await mailing.rowOf(id)).toMatchObject({ last_error: 'unverified' });
  mailing.directory.unverified.delete(userId);
  await mailing.becomes(await mailing.statusChanged(userId), 'sent');
  expect(mailing.server.to(email)).toHaveLength(1);
});
