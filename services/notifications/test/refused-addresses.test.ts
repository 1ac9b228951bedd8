import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailFixture, startMailing } from './mail-fixture.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterEach(() => mailing.calm());
afterAll(() => mailing.stop());

const isRefused = (email: string) => mailing.directory.refusedAddresses.has(email);

test.each([
  '550 5.1.1 User unknown',
  '550 5.1.2 Host unknown',
  '501 5.1.3 Bad recipient address syntax',
  '551 5.1.6 User has moved',
  '556 5.1.10 The domain accepts no mail',
  '550 5.2.1 The mailbox is disabled',
  '550 No such user here',
])(
  'an address that the server refuses with "%s" is marked, and one e-mail that it accepts ends that',
  async (reply) => {
    const { userId, email } = mailing.person();
    mailing.server.refuseRecipients(() => reply);
    await mailing.becomes(await mailing.statusChanged(userId), 'failed');
    expect(isRefused(email)).toBe(true);
    mailing.server.refuseRecipients(() => undefined);
    await mailing.becomes(await mailing.statusChanged(userId), 'sent');
    await expect.poll(() => isRefused(email), PATIENCE).toBe(false);
  },
);

test.each([
  ['failed', '550 5.7.1 Delivery not authorized'],
  ['failed', '552 5.3.4 Message too big'],
  ['failed', '550 Requested action not taken: mailbox unavailable'],
  ['queued', '552 5.2.2 Mailbox full'],
  ['queued', '450 4.1.1 Not known yet'],
  ['queued', '550 5.4.5 Daily user sending limit exceeded'],
  ['queued', '553 5.7.1 Sender address rejected'],
])('an e-mail is %s after "%s", and its address is not marked', async (state, reply) => {
  const { userId, email } = mailing.person();
  mailing.server.refuseRecipients(() => reply);
  const id = await mailing.statusChanged(userId);
  await expect.poll(async () => (await mailing.rowOf(id))?.last_error, PATIENCE).toContain(reply.slice(0, 3));
  expect([(await mailing.rowOf(id))?.state, isRefused(email)]).toEqual([state, false]);
  await mailing.calm();
  if (state === 'queued') await mailing.becomes(id, 'sent', { passing: 10_000 });
});

test('the address of an e-mail about an account is marked, too, and is free again with the next one', async () => {
  const to = `${randomUUID()}@people.example`;
  const request = async () => {
    const mailId = randomUUID();
    mailing.directory.accountMails.set(mailId, {
      mailId,
      kind: 'password-changed',
      to,
      requestedAt: new Date(mailing.clock.nowMs()).toISOString(),
      token: null,
      tokenMinutes: null,
      isFirstProof: false,
      passkeys: 0,
      device: null,
      network: null,
      language: 'en',
    });
    await mailing.accountMailRequested(mailId);
  };
  mailing.server.refuseRecipients(() => '550 5.1.1 User unknown');
  await request();
  await expect.poll(() => isRefused(to), PATIENCE).toBe(true);
  mailing.server.refuseRecipients(() => undefined);
  await request();
  await expect.poll(() => isRefused(to), PATIENCE).toBe(false);
});

test('a refusal that identity can not note is not lost', async () => {
  const { userId, email } = mailing.person();
  mailing.server.refuseRecipients(() => '550 5.1.1 User unknown');
  mailing.directory.unavailable.reports = true;
  const id = await mailing.statusChanged(userId);
  await mailing.waitsAfter(id, 1);
  expect(isRefused(email)).toBe(false);
  mailing.directory.unavailable.reports = false;
  await mailing.becomes(id, 'failed', { passing: 10_000 });
  expect(isRefused(email)).toBe(true);
});
