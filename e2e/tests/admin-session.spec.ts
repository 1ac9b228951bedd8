import { enterPasscode, openAdmin, test } from '../src/admin.ts';
import { gate, isNarrow } from '../src/admin-steps.ts';
import { answerWith, holdAnswers, loseConnection, recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast } from '../src/fixtures.ts';

const LOGIN = { method: 'POST', path: '/api/admin/login' };

test('the gate stands before the admin area, opens with the passcode, and is back after a reload', async ({
  page,
}) => {
  const asked = recordCalls(page, { method: 'GET', path: '/api/auth/me' });
  await page.goto('/admin');
  await expect(gate(page)).toBeVisible();
  await expect(page.getByText('Enter the admin passcode to view API logs')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Access Admin Panel' }).click();
  await expect(page.getByLabel('Passcode')).toHaveAccessibleDescription('Enter the passcode.');
  // Its message is that of the failure below: another one has to come in between, or the earlier would pass for the later.
  const lost = await loseConnection(page, LOGIN);
  await enterPasscode(page);
  await expectToast(page, 'Failed to authenticate');
  await lost.end();
  await enterPasscode(page, 'not the passcode');
  await expectToast(page, 'Invalid passcode');
  await expect(page.getByLabel('Passcode')).toBeFocused();
  await expectAccessible(page);

  const fault = await answerWith(page, LOGIN, 500, {});
  await enterPasscode(page);
  await expectToast(page, 'Failed to authenticate');
  await fault.end();

  const slow = await holdAnswers(page, LOGIN);
  await enterPasscode(page);
  await expect(page.getByRole('button', { name: 'Authenticating...' })).toBeDisabled();
  slow.release();
  await expectToast(page, 'Admin access granted');
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeFocused();
  await expect(gate(page)).toHaveCount(0);
  await page.reload();
  await expect(gate(page)).toBeVisible();
  expect(asked).toHaveLength(0);
});

test('a signed-in user meets the same gate', async ({ page, freeUser: _ }) => {
  await page.goto('/admin');
  await expect(gate(page)).toBeVisible();
  await expect(page.getByTestId('user-menu')).toHaveCount(0);
});

test('an ended session asks for the passcode over what was being typed, and keeps it', async ({ page }) => {
  await openAdmin(page, '/admin?tab=surveys');
  await page.getByRole('button', { name: 'Create survey' }).click();
  const editor = page.getByRole('dialog', { name: 'Create survey' });
  await editor.getByLabel('Title').fill('Half typed');
  await page.context().clearCookies();
  await editor.getByRole('button', { name: 'Create survey' }).click();

  const ended = page.getByRole('dialog', { name: 'Admin Access' });
  await expect(ended.getByText(/^Your admin session has ended\./)).toBeVisible();
  await expect(ended.getByLabel('Passcode')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await enterPasscode(page);
  await expect(ended).toHaveCount(0);
  await expect(editor.getByLabel('Title')).toHaveValue('Half typed');
  await page.keyboard.press('Escape');
  await expect(editor).toHaveCount(0);
});

test('an idle page locks itself, also while the live tail polls', async ({ page }) => {
  await page.clock.install();
  await openAdmin(page);
  await page.getByRole('switch', { name: 'Live tail' }).click();
  await page.clock.runFor('14:50');
  await expect(page.getByRole('dialog', { name: 'Admin Access' })).toHaveCount(0);
  await page.clock.runFor('00:20');
  await expect(page.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
});

test('the lock ends the session here and on the server', async ({ page, product }) => {
  await openAdmin(page);
  const read = async () => (await page.context().request.get(`${product.url}/api/admin/logs`)).status();
  expect(await read()).toBe(200);
  await page.getByRole('button', { name: 'Lock the admin area' }).click();
  await expect(gate(page)).toBeVisible();
  await expect.poll(read).toBe(401);
});

test('the audit trail lists sign-ins to the area, and refused ones', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/admin');
  await enterPasscode(page, 'not the passcode');
  await expectToast(page, 'Invalid passcode');
  await enterPasscode(page);
  await expect(async () => {
    await page.getByRole('tab', { name: 'API Logs' }).click();
    await page.getByRole('tab', { name: 'Audit trail' }).click();
    await expect(page.getByRole('button', { name: 'Signed in', exact: true }).first()).toBeVisible({
      timeout: 1_000,
    });
    await expect(page.getByRole('button', { name: 'Sign-in refused' }).first()).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await expect(page).toHaveURL(/tab=audit/);
  if (isNarrow(page)) await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Outcome').selectOption('Failed');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page.getByRole('button', { name: 'Signed in', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Sign-in refused' }).first()).toBeVisible();
  await expect(page.getByText('wrong passcode').first()).toBeVisible();
  await expectAccessible(page);
});
