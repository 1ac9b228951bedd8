import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MAIL_SECRET, type MailFixture, startMailing } from './mail-fixture.ts';

const SECRET = 'a secret for mail reports';
const OLDER = 'an older secret for them';
const PATIENCE = { timeout: 60_000, interval: 100 };

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing({ env: { MAIL_REPORT_SECRET: `${SECRET},${OLDER}` } });
});
afterEach(() => mailing.calm());
afterAll(() => mailing.stop());

const isRefused = (email: string) => mailing.directory.refusedAddresses.has(email);

const post = (message: string, headers: Record<string, string> = {}) =>
  fetch(`${mailing.url}/api/webhooks/mail-reports`, {
    method: 'POST',
    body: message.replaceAll('\n', '\r\n'),
    headers: { 'content-type': 'message/rfc822', 'mail-report-secret': SECRET, ...headers },
  });
const reported = async (message: string) => {
  const answer = await post(message);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { result: string }).result;
};

/** A user who got an e-mail, its headers, and the whole of it, as mail servers return them. */
async function mailed() {
  const { userId, email } = mailing.person();
  await mailing.becomes(await mailing.statusChanged(userId), 'sent');
  const mail = mailing.server.to(email).at(-1);
  const whole = (mail?.raw ?? '').replaceAll('\r\n', '\n');
  const headers = whole.slice(0, whole.indexOf('\n\n'));
  return { userId, email, whole, headers, messageId: mail?.parsed.messageId ?? '' };
}
type Mailed = Awaited<ReturnType<typeof mailed>>;

interface Bounce {
  action?: string;
  status?: string;
  diagnostic?: string;
  recipient?: string;
  original?: string;
  returned?: string;
  head?: string;
}

/** As Postfix writes it; `returned`: the part with the e-mail. */
function bounce({ email, headers }: Mailed, how: Bounce = {}): string {
  const {
    action = 'failed',
    status = '5.1.1',
    diagnostic = `smtp; 550 5.1.1 <${email}>: Recipient address rejected: User\n    unknown in virtual mailbox table`,
    recipient = `rfc822; ${email}`,
    original,
    returned = `Content-Type: text/rfc822-headers\n\n${headers}`,
    head = '',
  } = how;
  return `From: MAILER-DAEMON@mx.people.example (Mail Delivery System)
To: notices@casewatch.example.com
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
${head}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
    boundary="B/1"

This is a MIME-encapsulated message.

--B/1
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--B/1
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.people.example
Arrival-Date: Mon,  5 Jan 2026 12:00:00 +0000 (UTC)

Final-Recipient: ${recipient}
${original === undefined ? '' : `Original-Recipient: ${original}\n`}Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.people.example
Diagnostic-Code: ${diagnostic}

--B/1
${returned}

--B/1--
`;
}

test.each<[string, (mail: Mailed) => string]>([
  ['Postfix', (mail) => bounce(mail)],
  [
    'one that returns the whole e-mail',
    (mail) => bounce(mail, { returned: `Content-Type: message/rfc822\n\n${mail.whole}` }),
  ],
  [
    'Exim, whose status says nothing',
    (mail) => bounce(mail, { status: '5.0.0', diagnostic: 'smtp; 550 No such user here' }),
  ],
  [
    'Exchange, which writes no reply',
    (mail) =>
      bounce(mail, { status: '5.1.10', diagnostic: 'smtp;RESOLVER.ADR.RecipientNotFound; not found' }),
  ],
  [
    'one for a domain that does not exist',
    (mail) => bounce(mail, { status: '5.1.2', diagnostic: 'dns; host unknown' }),
  ],
  [
    'Postfix, for a domain that does not exist',
    (mail) =>
      bounce(mail, {
        status: '5.4.4',
        diagnostic: 'X-Postfix; Host or domain name not found. Name service error',
      }),
  ],
  [
    'one of a disabled mailbox',
    (mail) => bounce(mail, { status: '5.2.1', diagnostic: 'smtp; 550-5.2.1 It is disabled' }),
  ],
  [
    'one with an address in capitals and brackets',
    (mail) => bounce(mail, { recipient: `RFC822; <${mail.email.toUpperCase()}>` }),
  ],
  [
    'one to which the address forwards',
    (mail) => bounce(mail, { recipient: 'rfc822; other@forward.example', original: `rfc822;${mail.email}` }),
  ],
  [
    'one that names only where it forwards to',
    (mail) => bounce(mail, { recipient: 'rfc822; other@forward.example' }),
  ],
  [
    'one that returns nothing and replies to the e-mail',
    (mail) =>
      bounce(mail, {
        returned: 'Content-Type: text/plain\n\nNothing.',
        head: `In-Reply-To: ${mail.messageId}\nReferences: ${mail.messageId}\n`,
      }),
  ],
  [
    'one that encodes what it returns',
    (mail) =>
      bounce(mail, {
        returned: `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${Buffer.from(mail.whole).toString('base64')}`,
      }),
  ],
  ['one without a status', (mail) => bounce(mail).replace(/^Status:.*\n/m, '')],
  ['one without an action', (mail) => bounce(mail).replace(/^Action:.*\n/m, '')],
  [
    'one that explains its fields',
    (mail) => bounce(mail, { action: 'failed (bounced)', status: '550 5.1.1' }),
  ],
  [
    'one that writes Spanish',
    (mail) => bounce(mail, { status: '5.0.0', diagnostic: 'smtp; 550 El usuario no existe' }),
  ],
  [
    'Gmail, with the id apart',
    (mail) =>
      bounce(mail, { returned: 'Content-Type: text/plain\n\nNothing.' }).replace(
        /^Arrival-Date/m,
        `X-Original-Message-ID: ${mail.messageId}\nArrival-Date`,
      ),
  ],
  ['a gateway that adds a footer', (mail) => bounce(mail).replace('multipart/report', 'multipart/mixed')],
  [
    'qmail, in plain text',
    (mail) =>
      `From: MAILER-DAEMON@mx.people.example\nSubject: failure notice\n\nHi. This is the qmail-send program at mx.people.example.\nI'm afraid I wasn't able to deliver your message.\n\n<${mail.email}>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 5.1.1 User unknown\nGiving up on 192.0.2.1.\n\n--- Below this line is a copy of the message.\n\n${mail.whole}`,
  ],
])('a bounce of %s marks the address, until an e-mail is accepted', async (_, report) => {
  const mail = await mailed();
  expect(await reported(report(mail))).toBe('address-refused');
  expect(isRefused(mail.email) || isRefused(mail.email.toUpperCase())).toBe(true);
  expect(await reported(report(mail)), 'again is no error').toBe('address-refused');
});

test('an e-mail that is accepted after the bounce ends the mark', async () => {
  const mail = await mailed();
  await reported(bounce(mail));
  await mailing.becomes(await mailing.statusChanged(mail.userId), 'sent');
  await expect.poll(() => isRefused(mail.email), PATIENCE).toBe(false);
});

test.each<[string, (mail: Mailed, other: Mailed) => string]>([
  ['a delay', (mail) => bounce(mail, { action: 'delayed', status: '4.4.1', diagnostic: 'smtp; 421 busy' })],
  [
    'a delivery',
    (mail) => bounce(mail, { action: 'delivered', status: '2.1.5', diagnostic: 'smtp; 250 ok' }),
  ],
  ['a relay', (mail) => bounce(mail, { action: 'relayed', status: '2.0.0', diagnostic: 'smtp; 250 ok' })],
  [
    'an expansion',
    (mail) => bounce(mail, { action: 'expanded', status: '2.0.0', diagnostic: 'smtp; 250 ok' }),
  ],
  ['a failure for now', (mail) => bounce(mail, { status: '4.4.7', diagnostic: 'smtp; 451 4.4.7 expired' })],
  ['a full mailbox', (mail) => bounce(mail, { status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Mailbox full' })],
  [
    'spam',
    (mail) => bounce(mail, { status: '5.7.1', diagnostic: 'smtp; 550 5.7.1 Message rejected as spam' }),
  ],
  [
    'our quota',
    (mail) => bounce(mail, { status: '5.4.5', diagnostic: 'smtp; 550 5.4.5 Daily limit exceeded' }),
  ],
  [
    'our sender',
    (mail) => bounce(mail, { status: '5.7.26', diagnostic: 'smtp; 550 5.7.26 Unauthenticated' }),
  ],
  ['an unclear failure', (mail) => bounce(mail, { status: '5.0.0', diagnostic: 'smtp; 550 Rejected' })],
  [
    'an e-mail that never was',
    (mail) =>
      bounce({ ...mail, headers: `Message-ID: <1.status-changed@casewatch.example.com>\nTo: ${mail.email}` }),
  ],
  [
    'an e-mail to someone else',
    (mail, other) => bounce({ ...other, email: mail.email, headers: `Message-ID: ${other.messageId}` }),
  ],
  ['no e-mail', (mail) => bounce(mail, { returned: 'Content-Type: text/plain\n\nNothing.' })],
  [
    'an absence',
    (mail) =>
      `From: ${mail.email}\nSubject: Out of office\nAuto-Submitted: auto-replied\nIn-Reply-To: ${mail.messageId}\n\nBack soon.\n`,
  ],
  [
    'a bounce that someone forwards',
    (mail) =>
      `From: eve@people.example\nContent-Type: multipart/mixed; boundary=F\n\n--F\nContent-Type: message/rfc822\n\n${bounce(mail)}\n--F--\n`,
  ],
  ['nothing that can be read', () => 'no message at all'],
])('a report of %s marks nothing', async (_, report) => {
  const [mail, other] = [await mailed(), await mailed()];
  expect(await reported(report(mail, other))).toBe('ignored');
  expect([isRefused(mail.email), isRefused(other.email)]).toEqual([false, false]);
});

const complaint = (returned: string, type = 'abuse') => `From: complaints@provider.example
Subject: FW: Your case
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="A"

--A
Content-Type: text/plain

This is an email abuse report.

--A
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1

--A
Content-Type: message/rfc822
Content-Disposition: inline

${returned}
--A--
`;
const wantsMails = async (userId: string) => {
  const answer = await mailing.call('GET', '/api/notifications/preferences', { as: { userId } });
  return ((await answer.json()) as { email: boolean }).email;
};

test.each<[string, (mail: Mailed) => string]>([
  ['the whole e-mail', ({ whole }) => complaint(whole)],
  ['its headers', ({ headers }) => complaint(headers)],
  [
    'an e-mail without its recipient',
    ({ whole }) => complaint(whole.replace(/^To: .*$/m, 'To: redacted@provider.example')),
  ],
  ['fraud', ({ whole }) => complaint(whole, 'fraud')],
  ['a wish to get none', ({ whole }) => complaint(whole, 'opt-out')],
])('a complaint with %s ends the e-mails about cases, and marks nothing', async (_, report) => {
  const mail = await mailed();
  expect(await reported(report(mail))).toBe('emails-stopped');
  expect([await wantsMails(mail.userId), isRefused(mail.email)]).toEqual([false, false]);
});

test.each<[string, (mail: Mailed) => string]>([
  ['that it is no spam', ({ whole }) => complaint(whole, 'not-spam')],
  ['a failed signature', ({ whole }) => complaint(whole, 'auth-failure')],
  ['a virus', ({ whole }) => complaint(whole, 'virus')],
  [
    'another sender',
    () => complaint('From: eve@people.example\nList-Unsubscribe: <https://eve.example/?token=1>\n\nBuy!'),
  ],
  ['a link that was changed', ({ whole }) => complaint(whole.replace(/token=\w{4}/, 'token=0000'))],
])('a report of %s ends no e-mails', async (_, report) => {
  const mail = await mailed();
  expect(await reported(report(mail))).toBe('ignored');
  expect(await wantsMails(mail.userId)).toBe(true);
});

test('a complaint about an e-mail to an address that the account no longer has ends nothing', async () => {
  const mail = await mailed();
  mailing.directory.emails.set(mail.userId, 'moved@people.example');
  expect(await reported(complaint(mail.whole))).toBe('ignored');
  expect(await wantsMails(mail.userId)).toBe(true);
});

test('only who knows the secret can report; an older one counts while it is replaced', async () => {
  const mail = await mailed();
  const statuses = [];
  for (const secret of ['', 'a secret for mail reportz', MAIL_SECRET, `${SECRET},${OLDER}`])
    statuses.push((await post(bounce(mail), { 'mail-report-secret': secret })).status);
  expect(statuses).toEqual([400, 400, 400, 400]);
  expect(isRefused(mail.email)).toBe(false);
  expect((await post(bounce(mail), { 'mail-report-secret': OLDER })).status).toBe(200);
  const without = await mailing.another({ env: { MAIL_REPORT_SECRET: '' } });
  const headers = { 'content-type': 'message/rfc822', 'mail-report-secret': '' };
  const answer = await fetch(`${without.url}/api/webhooks/mail-reports`, {
    method: 'POST',
    body: bounce(mail),
    headers,
  });
  expect(answer.status).toBe(400);
  await without.stop();
});

test('a report is a message of at most 100 kB', async () => {
  const mail = await mailed();
  expect((await post(bounce(mail), { 'content-type': 'application/json' })).status).toBe(415);
  expect((await post(`${bounce(mail)}${'x'.repeat(100_000)}`)).status).toBe(413);
});

test('while identity is unavailable a report is not accepted, so that the mail server passes it again', async () => {
  const mail = await mailed();
  mailing.directory.unavailable.reports = true;
  expect((await post(bounce(mail))).status).toBeGreaterThanOrEqual(500);
  mailing.directory.unavailable.reports = false;
  expect(await reported(bounce(mail))).toBe('address-refused');
});
