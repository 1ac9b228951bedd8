import { expect, test } from '../src/fixtures.ts';

const PREFERENCES = '/api/notifications/preferences';
const NAME = 'Email me when a case changes';

test('where no e-mails are sent none are offered', async ({ page, freeUser: _ }) => {
  await page.goto('/profile');
  await expect(page.getByRole('region', { name: 'Password and Devices' })).toBeVisible();
  const answer = await page.request.get(new URL(PREFERENCES, page.url()).href);
  expect(await answer.json()).toEqual({ email: true, emailOffered: false });
  await expect(page.getByRole('switch', { name: NAME })).toHaveCount(0);
});

test('an unsigned link stops nothing and says what to do', async ({ page }) => {
  await page.goto('/unsubscribe#not.signed.at-all');
  await page.getByRole('button', { name: 'Stop emails' }).click();
  await expect(page.getByRole('alert')).toContainText('Use the link of a newer email');
});
