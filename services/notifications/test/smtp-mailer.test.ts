import { startMailServer } from '@casewatch/testing/mail-server';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import { afterEach, expect, test } from 'vitest';
import type { Mail } from '../src/domain/mailer.ts';
import { createRecipientTags } from '../src/mail/recipient-tags.ts';
import { openSmtpMailer } from '../src/mail/smtp-mailer.ts';

const tags = createRecipientTags(['a secret for message ids']);
const ACCOUNT = { user: 'casewatch', password: 'a password' };
const MAIL: Mail = {
  to: 'ada@people.example',
  language: 'es',
  subject: 'A subject',
  text: 'A text',
  html: '<p>A text</p>',
  messageId: '<1@casewatch.example.com>',
  date: new Date('2026-01-05T12:00:00Z'),
};

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function open(options: Parameters<typeof startMailServer>[0] = {}, query = '') {
  const server = await startMailServer(options);
  opened.push(server.stop);
  const { user, password } = options.account ?? { user: '', password: '' };
  const url = new URL(`smtp://127.0.0.1:${server.port}${query}`);
  url.username = user;
  url.password = password;
  const mailer = await openSmtpMailer({
    smtpUrl: url.href,
    from: 'notices@example.com',
    connections: 1,
    tags,
  });
  opened.push(mailer.close);
  return {
    server,
    send: (mail: Partial<Mail> = {}) => mailer.send({ ...MAIL, ...mail }, new AbortController().signal),
  };
}

test('a password is never sent without TLS, also when the server does not offer it', async () => {
  const { server, send } = await open({ account: ACCOUNT });
  expect(await send()).toMatchObject({ kind: 'unavailable', reason: expect.stringMatching(/^etls/) });
  expect(server.mails()).toEqual([]);
});

test('where the server offers TLS the account signs in over it', async () => {
  const certificate = await makeSelfSigned();
  try {
    const { server, send } = await open({ account: ACCOUNT, certificate }, '?tls.rejectUnauthorized=false');
    expect(await send()).toEqual({ kind: 'sent' });
    expect(server.mails()).toMatchObject([{ secure: true, user: ACCOUNT.user }]);
  } finally {
    certificate.remove();
  }
});

test('an address is one recipient, whatever is in it', async () => {
  const { server, send } = await open();
  const recipients: string[] = [];
  server.refuseRecipients((to) => {
    recipients.push(to);
    return undefined;
  });
  await send({ to: 'ada@people.example, eve@people.example' });
  expect(recipients).not.toContain('eve@people.example');
  await send();
  expect(recipients).toContain('ada@people.example');
});

const REPLIES = {
  quota: '550 5.4.5 Daily user sending limit exceeded',
  relay: '554 5.7.1 Relay access denied',
  sender: '553 5.7.1 Sender address rejected: not owned by user',
  signIn: '530 5.7.0 Authentication required',
  busy: '454 4.7.0 Throttling failure',
  unknown: '550 5.1.1 User unknown',
  noMail: '556 5.1.10 The domain accepts no mail',
  noSuchUser: '550 No such user here',
  full: '552 5.2.2 Mailbox full',
  greylisted: '450 4.7.1 Greylisted',
  large: '552 5.3.4 Message too big',
  spam: '554 5.7.1 Message rejected as spam',
  media: '554 5.6.1 Media not supported',
};

test.each([
  ['connect', REPLIES.relay, 'unavailable'],
  ['connect', REPLIES.unknown, 'unavailable'],
  ['sign-in', REPLIES.quota, 'unavailable'],
  ['sign-in', REPLIES.busy, 'unavailable'],
  ['sender', REPLIES.quota, 'unavailable'],
  ['sender', REPLIES.spam, 'unavailable'],
  ['sender', REPLIES.signIn, 'unavailable'],
  ['sender', REPLIES.large, 'refused'],
] as const)('before the recipient, at %s, "%s" makes it %s', async (step, reply, kind) => {
  const certificate = await makeSelfSigned();
  const { server, send } = await open({ account: ACCOUNT, certificate }, '?tls.rejectUnauthorized=false');
  certificate.remove();
  server.refuseAt(step, reply);
  const outcome = await send();
  expect(outcome).toMatchObject({ kind, reason: expect.stringContaining(reply.slice(0, 3)) });
  expect(outcome).not.toHaveProperty('means');
  server.refuseAt(step);
  if (kind === 'unavailable') expect(await send()).toEqual({ kind: 'sent' });
});

const DEAD = { kind: 'refused', means: 'no-such-address' };
test.each([
  ['the recipient', REPLIES.quota, { kind: 'unavailable' }],
  ['the recipient', REPLIES.relay, { kind: 'unavailable' }],
  ['the recipient', REPLIES.sender, { kind: 'unavailable' }],
  ['the recipient', REPLIES.signIn, { kind: 'unavailable' }],
  ['the recipient', REPLIES.busy, { kind: 'unavailable' }],
  ['the recipient', REPLIES.unknown, DEAD],
  ['the recipient', REPLIES.noMail, DEAD],
  ['the recipient', REPLIES.noSuchUser, DEAD],
  ['the recipient', REPLIES.full, { kind: 'deferred' }],
  ['the recipient', REPLIES.greylisted, { kind: 'deferred' }],
  ['the recipient', REPLIES.large, { kind: 'refused' }],
  ['the message', REPLIES.quota, { kind: 'unavailable' }],
  ['the message', REPLIES.relay, { kind: 'unavailable' }],
  ['the message', REPLIES.signIn, { kind: 'unavailable' }],
  ['the message', REPLIES.busy, { kind: 'unavailable' }],
  ['the message', REPLIES.unknown, DEAD],
  ['the message', REPLIES.full, { kind: 'deferred' }],
  ['the message', REPLIES.large, { kind: 'refused' }],
  ['the message', REPLIES.spam, { kind: 'refused' }],
  ['the message', REPLIES.media, { kind: 'refused' }],
] as const)('to %s the answer "%s" makes it %o', async (of, reply, outcome) => {
  const { server, send } = await open();
  if (of === 'the recipient') server.refuseRecipients(() => reply);
  else server.refuseMessages(() => reply);
  const { reason, ...rest } = { reason: '', ...(await send()) };
  expect(rest).toEqual(outcome);
  expect(reason).toContain(reply.slice(0, 3));
  expect(reason).not.toContain('people.example');
});

test('it carries its language, its date and, only where it can be stopped, the link that does', async () => {
  const { server, send } = await open();
  await send();
  await send({ unsubscribeUrl: 'https://casewatch.example.com/stop?token=1' });
  const [plain, stoppable] = server.mails().map(({ parsed }) => {
    const { date, headers } = parsed;
    return {
      date: new Date(date ?? ''),
      ...Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    };
  });
  const every = { 'auto-submitted': 'auto-generated', 'content-language': 'es' };
  expect(plain).toMatchObject(every);
  expect(Object.keys(plain ?? {})).not.toContain('list-unsubscribe');
  expect(Object.keys(plain ?? {})).not.toContain('x-mailer');
  expect(stoppable).toMatchObject({
    ...every,
    'list-unsubscribe': '<https://casewatch.example.com/stop?token=1>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
});

test('what is abandoned is not sent', async () => {
  const { server } = await open();
  const mailer = await openSmtpMailer({
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    from: 'notices@example.com',
    connections: 1,
    tags,
  });
  expect(await mailer.send(MAIL, AbortSignal.abort())).toMatchObject({ kind: 'unavailable' });
  expect(server.mails()).toEqual([]);
  await mailer.close();
});
