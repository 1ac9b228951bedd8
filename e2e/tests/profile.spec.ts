import { expect, expectAccessible, newPerson, test } from '../src/fixtures.ts';

test('a user reads and changes the account', async ({ page, freeUser }) => {
  await page.goto('/profile');
  await expect(page.getByText('Account Information')).toBeVisible();
  await expect(page.getByText(freeUser.email).first()).toBeVisible();
  await expectAccessible(page);
});

test('deleting the account needs the password and ends everything', async ({ page, context, freeUser }) => {
  await page.goto('/profile');
  await page
    .getByRole('button', { name: /delete account/i })
    .first()
    .click();
  await expectAccessible(page);
  const dialog = page.getByRole('dialog');
  const typed = dialog.getByLabel(/type/i);
  if (await typed.count()) await typed.fill('DELETE');
  await dialog.getByLabel(/password/i).fill(freeUser.password);
  await dialog.getByRole('button', { name: /delete/i }).click();
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  const again = await context.request.post('/api/auth/login', {
    data: { email: freeUser.email, password: freeUser.password },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(again.status()).toBe(401);
  expect(newPerson().email).not.toBe(freeUser.email);
});
