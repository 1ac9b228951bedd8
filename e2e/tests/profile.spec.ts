import type { Browser, BrowserContext } from '@playwright/test';
import { expect, expectAccessible, expectToast, newPerson, type Person, test } from '../src/fixtures.ts';
import { post } from '../src/post.ts';

test('a user reads the account, and changes name and role', { tag: '@phone' }, async ({ page, freeUser }) => {
  await page.goto('/profile');
  const account = page.getByRole('region', { name: 'Account Information' });
  await expect(account).toContainText(`${freeUser.firstName} ${freeUser.lastName}`);
  await expect(account).toContainText(freeUser.email);
  await expect(account.getByText('Role', { exact: true })).toHaveCount(0);
  await expectAccessible(page);

  await account.getByRole('button', { name: 'Edit name and role' }).click();
  await expect(account.getByLabel('First Name')).toBeFocused();
  await expectAccessible(page);
  await account.getByLabel('First Name').fill(' ');
  await account.getByRole('button', { name: 'Save changes' }).click();
  await expect(account.getByText('First name is required')).toBeVisible();
  await account.getByLabel('First Name').fill('Grace');
  await account.getByLabel('Role (Optional)').fill('Attorney');
  await account.getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'Updated', 'Your profile has been updated');
  await expect(account.getByRole('button', { name: 'Edit name and role' })).toBeFocused();

  await page.reload();
  await expect(account).toContainText(`Grace ${freeUser.lastName}`);
  await expect(account).toContainText('Attorney');
  await page.getByTestId('user-menu').click();
  await expect(page.getByRole('banner')).toContainText(`Grace ${freeUser.lastName}`);
  await expect(page.getByRole('banner')).toContainText('Attorney');
});

test('the e-mail address is changed with the password, and to a free one only', async ({
  page,
  context,
  browser,
  freeUser,
}) => {
  const other = newPerson();
  await usingBrowser(browser, (outsider) => post(outsider.request, '/api/auth/signup', other));
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change email' }).click();
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Current Password');
  const send = page.getByRole('button', { name: 'Change email' });

  await email.fill(other.email);
  await password.fill('not the password');
  await send.click();
  await expectToast(page, 'Error');
  await expect(password).toHaveAccessibleDescription(/password/i);
  await expectAccessible(page);
  await password.fill(freeUser.password);
  await send.click();
  await expect(email).toHaveAccessibleDescription(/account/i);

  const wanted = `new-${freeUser.email}`;
  await email.fill(wanted);
  await send.click();
  await expectToast(page, 'Updated', 'Your email address has been changed');
  await expect(page.getByRole('region', { name: 'Account Information' })).toContainText(wanted);
  expect(await statusOfLogIn(context, freeUser)).toBe(401);
  expect(await statusOfLogIn(context, { ...freeUser, email: wanted })).toBe(200);
});

test('a new password signs the other devices out and this one not', async ({ page, browser, freeUser }) => {
  await usingBrowser(browser, async (device) => {
    await post(device.request, '/api/auth/login', { email: freeUser.email, password: freeUser.password });
    await page.goto('/profile/security');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current Password').fill(freeUser.password);
    await page.getByLabel('New Password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('New Password').fill('battery staple 2');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectToast(page, 'Password changed', 'Your other devices have been logged out.');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible();

    expect((await device.request.get('/api/auth/me')).status()).toBe(401);
    expect(await statusOfLogIn(device, freeUser)).toBe(401);
    expect(await statusOfLogIn(device, { ...freeUser, password: 'battery staple 2' })).toBe(200);
  });
});

test('signing out everywhere asks first and ends every session', async ({ page, browser, freeUser }) => {
  await usingBrowser(browser, async (device) => {
    await post(device.request, '/api/auth/login', { email: freeUser.email, password: freeUser.password });
    await page.goto('/profile/security');
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect((await device.request.get('/api/auth/me')).status()).toBe(200);

    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await expectToast(page, 'Logged out', 'You have been logged out on all devices.');
    await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
    expect((await device.request.get('/api/auth/me')).status()).toBe(401);
  });
});

test('deleting the account needs the password and ends everything', async ({ page, context, freeUser }) => {
  await page.goto('/profile/data');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await expectAccessible(page);
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete account' });
  await dialog.getByLabel('Current Password').fill(freeUser.password);
  await confirm.click();
  await expect(dialog.getByLabel('Type DELETE to confirm')).toHaveAccessibleDescription(/DELETE/);
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByLabel('Current Password').fill('not the password');
  await confirm.click();
  await expectToast(page, 'Error');
  await dialog.getByLabel('Current Password').fill(freeUser.password);
  await confirm.click();
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  expect(await statusOfLogIn(context, freeUser)).toBe(401);
});

/** Another browser of a user, for as long as `use` takes. */
async function usingBrowser(
  browser: Browser,
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  try {
    await use(context);
  } finally {
    await context.close();
  }
}

async function statusOfLogIn(context: BrowserContext, { email, password }: Person): Promise<number> {
  const answer = await context.request.post('/api/auth/login', {
    data: { email, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  return answer.status();
}
