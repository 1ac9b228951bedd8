import { expect, test } from 'vitest';
import { createMailComposer } from './compose-mail.ts';

const compose = createMailComposer({
  from: 'Casewatch <notices@casewatch.example.com>',
  publicUrl: 'https://casewatch.example.com',
});
const notice = {
  notificationId: '01890a5d-ac96-774b-bcce-b302099a8057',
  receiptNumber: 'EAC9999103403',
  oldStatus: null,
  newStatus: 'Case Was Approved',
  createdAt: new Date('2026-01-05T12:00:00Z'),
  nickname: undefined,
};
const addressed = { to: 'ada@people.example', unsubscribeToken: 'token', date: new Date(0) };

test('it says what changed, when, where to look, and how to stop it', () => {
  const { subject, text, html, messageId, unsubscribeUrl } = compose(notice, addressed);
  expect(subject).toBe('Case update: EAC******3403');
  expect(messageId).toBe('<01890a5d-ac96-774b-bcce-b302099a8057.status-changed@casewatch.example.com>');
  expect(unsubscribeUrl).toBe('https://casewatch.example.com/api/notifications/unsubscribe?token=token');
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

test('it loads nothing from anywhere', () => {
  const { html } = compose({ ...notice, oldStatus: 'Case Was Received' }, addressed);
  expect(html).not.toMatch(/<(?:img|script|link|iframe|style)|url\(|src=/i);
});

test('what people and the agency wrote stays text on one line', () => {
  const nasty = '</td><a href="javascript:x">"\'&\u2028\u202e\r\nBcc: x';
  const { subject, html, text } = compose({ ...notice, nickname: nasty, newStatus: nasty }, addressed);
  expect(subject).not.toMatch(/[\r\n\u2028\u202e]/);
  expect(html).not.toContain('<a href="javascript:');
  expect(html).not.toContain('</td><a');
  expect(html).toContain('&lt;/td&gt;&lt;a href=&quot;javascript:x&quot;&gt;&quot;&#39;&amp;');
  expect(text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([]);
});
