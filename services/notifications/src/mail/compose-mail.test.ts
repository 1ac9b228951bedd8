import { emailLinkPath } from '@casewatch/contracts/app-pages';
import { expect, test } from 'vitest';
import { createMailComposer } from './compose-mail.ts';

const compose = createMailComposer({
  from: 'Casewatch <notices@casewatch.example.com>',
  publicUrl: 'https://casewatch.example.com',
});
const notice = {
  notificationId: '01890a5d-ac96-774b-bcce-b302099a8057',
  subject: {
    kind: 'status',
    receiptNumber: 'EAC9999103403',
    oldStatus: null,
    newStatus: 'Case Was Approved',
  },
  createdAt: new Date('2026-01-05T12:00:00Z'),
  timeZone: null,
  nickname: undefined,
  formType: undefined,
} as const;
const addressed = {
  to: 'ada@people.example',
  language: 'en',
  unsubscribeToken: 'token',
  date: new Date(0),
} as const;

test('it says what changed, when, where to look, and how to stop it', () => {
  const { subject, text, html, messageId, unsubscribeUrl } = compose(notice, addressed);
  expect(subject).toBe('Case Was Approved: EAC******3403');
  expect(messageId).toBe('<01890a5d-ac96-774b-bcce-b302099a8057.status-changed@casewatch.example.com>');
  expect(unsubscribeUrl).toBe('https://casewatch.example.com/api/notifications/unsubscribe?token=token');
  // What mail programs leave out of an answer.
  expect(text).toContain('\n\n-- \n\n');
  for (const part of [text, html]) {
    expect(part).toContain('Case Was Approved');
    expect(part).toContain('January 5, 2026');
    expect(part).toContain('UTC');
    expect(part).toContain(
      'https://casewatch.example.com/notifications/01890a5d-ac96-774b-bcce-b302099a8057',
    );
    expect(part).toContain('https://casewatch.example.com/unsubscribe#token');
    expect(part).toContain('unofficial');
    expect(part).not.toContain('Old status');
    expect(part).not.toContain('9999103403');
  }
});

test('where a newer status is known, it is the one that counts, and the change is shown as an earlier one', () => {
  const newerStatus = 'Request for Initial Evidence Was Sent';
  const { subject, text, html } = compose({ ...notice, nickname: 'Mom', newerStatus }, addressed);
  expect(subject).toBe('Earlier status, Case Was Approved: Mom (EAC******3403)');
  const latest = compose({ ...notice, subject: { ...notice.subject, newStatus: newerStatus } }, addressed);
  const advice = latest.text.slice(latest.text.indexOf('What this means'), latest.text.indexOf('See it in'));
  expect(text).toContain('had this status before: Case Was Approved.');
  expect(text).toContain(`Status now: ${newerStatus}`);
  expect(text).toContain(advice);
  for (const part of [text, html]) expect(part).not.toContain('has a new status');
});

test.each([
  [null, 'January 5, 2026 at 12:00 PM UTC'],
  ['America/New_York', 'January 5, 2026 at 7:00 AM EST'],
  ['Pacific/Auckland', 'January 6, 2026 at 1:00 AM GMT+13'],
])('it says when the change was noticed in the time zone that its reader chose: %s', (timeZone, moment) => {
  expect(compose({ ...notice, timeZone }, addressed).text).toContain(moment);
});

test('it says what the status means for the form and what to do next, and links to nothing else', () => {
  const { text, html } = compose({ ...notice, nickname: 'Mom', formType: 'N-400' }, addressed);
  for (const part of [text, html]) {
    expect(part).toContain('Mom (EAC******3403)');
    expect(part).toContain('N-400');
    expect(part).toContain('You become a citizen only when you take the oath.');
    expect(part).toContain('Watch for the notice of the oath ceremony');
    expect(part).toContain('not legal advice');
  }
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    `https://casewatch.example.com/notifications/${notice.notificationId}`,
    'https://egov.uscis.gov/',
    'https://casewatch.example.com/unsubscribe#token',
    'https://casewatch.example.com/privacy',
    'https://casewatch.example.com/terms',
  ]);
});

test('it reads on a phone and in dark mode: one column, and no color without its counterpart', () => {
  const { html } = compose(notice, addressed);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('<meta name="viewport" content="width=device-width">');
  expect(html).not.toMatch(/[^-]width:|nowrap;[^"]*width/);
  for (const [, style = ''] of html.matchAll(/style="([^"]*)"/g)) {
    const hasColor = /(?:^|;)color:(?!inherit)/.test(style);
    if (hasColor) expect(style).toMatch(/(?:^|;)background:/);
  }
});

test('a list of e-mails shows what the status means beside the subject, and nothing after it', () => {
  const { html } = compose({ ...notice, nickname: 'Mom', formType: 'N-400' }, addressed);
  const [, hidden = ''] = /<body[^>]*>\s*<div style="display:none[^"]*">(.*?)<\/div>/s.exec(html) ?? [];
  expect(hidden).toMatch(/^The application is approved\. You become a citizen only when you take the oath\./);
  expect(hidden).toMatch(/(?:&#847;&zwnj;&nbsp;){60}$/);
});

test('it is in the brand, in Outlook for Windows too: mark, width and button need no picture and no style sheet', () => {
  const { html } = compose(notice, addressed);
  expect(html).toMatch(/<td bgcolor="#0b5d57" aria-hidden="true"[^>]*>.*>Casewatch<\/td>/);
  expect(html).toContain('<!--[if mso]><table role="presentation" width="560"');
  expect(html).toMatch(/<td bgcolor="#0b5d57" style="[^"]*mso-padding-alt:10px 18px"><a href=/);
});

test('it loads nothing from anywhere', () => {
  const { html } = compose(
    { ...notice, subject: { ...notice.subject, oldStatus: 'Case Was Received' } },
    addressed,
  );
  expect(html).not.toMatch(/<(?:img|script|link|iframe|style)|url\(|src=/i);
});

test('what people and the agency wrote stays text on one line', () => {
  const nasty = '</td><a href="javascript:x">"\'&\u2028\u202e\r\nBcc: x';
  const { subject, html, text } = compose(
    { ...notice, nickname: nasty, subject: { ...notice.subject, newStatus: nasty } },
    addressed,
  );
  expect(subject).not.toMatch(/[\r\n\u2028\u202e]/);
  expect(html).not.toContain('<a href="javascript:');
  expect(html).not.toContain('</td><a');
  expect(html).toContain('&lt;/td&gt;&lt;a href=&quot;javascript:x&quot;&gt;&quot;&#39;&amp;');
  expect(text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([]);
});

test.each(['\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069', '\u0000', '\u007f', '\u0085'])(
  'a character that ends the line or turns the text around is a space: %j',
  (character) => {
    const { subject } = compose({ ...notice, nickname: ` My ${character} ${character}case` }, addressed);
    expect(subject).toBe('Case Was Approved: My case (EAC******3403)');
  },
);

test.each([
  [
    'trial-ending',
    null,
    'Casewatch: Your free trial ends on January 8, 2026 (UTC)',
    'you pay nothing',
    '/profile',
  ],
  [
    'payment-failed',
    null,
    'Casewatch: Your payment for Pro failed',
    'until January 8, 2026 (UTC)',
    '/upgrade',
  ],
  ['pro-ended', 'payment-failed', 'Casewatch: Pro has ended', 'because the payment failed', '/upgrade'],
  ['pro-ended', 'canceled', 'Casewatch: Pro has ended', 'because it was canceled', '/upgrade'],
  ['pro-ended', 'refunded', 'Casewatch: Pro has ended', 'refunded or disputed', '/upgrade'],
  ['pro-returned', null, 'Casewatch: Pro is back', 'have resumed', '/saved-cases'],
] as const)('of %s (%s) it says what happened and what to do, and can not be stopped', (...expected) => {
  const [milestone, reason, title, words, path] = expected;
  const effectiveAt = new Date('2026-01-08T12:00:00Z');
  const mail = compose({ ...notice, subject: { kind: 'plan', milestone, reason, effectiveAt } }, addressed);
  expect(mail.subject).toBe(title);
  expect(`Casewatch: ${mail.text.split('\n')[0]}`, 'the first line').toBe(title);
  expect(mail.messageId).toContain(`${notice.notificationId}.plan-milestone-reached@`);
  expect(mail.unsubscribeUrl).toBeUndefined();
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain(words);
    expect(part).toContain(`https://casewatch.example.com${emailLinkPath(path)}`);
    expect(part).toContain('about your Casewatch plan');
    expect(part).not.toContain('Stop these emails');
  }
});

test.each([
  [null, 'January 9, 2026 (UTC)'],
  ['America/Los_Angeles', 'January 8, 2026'],
  ['Pacific/Auckland', 'January 9, 2026'],
])('of the plan it names the day in the time zone that its reader chose: %s', (timeZone, day) => {
  const effectiveAt = new Date('2026-01-09T01:00:00Z');
  const subject = { kind: 'plan', milestone: 'trial-ending', reason: null, effectiveAt } as const;
  const mail = compose({ ...notice, timeZone, subject }, addressed);
  expect(mail.subject).toBe(`Casewatch: Your free trial ends on ${day}`);
  expect(mail.text).toContain(`The first payment is taken on ${day}, and Pro continues.`);
});

test.each([
  ['en', 'Case Was Denied', /usually 30 days \(33 if the decision was mailed\)/],
  ['en', 'Case Was Rejected Because I Did Not Sign My Form', /File again right away/],
  ['en', 'Notice of Intent to Deny Was Sent', /Answer by the date printed/],
  ['es', 'Case Was Denied', /suele ser de 30 días \(33 si se envió por correo postal\)/],
  ['es', 'Case Was Rejected Because I Did Not Sign My Form', /Preséntela de nuevo enseguida/],
  ['es', 'Notice of Intent to Deny Was Sent', /Responda antes de la fecha/],
] as const)('in %s an e-mail about "%s" says the next step', (language, newStatus, todo) => {
  const { text, html } = compose(
    { ...notice, subject: { ...notice.subject, newStatus } },
    { ...addressed, language },
  );
  for (const part of [text, html]) expect(part).toMatch(todo);
});
