import { ACCOUNT_MAIL_KINDS, type AccountMail } from '@casewatch/contracts/account-mails';
import { expect, test } from 'vitest';
import { createAccountMailComposer } from './compose-account-mail.ts';

const compose = createAccountMailComposer({
  from: 'Casewatch <notices@casewatch.example.com>',
  publicUrl: 'https://casewatch.example.com',
});
const mail: AccountMail = {
  mailId: '01890a5d-ac96-774b-bcce-b302099a8057',
  kind: 'new-device',
  to: 'ada@people.example',
  requestedAt: '2026-01-05T12:00:00.000Z',
  token: null,
  tokenMinutes: null,
  isFirstProof: false,
  passkeys: 0,
  device: 'Firefox on Windows',
  network: '198.51.100.0/24',
  language: 'en',
};

test.each(ACCOUNT_MAIL_KINDS)(
  'the e-mail %s says the same as text and as HTML, and loads nothing from anywhere',
  (kind) => {
    const { subject, text, html } = compose({ ...mail, kind, token: 'secret', tokenMinutes: 1_440 });
    expect(subject).not.toBe('');
    const links = (part: string) => part.match(/https:\/\/[^\s"<]+/g) ?? [];
    expect(links(html)).toEqual(links(text));
    expect(links(html).every((url) => url.startsWith('https://casewatch.example.com/'))).toBe(true);
    expect(html).not.toMatch(/<(?:img|script|link|iframe|style)|url\(|src=/i);
  },
);

test.each(ACCOUNT_MAIL_KINDS)('the e-mail %s begins with its subject, and has one button at most', (kind) => {
  const { subject, html, text } = compose({ ...mail, kind, token: 'secret' });
  expect(text.startsWith(`${subject}\n\n`)).toBe(true);
  expect(html).toContain(`>${subject}</h1>`);
  expect(html.split('bgcolor="#0b5d57" style="border-radius').length - 1).toBe(
    kind === 'email-changed' ? 0 : 1,
  );
});

test('links that follow each other at the end share a line', () => {
  expect(compose(mail).html).toMatch(/>Privacy policy<\/a> &middot; <a [^>]*>Terms of use<\/a><\/p>/);
});

test.each([
  ['reset-password', 30, 'https://casewatch.example.com/reset-password#secret', '30 minutes'],
  ['confirm-email', 1_440, 'https://casewatch.example.com/confirm-email#secret', '24 hours'],
  ['change-email', 1_440, 'https://casewatch.example.com/confirm-email#secret', '24 hours'],
  ['stop-email-change', 1_440, 'https://casewatch.example.com/stop-email-change#secret', '24 hours'],
] as const)(
  '%s carries its token in the fragment and says how long it works',
  (kind, tokenMinutes, url, time) => {
    const { text } = compose({ ...mail, kind, token: 'secret', tokenMinutes });
    expect(text).toContain(url);
    expect(text).toContain(`once, for ${time}`);
  },
);

test.each([
  ['reset-password', false],
  ['confirm-email', true],
  ['change-email', false],
] as const)('%s says that the first proof of an address removes passkeys', (kind, isAlwaysFirst) => {
  const text = (isFirstProof: boolean) => compose({ ...mail, kind, token: 'secret', isFirstProof }).text;
  const sentence = 'passkeys that were added before are removed';
  expect(text(true)).toContain(sentence);
  expect(text(false).includes(sentence)).toBe(isAlwaysFirst);
});

test('the first e-mail to an address tells someone who did not sign up to ignore it, and leads to the policies and nowhere else', () => {
  const { text } = compose({ ...mail, kind: 'confirm-email', token: 'secret', tokenMinutes: 1_440 });
  expect(text).toContain('If you did not sign up, ignore this email.');
  expect(text.match(/https:\S+/g)).toEqual([
    'https://casewatch.example.com/confirm-email#secret',
    'https://casewatch.example.com/privacy',
    'https://casewatch.example.com/terms',
  ]);
});

test.each(['confirm-email', 'change-email'] as const)('%s says that its link needs the password', (kind) => {
  expect(compose({ ...mail, kind, token: 'secret' }).text).toContain(
    'You will also need your account password.',
  );
});

test('the notice of a new sign-in says which device, which network and when', () => {
  const { text } = compose(mail);
  expect(text).toContain('Device: Firefox on Windows. Network: 198.51.100.0/24.');
  expect(text).toContain('January 5, 2026');
});

test('the notice of a requested change of address says who asked and when, and leads to a new password', () => {
  const { text } = compose({ ...mail, kind: 'stop-email-change', token: 'secret', tokenMinutes: 1_440 });
  expect(text).toContain('Device: Firefox on Windows. Network: 198.51.100.0/24.');
  expect(text).toContain('January 5, 2026');
  expect(text).toContain('Choose a new password: https://casewatch.example.com/forgot-password');
});

test.each([
  [
    1,
    'The passkey of your account still works. In your profile, remove any passkey that you do not recognize',
  ],
  [
    3,
    'The 3 passkeys of your account still work. In your profile, remove any passkey that you do not recognize',
  ],
])('the notice of a new password says that %i passkeys remain', (passkeys, sentence) => {
  expect(compose({ ...mail, kind: 'password-changed', passkeys }).text).toContain(sentence);
  expect(compose({ ...mail, kind: 'password-changed' }).text).not.toContain('passkey');
});

test.each([
  [
    { supportEmail: 'help@example.com' },
    `mailto:help@example.com?subject=Casewatch%20support%20(${mail.mailId})`,
  ],
  [
    { supportEmail: 'help+cases@example.com', supportUrl: 'https://help.example.com/new' },
    `mailto:help%2Bcases@example.com?subject=Casewatch%20support%20(${mail.mailId})`,
  ],
  [
    { supportUrl: 'https://help.example.com/new?kind=account' },
    `https://help.example.com/new?kind=account&reference=${mail.mailId}`,
  ],
  [{ supportUrl: 'https://help.example.com/new' }, `https://help.example.com/new?reference=${mail.mailId}`],
])('with %j the notice of a changed address leads to support', (support, url) => {
  const composed = createAccountMailComposer({
    ...{ from: 'notices@example.com', publicUrl: 'https://casewatch.example.com' },
    ...support,
  })({ ...mail, kind: 'email-changed' });
  expect(composed.text).toContain(`Contact support: ${url}`);
});

test('without support the notice of a changed address promises none', () => {
  const { text } = compose({ ...mail, kind: 'email-changed' });
  expect(text).not.toMatch(/support/i);
  expect(text).toContain('Change your password wherever else you use the same one.');
});

test('it is dated when it was asked for, and a repeat has the same id', () => {
  expect(compose(mail)).toMatchObject({
    to: mail.to,
    language: 'en',
    date: new Date(mail.requestedAt),
    messageId: `<${mail.mailId}.account@casewatch.example.com>`,
  });
  expect(compose(mail).unsubscribeUrl).toBeUndefined();
});

test('what a browser calls itself stays text on one line', () => {
  const { text, html } = compose({ ...mail, device: '<b>x</b>\r\nBcc: evil@evil.example' });
  expect(html).not.toContain('<b>');
  expect(text).not.toMatch(/^Bcc/m);
});
