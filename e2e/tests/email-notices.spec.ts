import { once } from 'node:events';
import { connect } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import { startMailbox } from '../../host/src/mailbox.ts';
import { expect, test } from '../src/fixtures.ts';

const PREFERENCES = '/api/notifications/preferences';

test('where no e-mails are sent none are offered', async ({ page, freeUser: _ }) => {
  await page.goto('/profile/notifications');
  const changes = page.getByRole('group', { name: 'Status changes' });
  await expect(changes.getByRole('switch', { name: 'In the app' })).toBeChecked();
  const answer = await page.request.get(new URL(PREFERENCES, page.url()).href);
  expect(await answer.json()).toEqual({ email: true, emailOffered: false });
  await expect(page.getByRole('switch', { name: 'Email' })).toHaveCount(0);
});

test('an unsigned link stops nothing and says what to do', async ({ page }) => {
  await page.goto('/unsubscribe#not.signed.at-all');
  await page.getByRole('button', { name: 'Stop emails' }).click();
  await expect(page.getByRole('alert')).toContainText('Use the link of a newer email');
});

const MAIL = [
  'Subject: Novedad en su caso',
  'Content-Language: es',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Su caso: http://localhost:8080/notifications/0198c0de-0000-7000-8000-119999103403',
];

test('the page of e-mails that npm start keeps is accessible, empty and with one', async ({ page }) => {
  const mailbox = await startMailbox(0);
  try {
    const check = async () => {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          // Without its frames, which are e-mails: other tests are about those.
          const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
          expect(
            violations.map(({ id }) => id),
            colorScheme,
          ).toEqual([]);
        }
      }
    };
    await page.goto(mailbox.url);
    await check();
    await send(mailbox.env.SMTP_URL, MAIL);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Novedad en su caso' })).toHaveAttribute('lang', 'es');
    await check();
  } finally {
    await mailbox.stop();
  }
});

async function send(smtpUrl: string | undefined, lines: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(smtpUrl ?? '');
  const socket = connect(Number(port), hostname);
  await once(socket, 'data');
  for (const line of ['HELO here', 'MAIL FROM:<a@example.test>', 'RCPT TO:<b@example.test>', 'DATA']) {
    socket.write(`${line}\r\n`);
    await once(socket, 'data');
  }
  socket.write(`${lines.join('\r\n')}\r\n.\r\n`);
  await once(socket, 'data');
  socket.end('QUIT\r\n');
}
