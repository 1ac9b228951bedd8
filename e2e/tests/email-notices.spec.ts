import { answerWith } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, test } from '../src/fixtures.ts';

const PREFERENCES = '/api/notifications/preferences';
const NAME = 'E-mail me when a case moves';

test('where no e-mails are sent nobody is offered any', { tag: '@any-theme' }, async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/profile');
  await expect(page.getByRole('region', { name: 'Password and Devices' })).toBeVisible();
  const answer = await page.request.get(new URL(PREFERENCES, page.url()).href);
  expect(await answer.json()).toEqual({ email: true, emailOffered: false });
  await expect(page.getByRole('switch', { name: NAME })).toHaveCount(0);
});

test('e-mails are switched off and on in the profile', async ({ page, freeUser: _ }) => {
  // This product has no mail server; what it keeps is its own.
  await page.route(`**${PREFERENCES}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), emailOffered: true } });
  });
  await page.goto('/profile');
  const choice = page.getByRole('switch', { name: NAME });
  await expect(choice).toBeChecked();
  await expectAccessible(page);
  await choice.focus();
  await page.keyboard.press('Space');
  await expectToast(page, 'Updated', 'You will get no more e-mails.');
  await page.reload();
  await expect(choice).not.toBeChecked();
  await choice.click();
  await expectToast(page, 'Updated', 'You will get an e-mail when a case moves.');
  await expect(choice).toBeChecked();

  await answerWith(page, { method: 'PUT', path: PREFERENCES }, 500, {});
  await choice.click();
  await expectToast(page, 'Error', 'Failed to update notifications');
  await expect(choice).toBeChecked();
});

test('the link of an e-mail asks before it stops them, signed in or not', async ({ page }) => {
  const sent: string[] = [];
  await page.route('**/api/notifications/unsubscribe*', async (route) => {
    sent.push(`${route.request().method()} ${new URL(route.request().url()).search}`);
    await route.fulfill({ json: { ok: true } });
  });
  await page.goto('/unsubscribe#a.token');
  await expect(page.getByRole('heading', { name: 'Stop e-mails about your cases?', level: 1 })).toBeVisible();
  await expectAccessible(page);
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: 'Stop e-mails' }).click();
  await expect(page.getByRole('heading', { name: 'You are unsubscribed', level: 1 })).toBeVisible();
  await expectAccessible(page);
  expect(sent).toEqual(['POST ?token=a.token']);
});

test('a link that nobody signed stops nothing and says what to do', { tag: '@any-theme' }, async ({
  page,
}) => {
  await page.goto('/unsubscribe#nobody.signed.this');
  await page.getByRole('button', { name: 'Stop e-mails' }).click();
  await expect(page.getByRole('alert')).toContainText('Use the link of a newer e-mail');
});
