import { forThisFile } from '@casewatch/testing/for-this-file';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { startMailbox } from '../src/mailbox.ts';

const mailbox = await forThisFile(startMailbox(0));

test('the page shows e-mails with their links to click, and nothing that they bring along', async () => {
  const transport = createTransport(mailbox.env.SMTP_URL);
  await transport.sendMail({
    from: mailbox.env.MAIL_FROM,
    to: 'ada@example.org',
    subject: 'Hello <script>alert(1)</script>',
    html: '<p>Open <a href="http://localhost:8080/case">the "case"</a></p><script>alert(1)</script>',
    text: 'Open http://localhost:8080/reset-password#a-token & then <b>sign in</b>.',
  });
  transport.close();
  const answer = await fetch(mailbox.url);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await answer.text();
  expect(page).toContain('ada@example.org');
  expect(page).toContain('href="http://localhost:8080/reset-password#a-token"');
  expect(page).toContain('&lt;b&gt;sign in&lt;/b&gt;');
  // The HTML part too, in a frame that runs nothing.
  expect(page).toContain(
    'srcdoc="&lt;base target=&quot;_blank&quot;&gt;&lt;p&gt;Open &lt;a href=&quot;http://localhost:8080/case&quot;',
  );
  expect(page).toMatch(/<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="Hello &lt;/);
  expect(page).not.toContain('<script>');
});

test('the newest e-mail is shown first, a text alone at once, and no page is kept', async () => {
  const own = await startMailbox(0);
  const before = await fetch(own.url);
  expect(before.headers.get('cache-control')).toBe('no-store');
  expect(before.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await before.text()).toContain('<p>No emails yet.</p>');
  const transport = createTransport(own.env.SMTP_URL);
  for (const subject of ['First', 'Second']) {
    await transport.sendMail({ from: own.env.MAIL_FROM, to: 'ada@example.org', subject, text: 'Hello' });
  }
  transport.close();
  const page = await (await fetch(own.url)).text();
  expect([...page.matchAll(/<h2 lang="en">(\w+)<\/h2>/g)].map(([, subject]) => subject)).toEqual([
    'Second',
    'First',
  ]);
  expect(page).toContain('<details open>');
  expect(page).not.toContain('No emails yet.');
  await own.stop();
  await expect(fetch(own.url)).rejects.toThrow();
});

test('both parts of an e-mail are shown in its language', async () => {
  const transport = createTransport(mailbox.env.SMTP_URL);
  await transport.sendMail({
    from: mailbox.env.MAIL_FROM,
    to: 'grace@example.org',
    subject: 'Novedad en su caso',
    headers: { 'Content-Language': 'es' },
    html: '<html lang="es"><p>Cambió el estado de su caso</p></html>',
    text: 'Cambió el estado de su caso',
  });
  transport.close();
  const page = await (await fetch(mailbox.url)).text();
  expect(page).toContain('<h2 lang="es">Novedad en su caso</h2>');
  expect(page).toContain('&lt;html lang=&quot;es&quot;&gt;');
  expect(page).toContain('<details><summary>');
  expect(page).toContain('<pre lang="es">Cambió el estado de su caso');
});
